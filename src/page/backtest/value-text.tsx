/** A figure of a result: rounded, and exact on hover. */
import type { JSX } from 'preact';
import type { PageValue } from '../../backtest/report/page-data.ts';
import { Figure } from '../components/figure.tsx';
import { drawn, percentText } from '../format/figures.ts';
import { spanText } from '../format/times.ts';
import { tipOf } from '../format/tip.ts';

type ValueProps = { readonly value: PageValue; readonly isGain?: boolean };

export function ValueText({ value, isGain = false }: ValueProps): JSX.Element {
  const { kind, exact, unit } = value;
  if (exact === null)
    return <Figure value={null} note="Not known, or nothing to compute it from." />;
  if (kind === 'text')
    return (
      <span class="value-words" data-exact={exact}>
        {exact}
      </span>
    );
  if (kind === 'share' || kind === 'seconds') {
    const number = drawn(exact);
    const sign = isGain && number !== 0 ? (number > 0 ? 'ink-good' : 'ink-bad') : '';
    const [text, tip] =
      kind === 'share'
        ? [percentText(number, 2), `${exact} as a share`]
        : [spanText(number), `${exact} s`];
    return (
      <span class={`figure ${sign}`} data-exact={exact} {...tipOf(tip)}>
        {text}
      </span>
    );
  }
  const shownUnit = unit ?? (kind === 'bps' ? 'bps' : undefined);
  return (
    <Figure
      value={exact}
      decimals={decimalsOf(kind, exact)}
      isGain={isGain}
      {...(shownUnit === undefined ? {} : { unit: shownUnit })}
    />
  );
}

/** Small amounts, such as volumes of a coin, need more decimals than large ones. */
function decimalsOf(kind: PageValue['kind'], exact: string): number {
  if (kind === 'count') return 0;
  return kind === 'amount' && Math.abs(drawn(exact)) < 1 ? 6 : 2;
}
