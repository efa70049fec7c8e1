/** The frame of every page: its name, what it shows, the theme switch, the content, the tips. */
import type { ComponentChildren, JSX } from 'preact';
import { ThemeSwitch } from './theme-switch.tsx';
import { TipLayer } from './tip-layer.tsx';

type FrameProps = {
  readonly title: ComponentChildren;
  /** Beside the title, such as a choice of bots. */
  readonly head?: ComponentChildren;
  /** At the right, before the theme switch. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

export function AppFrame({ title, head, actions, children }: FrameProps): JSX.Element {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <h1>{title}</h1>
        <div class="top-head">{head}</div>
        <div class="top-actions">
          {actions}
          <ThemeSwitch />
        </div>
      </header>
      <main id="content">{children}</main>
      <TipLayer />
    </>
  );
}
