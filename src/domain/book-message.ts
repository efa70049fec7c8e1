/**
 * The messages of an order-by-order book, decoded from the wire but not yet trusted: prices and
 * volumes are still text, and nothing says that they fit the book.
 *
 * Invariant: `sequence` is a decimal integer as text, since it may exceed 2^53.
 */
import type { Side } from './market.ts';

export type BookOrder = { readonly id: string; readonly price: string; readonly volume: string };

/** The whole book. Asks ascend, bids descend, orders of one price stand in their queue order. */
export type BookSnapshot = {
  readonly sequence: string;
  readonly asks: readonly BookOrder[];
  readonly bids: readonly BookOrder[];
  readonly status: string;
  /** Milliseconds since the epoch, the exchange's clock. */
  readonly timestamp: number;
};

export type BookTrade = {
  /** The trade's own id, one number sequence for the whole market; empty if it was not told. */
  readonly sequence: string;
  readonly base: string;
  readonly counter: string;
  readonly makerOrderId: string;
  readonly takerOrderId: string;
};

/** One change of the book, applied as a whole: trades, then create, then delete, then status. */
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
  readonly status?: string | undefined;
  readonly timestamp: number;
};

/**
 * Whether `text` can stand for an order: recordings keep ids apart by line feeds and tabs, so no
 * id may have a control character. Nothing at all stands for an order that was not told.
 */
export function isOrderId(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}
