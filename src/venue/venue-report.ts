/**
 * What a venue reports about our orders and accounts without being asked.
 *
 * Invariant: a report is a hint. It may be lost or repeated, so money is booked by what is read.
 */
import type { Amount, Sums } from '../domain/amount.ts';
import type { MovementView } from './venue-reply.ts';

/** Which order a report is about. */
export type ReportedOrder = {
  readonly orderId: string;
  /** Empty for an order that was placed without an id of its own. */
  readonly clientOrderId: string;
  readonly pair: string;
};

export type FillReport = ReportedOrder & {
  readonly kind: 'filled';
  /** By the venue's clock. */
  readonly atMs: number;
  /** The filled volume of the order, this fill included. */
  readonly filled: Amount;
  /** Of this fill alone. */
  readonly sums: Sums;
};

export type BalanceReport = Pick<
  MovementView,
  'atMs' | 'row' | 'balance' | 'delta' | 'available' | 'availableDelta'
> & { readonly kind: 'balance'; readonly account: string };

export type VenueReport =
  /**
   * The order is known to the venue, and is not shown to have ended. `isAwaiting`: it waits for its
   * stop price; a stop-limit order that is accepted without it has become a limit order, unless
   * `isStatusNew`: its status is one that the venue has added since the adapter was written.
   */
  | (ReportedOrder & {
      readonly kind: 'accepted';
      readonly atMs: number;
      readonly isAwaiting?: true | undefined;
      readonly isStatusNew?: true | undefined;
    })
  | FillReport
  | (ReportedOrder & { readonly kind: 'ended'; readonly atMs: number })
  | BalanceReport
  /** Something that the venue has added since the adapter was written. */
  | { readonly kind: 'unknown'; readonly what: string };
