/** Position, profit and fees of a strategy on a pair, from its booked fills and the present mid. */
import type { Amount } from '../../domain/amount.ts';
import type { ProfitParts } from '../../domain/bot-status.ts';
import { type Decimal, formatDecimal } from '../../domain/money.ts';
import type { Engine } from '../../engine/engine.ts';
import { baseOf, profitOf } from '../../execution/fills/positions.ts';
import { midOf } from './market-state.ts';

export type TradedFigures = {
  readonly position: Amount;
  /** In the counter currency, the position valued at the mid; undefined without a mid. */
  readonly value: { readonly profit: Decimal; readonly fees: Decimal } | undefined;
  readonly fills: number;
};

/** Returns the figures over all runs. */
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

/**
 * Returns the parts of the profit; `spread` is the sum of the fills' distances from the mid, in our
 * favour, undefined while that is not known of all of them.
 */
export function profitPartsOf(
  { value }: TradedFigures,
  spread: Decimal | undefined,
): ProfitParts | null {
  if (value === undefined || spread === undefined) return null;
  const { profit, fees } = value;
  return {
    spread: formatDecimal(spread),
    fees: formatDecimal(fees),
    inventory: formatDecimal(profit.plus(fees).minus(spread)),
  };
}
