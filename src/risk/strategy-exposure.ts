/** The exposure of one strategy on one pair, and positions with their worst cases. */
import type { Market } from '../domain/market.ts';
import type { ExposureBounds } from './exposure-bounds.ts';
import type { PairOrders } from './open-orders.ts';
import type { StrategyActivity } from './strategy-activity.ts';

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
  gained: bigint;
  /** Units of the base currency in a lot, and of the counter currency in tick × lot. */
  readonly unitsPerLot: number;
  readonly unitsPerValue: number;
};

/** A position or flow; `highest` and `lowest` assume that all open orders of one side fill. */
export type WorstPosition = {
  readonly base: bigint;
  readonly highest: bigint;
  readonly lowest: bigint;
};

/** Returns bounds as a position; zero for undefined. */
export function worstOf(bounds: ExposureBounds | undefined): WorstPosition {
  if (bounds === undefined) return { base: 0n, highest: 0n, lowest: 0n };
  return { base: bounds.held, highest: bounds.highest, lowest: bounds.lowest };
}
