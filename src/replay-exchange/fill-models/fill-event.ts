/**
 * The requests and events of a fill model. Times are in the time of history, in microseconds.
 */
import type { Lots, Ticks } from '../../domain/money.ts';
import type { Fee } from '../../exchange-accounts/fee-schedule.ts';
import type { FailedCheck } from '../../exchange-accounts/order-checks.ts';
import type { OrderTerms, OwnOrder } from './own-order.ts';

export type ModelRequest = OrderTerms & { readonly postOnly: boolean };

/** Which check an order failed. `would-take`: a post-only order would have traded. */
export type ModelRejection = FailedCheck | 'would-take';

export type ModelFill = Fee & {
  readonly order: OwnOrder;
  /** The trade's number, in one sequence with history's trades. */
  readonly tradeSequence: number;
  readonly price: Ticks;
  readonly base: Lots;
  /** In ticks × lots. */
  readonly counter: bigint;
  readonly isMaker: boolean;
  /**
   * The volume ahead of the order at its price; 0 for every maker fill in first-in-first-out data.
   */
  readonly volumeAhead: Lots;
};

export type CompletionReason =
  | 'FILLED'
  | 'CANCELLED'
  | 'IMMEDIATE_OR_CANCEL'
  | 'FILL_OR_KILL'
  | 'SELF_TRADE';

export type ModelEvent = { readonly atMicros: number } & (
  | { readonly kind: 'accepted'; readonly order: OwnOrder }
  | { readonly kind: 'rejected'; readonly clientOrderId: string; readonly failed: ModelRejection }
  | { readonly kind: 'cancel-rejected'; readonly order: OwnOrder }
  /** A stop order has become a limit order. */
  | { readonly kind: 'triggered'; readonly order: OwnOrder }
  | ({ readonly kind: 'filled' } & ModelFill)
  | {
      readonly kind: 'completed';
      readonly order: OwnOrder;
      readonly outcome: 'filled' | 'cancelled';
      readonly reason: CompletionReason;
    }
);

export type ModelListener = (event: ModelEvent) => void;
