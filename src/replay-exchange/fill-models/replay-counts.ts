/** Counts of a replay, including how often our orders contradict history. */
export type ReplayCounts = {
  rows: number;
  trades: number;
  makerFills: number;
  takerFills: number;
  /**
   * Maker fills from trades that history gave to another order, which then would not have traded.
   */
  displacedTrades: number;
  /** Historical orders that would have traded with ours instead of resting. */
  displacedOrders: number;
  /** Historical orders from which we took volume. */
  takenOrders: number;
  /** Maker fills with volume ahead: the data are not first-in-first-out there. */
  fillsOutOfQueue: number;
  /** Orders of ours that were cancelled because they would have traded with another of ours. */
  selfTradesPrevented: number;
  /** Rows that refer to an order that is not in history's book. */
  unknownOrders: number;
  /**
   * Inconsistent rows: a known id created again, or a trade or resize beyond the order's volume.
   */
  impossibleRows: number;
};

export function emptyReplayCounts(): ReplayCounts {
  return {
    rows: 0,
    trades: 0,
    makerFills: 0,
    takerFills: 0,
    displacedTrades: 0,
    displacedOrders: 0,
    takenOrders: 0,
    fillsOutOfQueue: 0,
    selfTradesPrevented: 0,
    unknownOrders: 0,
    impossibleRows: 0,
  };
}
