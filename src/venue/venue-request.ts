/**
 * What a venue is asked for, in our own terms. An adapter writes each request in the venue's
 * language, and reads the answer back as a {@link VenueReply}.
 */

import type { LimitOrder } from '../domain/limit-order.ts';

/**
 * A new order, by an id that is used for nothing else: the venue refuses a second order with it,
 * and, `ttlMs` after `timestampMs` in its own time, the request itself.
 */
export type PlaceRequest = LimitOrder & {
  readonly kind: 'place';
  readonly clientOrderId: string;
  readonly timestampMs: number;
  readonly ttlMs: number;
};

/** The end of an open order. The answer says that it was taken; the order may still trade. */
export type CancelRequest = { readonly kind: 'cancel'; readonly orderId: string };

/** One order, open or ended, by the venue's id or by our own. */
export type OrderRequest = { readonly kind: 'order' } & (
  | { readonly orderId: string; readonly clientOrderId?: undefined }
  | { readonly clientOrderId: string; readonly orderId?: undefined }
);

/** Where a list goes on: made by the adapter, and given back to it unread. */
export type Cursor = string;

/** Open or ended orders of the account, newest first. */
export type OrdersRequest = {
  readonly kind: 'orders';
  readonly which: 'open' | 'ended';
  /** Orders of all pairs, unless given. */
  readonly pair?: string | undefined;
  /** Orders created earlier may be left out. */
  readonly sinceMs?: number | undefined;
  /** Only so many of the newest, in one page; all of them unless given. */
  readonly newest?: number | undefined;
  readonly cursor?: Cursor | undefined;
};

/** The account's trades of a pair, oldest first: from the oldest one, unless a bound is given. */
export type OwnTradesRequest = {
  readonly kind: 'own-trades';
  readonly pair: string;
  /** Not earlier than this. */
  readonly sinceMs?: number | undefined;
  /** From this sequence on, including it. */
  readonly from?: string | undefined;
  readonly cursor?: Cursor | undefined;
};

/** The movements of one account's ledger, oldest first. */
export type MovementsRequest = {
  readonly kind: 'movements';
  readonly account: string;
  /** From this row on, including it; from the first one unless given. */
  readonly fromRow?: number | undefined;
  readonly cursor?: Cursor | undefined;
};

export type BalancesRequest = { readonly kind: 'balances' };

/** The rules of these pairs, or of all. A pair that is not listed is absent from the answer. */
export type MarketsRequest = {
  readonly kind: 'markets';
  readonly pairs?: readonly string[] | undefined;
};

/** The fees of the account. */
export type FeesRequest = { readonly kind: 'fees'; readonly pair: string };

export type LastTradeRequest = { readonly kind: 'last-trade'; readonly pair: string };

/** The best prices of all markets. */
type PricesRequest = { readonly kind: 'prices' };

/** Candles that start at `fromMs` or later, oldest first, including the one in progress. */
export type CandlesRequest = {
  readonly kind: 'candles';
  readonly pair: string;
  readonly intervalMs: number;
  readonly fromMs: number;
  readonly cursor?: Cursor | undefined;
};

/** A request that changes nothing. */
export type ReadRequest =
  | OrderRequest
  | OrdersRequest
  | OwnTradesRequest
  | MovementsRequest
  | BalancesRequest
  | MarketsRequest
  | FeesRequest
  | LastTradeRequest
  | PricesRequest
  | CandlesRequest;

export type ReadKind = ReadRequest['kind'];

/** Everything that a venue is asked. */
export type VenueRequest = PlaceRequest | CancelRequest | ReadRequest;

export type RequestKind = VenueRequest['kind'];

export type RequestOf<Kind extends RequestKind> = Extract<VenueRequest, { readonly kind: Kind }>;
