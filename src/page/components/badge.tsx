/** Short marked words: a state, a mode, a side, a tag. None of them depends on colour alone. */
import type { JSX } from 'preact';
import { tipOf } from '../format/tip.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'alarm' | 'accent';

type BadgeProps = { readonly text: string; readonly tone?: Tone; readonly tip?: string };

export function Badge({ text, tone = 'plain', tip }: BadgeProps): JSX.Element {
  return (
    <span class={`badge is-${tone}`} {...(tip === undefined ? {} : tipOf(tip))}>
      {text}
    </span>
  );
}

/** Buy or sell, by arrow, word and colour. */
export function SideText({ side }: { readonly side: 'BID' | 'ASK' }): JSX.Element {
  return side === 'BID' ? (
    <span class="side ink-buy">▲ buy</span>
  ) : (
    <span class="side ink-sell">▼ sell</span>
  );
}
