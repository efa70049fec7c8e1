/** A rounded figure; hover or focus shows it exactly. */
import type { JSX } from 'preact';
import { drawn, exactText, roundedText } from '../format/figures.ts';
import { tipOf } from '../format/tip.ts';

export type FigureProps = {
  /** Decimal text, or a number of statistics; null: not known. */
  readonly value: string | number | null | undefined;
  readonly decimals?: number;
  /** All decimals are shown, also zeros at the end. */
  readonly isFixed?: boolean;
  readonly unit?: string;
  /** With a plus, and coloured by its sign: a gain or a loss. */
  readonly isGain?: boolean;
  /** Said beside the exact figure, such as how it is computed. */
  readonly note?: string;
};

export function Figure(props: FigureProps): JSX.Element {
  const { value, decimals = 2, isFixed = false, unit = '', isGain = false, note } = props;
  if (value === null || value === undefined)
    return (
      <span class="figure soft" {...tipOf(note ?? 'Not known now.')}>
        –
      </span>
    );
  const rounded = roundedText(value, { decimals, isFixed, isSigned: isGain });
  const exact = `${exactText(value)}${unit === '' ? '' : ` ${unit}`}`;
  const tip = note === undefined ? exact : `${exact}: ${note}`;
  const sign = isGain ? gainClass(value) : '';
  return (
    <span class={`figure ${sign}`} data-exact={String(value)} {...tipOf(tip)}>
      {rounded}
      {unit !== '' && <small class="unit"> {unit}</small>}
    </span>
  );
}

function gainClass(value: string | number): string {
  const size = typeof value === 'number' ? value : drawn(value);
  if (size > 0) return 'ink-good';
  return size < 0 ? 'ink-bad' : '';
}
