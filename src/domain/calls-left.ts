/** The calls that the exchange's limit leaves now, for all strategies of the bot together. */
export type CallsLeft = {
  /** Calls of every kind that may be sent in any 60 seconds; Infinity without a limit. */
  readonly perMinute: number;
  /**
   * Calls that new orders may still use now, 0 to `perMinute`; the rest is reserved for cancels and
   * reads. An order uses one call, its cancel another, and the proof of its end a third.
   */
  readonly forOrders: number;
  /** The earliest time of the next order, from `nowMs()` on, if no other call is sent before. */
  readonly nextOrderMs: number;
  /** As `nextOrderMs`, for an order that replaces an order of a quote, which rests until then. */
  readonly nextMoveMs: number;
};
