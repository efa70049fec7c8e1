/** A stored fill as page, terminal and `status` show it. */
import type { FillState } from './bot-status.ts';
import { decimalOf } from './money.ts';
import type { FillRow } from './records.ts';

/** `names` are the currencies of the fill's pair; undefined if nobody knows them any more. */
export function fillStateOf(
  fill: FillRow,
  names: { readonly base: string; readonly counter: string } | undefined,
): FillState {
  const { strategyId, pair, side, price, volume, intentId, tradedMs, maker: isMaker } = fill;
  // The exchange writes no fee as "0" or "0.00".
  const isInBase = decimalOf(fill.feeCounter).isZero() && !decimalOf(fill.feeBase).isZero();
  const { base, counter } = names ?? { base: 'base', counter: 'counter' };
  return {
    ...{ strategyId, pair, side, price, volume, intentId, tradedMs, isMaker },
    fee: isInBase ? fill.feeBase : fill.feeCounter,
    feeCurrency: isInBase ? base : counter,
  };
}
