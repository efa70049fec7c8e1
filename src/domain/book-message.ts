/**
 * Messages of an order-by-order book, decoded but not yet checked: prices and volumes are still
 * text, and may not fit the book.
 *
 * Invariant: `sequence` is a decimal integer as text, because it may exceed 2^53.
 */
import type { MarketStatus, Side } from './market.ts';

export type BookOrder = { readonly id: string; readonly price: string; readonly volume: string };

/** The whole book. Asks ascend, bids descend, orders at the same price are in queue order. */
export type BookSnapshot = {
  readonly sequence: string;
  readonly asks: readonly BookOrder[];
  readonly bids: readonly BookOrder[];
  readonly status: MarketStatus;
  /** Milliseconds since the epoch, the exchange's clock. */
  readonly timestamp: number;
};

export type BookTrade = {
  /** The trade's id, from one sequence per market; empty if the exchange did not report it. */
  readonly sequence: string;
  readonly base: string;
  readonly counter: string;
  readonly makerOrderId: string;
  readonly takerOrderId: string;
};

/** One atomic change of the book: trades, then create, then delete, then status. */
export type BookUpdate = {
  readonly sequence: string;
  readonly trades: readonly BookTrade[];
  readonly create?:
    | {
        readonly orderId: string;
        readonly side: Side;
        readonly price: string;
        readonly volume: string;
      }
    | undefined;
  readonly delete?: { readonly orderId: string } | undefined;
  readonly status?: MarketStatus | undefined;
  readonly timestamp: number;
};

export type BookMessage =
  | { readonly kind: 'snapshot'; readonly snapshot: BookSnapshot }
  | { readonly kind: 'update'; readonly update: BookUpdate };

/**
 * Returns whether `text` can be an order id. Recordings separate ids by line feeds and tabs, so an
 * id must not contain control characters. The empty text means that no id was reported.
 */
export function isOrderId(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}
