/** What is open and held, as the exposure counts it and as others read it. */
import type { ExposureBounds } from './exposure-bounds.ts';

/** What is open and held of one strategy on one pair, and where else it counts. */
export type Line = {
  /** The strategy's position on the pair, with its open orders. */
  readonly position: ExposureBounds;
  /** The position of all strategies on the pair. */
  readonly pair: ExposureBounds;
  /** What the strategy gained of the base and of the counter currency, over all its pairs. */
  readonly base: ExposureBounds;
  readonly counter: ExposureBounds;
  /** Value of open orders in the counter currency: of the strategy, and of all. */
  readonly open: ExposureBounds;
  readonly openOfAll: ExposureBounds;
  /** Counter currency that the strategy gained on this pair; base is in `position`. */
  gained: bigint;
  /** Units of the base currency in a lot, and of the counter currency in a tick times a lot. */
  readonly unitsPerLot: number;
  readonly unitsPerValue: number;
};

/** A position or flow in atoms; `highest` and `lowest` if open orders fill that add or take. */
export type WorstPosition = {
  readonly base: bigint;
  readonly highest: bigint;
  readonly lowest: bigint;
};

/** Returns a tally as a position; nothing is held of one that does not exist. */
export function worstOf(tally: ExposureBounds | undefined): WorstPosition {
  if (tally === undefined) return { base: 0n, highest: 0n, lowest: 0n };
  return { base: tally.held, highest: tally.highest, lowest: tally.lowest };
}
