/** The exposure of one strategy on one pair, and positions with their worst cases. */
import type { Market } from '../domain/market.ts';
import type { Ticks } from '../domain/money.ts';
import type { Exact } from './currency-unit.ts';
import type { ExposureBounds } from './exposure-bounds.ts';
import type { HeldOrder, PairOrders } from './open-orders.ts';
import type { StrategyActivity } from './strategy-activity.ts';
import { productOf } from './whole-numbers.ts';

/** Position and open orders of one strategy on one pair, and the totals that they count in. */
export type StrategyExposure = {
  readonly strategyId: string;
  readonly market: Market;
  /** The open orders of all strategies on the pair. */
  readonly orders: PairOrders;
  readonly activity: StrategyActivity;
  /** The strategy's position on the pair. */
  readonly position: ExposureBounds;
  /** The position of all strategies on the pair. */
  readonly pair: ExposureBounds;
  /** The strategy's net flow of the base and of the counter currency, over all its pairs. */
  readonly base: ExposureBounds;
  readonly counter: ExposureBounds;
  /** Value of open orders in the counter currency: the strategy's, and of all strategies. */
  readonly open: ExposureBounds;
  readonly openOfAll: ExposureBounds;
  /** The strategy's net flow of counter currency on this pair; base is in `position`. */
  gained: Exact;
};

/** The totals that an order of the strategy counts in. */
export type StrategyTotals = Pick<
  StrategyExposure,
  'pair' | 'base' | 'counter' | 'open' | 'openOfAll'
>;

/** A position or flow; `highest` and `lowest` assume that all open orders of one side fill. */
export type WorstPosition = {
  readonly base: bigint;
  readonly highest: bigint;
  readonly lowest: bigint;
};

/** Returns bounds as a position; zero for undefined. */
export function worstOf(bounds: ExposureBounds | undefined): WorstPosition {
  if (bounds === undefined) return { base: 0n, highest: 0n, lowest: 0n };
  const { unit, held, highest, lowest } = bounds;
  return { base: unit.amount(held), highest: unit.amount(highest), lowest: unit.amount(lowest) };
}

/** Returns a volume in lots as an amount of the base currency. */
export function volumeIn({ base, market }: StrategyExposure, lots: number): Exact {
  return base.unit.scaled(lots, market.volumeScale);
}

/** Returns what lots at a price are worth in the counter currency. */
export function valueIn({ counter, market }: StrategyExposure, price: Ticks, lots: number): Exact {
  return counter.unit.scaled(productOf(price, lots), market.priceScale + market.volumeScale);
}

/** Returns what `lots` of an order may spend of the currency that it pays with. */
export function paidIn(exposure: StrategyExposure, order: HeldOrder, lots: number): Exact {
  return order.side === 'ASK' ? volumeIn(exposure, lots) : valueIn(exposure, order.price, lots);
}
