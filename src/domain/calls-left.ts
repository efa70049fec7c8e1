/** What the exchange's limit of calls leaves now, of all strategies of the bot together. */
export type CallsLeft = {
  /** Calls of every kind that may leave within any 60 seconds; Infinity if they are not limited. */
  readonly perMinute: number;
  /**
   * Calls that new orders may still use now, 0 to `perMinute`; the others are kept for cancels and
   * reads. An order takes one call, its cancel another, and the proof of its end a third.
   */
  readonly forOrders: number;
  /** When a further order may leave, from `nowMs()` on, if no other call leaves before. */
  readonly nextOrderMs: number;
  /** The same of an order that replaces one of a quote, which rests until then. */
  readonly nextMoveMs: number;
};
