/** A titled panel of the page, and a row of named figures in it. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { tipOf } from '../format/tip.ts';

type CardProps = {
  readonly title: string;
  /** At the right of the title. */
  readonly aside?: ComponentChildren;
  /** What the panel shows, for those who see it for the first time. */
  readonly help?: string;
  /** Names the panel for tests and links. */
  readonly name?: string;
  readonly children: ComponentChildren;
};

export function Card({ title, aside, help, name, children }: CardProps): JSX.Element {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id} data-panel={name}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        {help !== undefined && (
          <span class="tip-mark" {...tipOf(help)}>
            ?
          </span>
        )}
        <div class="card-aside">{aside}</div>
      </header>
      {children}
    </section>
  );
}

type FactProps = {
  readonly name: string;
  readonly children: ComponentChildren;
  readonly tip?: string;
};

/** A name with its figure; several of them belong into {@link Facts}. */
export function Fact({ name, children, tip }: FactProps): JSX.Element {
  return (
    <div class="fact">
      <dt {...(tip === undefined ? {} : tipOf(tip))}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <dl class="facts">{children}</dl>;
}
