/**
 * How far a strategy can look back on its own trading. The store gives a restart as much, so that
 * nothing differs before and after it.
 */
export const keptFills = {
  /** How long booked fills are kept, by the time of the trade. */
  ms: 24 * 3_600_000,
  /** How many are kept of a strategy on a pair, the newest. */
  max: 10_000,
  /** Of how many orders by key the totals are kept for a strategy, the newest. */
  ordersMax: 10_000,
} as const;
