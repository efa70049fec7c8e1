/**
 * What a venue reports about our orders and accounts without being asked.
 *
 * Invariant: a report is a hint. It may be lost or repeated, so money is booked by what is read.
 */
import type { Amount, Sums } from '../domain/amount.ts';

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

export type BalanceReport = {
  readonly kind: 'balance';
  readonly atMs: number;
  readonly account: string;
  /** The row of the account's ledger; see `MovementView`. */
  readonly row: number;
  /** After the row. */
  readonly balance: Amount;
  readonly delta: Amount;
  /** After the row. */
  readonly available: Amount;
  readonly availableDelta: Amount;
};

export type VenueReport =
  /** The order is known to the venue, and is not shown to have ended. */
  | (ReportedOrder & { readonly kind: 'accepted'; readonly atMs: number })
  | FillReport
  | (ReportedOrder & { readonly kind: 'ended'; readonly atMs: number })
  | BalanceReport
  /** Something that the venue has added since the adapter was written. */
  | { readonly kind: 'unknown'; readonly what: string };
