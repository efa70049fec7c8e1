/** What happened in a replay, and how often history and our orders could not both be true. */
export type ReplayCounts = {
  rows: number;
  trades: number;
  makerFills: number;
  takerFills: number;
  /**
   * Maker fills whose trade history gave to another order, which therefore would not have traded.
   */
  displacedTrades: number;
  /** Created orders of history that would have met ours instead of resting. */
  displacedOrders: number;
  /** Orders of history that we took volume from. */
  takenOrders: number;
  /** Maker fills with volume ahead: the data is not first-in-first-out there. */
  fillsOutOfQueue: number;
  /** Orders of ours that were cut short because they would have met another of ours. */
  selfTradesPrevented: number;
  /** Rows that named an order which history's book does not hold. */
  unknownOrders: number;
  /**
   * Rows that did not fit: a known id created again, a trade or resize beyond the order's volume.
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
