/** What a plugin declares about its orders. */
import type { Side } from '../domain/market.ts';

/** The orders that a strategy places, which `allow` and the limits must permit. */
export type Needs = {
  /** The sides of its orders; at least one. */
  readonly sides: readonly Side[];
  /** The types of its orders; limit orders only, unless given. */
  readonly types?: readonly ('limit' | 'stop-limit')[];
  /** The times in force of its orders; at least one. */
  readonly timeInForce: readonly ('GTC' | 'IOC' | 'FOK')[];
  /** True if all its orders are post-only, false if none is. */
  readonly postOnly: boolean;
  /** The volume of its usual order, in the base currency, as decimal text. */
  readonly size?: string;
  /** The most orders that it wants on one pair at once, such as all levels of a quote. */
  readonly ordersAtOnce?: number;
};
