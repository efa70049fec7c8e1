/** The calls that the exchange's limit leaves now, for all strategies of the bot together. */
export type CallsLeft = {
  /**
   * Calls that may be sent in any 60 seconds, cancels apart; Infinity without a limit. It is higher
   * while the exchange's answers report its limit.
   */
  readonly perMinute: number;
  /**
   * Calls that new orders may still use now, 0 to `perMinute`; the rest is reserved for cancels and
   * reads. An order uses one call and its cancel another.
   */
  readonly forOrders: number;
  /** The earliest time of the next order, from `nowMs()` on, if no other call is sent before. */
  readonly nextOrderMs: number;
  /** As `nextOrderMs`, for an order that replaces an order of a quote, which rests until then. */
  readonly nextMoveMs: number;
};
