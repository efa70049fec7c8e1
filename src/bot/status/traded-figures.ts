/** Position, profit and fees of a strategy on a pair, from its booked fills and the present mid. */
import type { Amount } from '../../domain/amount.ts';
import type { ProfitParts } from '../../domain/bot-status.ts';
import { type Decimal, formatDecimal } from '../../domain/money.ts';
import { midOf } from '../../engine/account/mid.ts';
import type { Engine } from '../../engine/engine.ts';
import { baseOf, profitOf } from '../../execution/fills/positions.ts';
import type { FillSpread } from './fill-mids-watch.ts';

export type TradedFigures = {
  readonly position: Amount;
  /** In the counter currency, the position valued at the mid; undefined without a mid. */
  readonly value: { readonly profit: Decimal; readonly fees: Decimal } | undefined;
  readonly fills: number;
};

export function tradedFiguresOf(
  { fills, markets }: Pick<Engine, 'fills' | 'markets'>,
  strategyId: string,
  pair: string,
): TradedFigures {
  const holding = fills.positions.holding(strategyId, pair);
  const market = markets.get(pair);
  const mid = market && midOf(market);
  return {
    position: baseOf(holding),
    value: mid && profitOf(holding, mid),
    fills: holding.fills,
  };
}

/** Returns the parts of the profit, of which `known` is the spread; null without a mid now. */
export function profitPartsOf(
  { value, fills }: TradedFigures,
  known: FillSpread,
): ProfitParts | null {
  if (value === undefined) return null;
  const { profit, fees } = value;
  const { sum: spread } = known;
  return {
    spread: formatDecimal(spread),
    fees: formatDecimal(fees),
    inventory: formatDecimal(profit.plus(fees).minus(spread)),
    fillsWithoutMid: fills - known.fills,
  };
}
