/** How much of a limit is used, as a bar with its words. */
import type { ComponentChildren, JSX } from 'preact';
import { percentText } from '../format/figures.ts';

type UseBarProps = {
  readonly name: ComponentChildren;
  /** 0 to 1; above 1 if the limit is exceeded. */
  readonly share: number;
  /** The use and the limit, at the right. */
  readonly children?: ComponentChildren;
};

export function UseBar({ name, share, children }: UseBarProps): JSX.Element {
  const tone = share >= 1 ? 'alarm' : share >= 0.8 ? 'warn' : 'plain';
  const width = `${Math.min(1, Math.max(0, share)) * 100}%`;
  return (
    <div class="use">
      <div class="use-text">
        <span>{name}</span>
        <span>
          {children} <b class={tone === 'plain' ? '' : `ink-${tone}`}>{percentText(share, 0)}</b>
        </span>
      </div>
      <div class={`use-bar is-${tone}`}>
        <div style={{ width }} />
      </div>
    </div>
  );
}

type BalanceBarProps = {
  /** From −1 to 1: where the value stands between its limits. */
  readonly share: number;
  readonly label: string;
};

/** A value that may be above or below zero, between its two limits. */
export function BalanceBar({ share, label }: BalanceBarProps): JSX.Element {
  const bounded = Math.min(1, Math.max(-1, share));
  const left = `${50 + Math.min(0, bounded) * 50}%`;
  const width = `${Math.abs(bounded) * 50}%`;
  return (
    <div class="balance-bar" role="img" aria-label={label}>
      <div class={bounded < 0 ? 'is-sell' : 'is-buy'} style={{ left, width }} />
    </div>
  );
}
