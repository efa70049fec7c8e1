/** The frame of every page: its name, what it shows, the theme switch, the content, the tips. */
import type { ComponentChildren, JSX } from 'preact';
import { chooseTheme, theme, themes } from '../browser/theme.ts';
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

const titles = { system: 'System', light: 'Light', dark: 'Dark' } as const;

function ThemeSwitch(): JSX.Element {
  return (
    <label class="theme-switch">
      <span class="unseen">Theme</span>
      <select
        value={theme.value}
        onChange={({ currentTarget }) => {
          const chosen = themes.find((one) => one === currentTarget.value);
          if (chosen !== undefined) chooseTheme(chosen);
        }}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {titles[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
