/** Whether an order that arrives trades at once with what rests on the other side. */
import { opposite, type Side } from '../domain/market.ts';
import type { Ticks } from '../domain/money.ts';
import type { Book } from '../market/book/book.ts';

/** The terms of an order that say what it trades with. */
export type ArrivingOrder = { readonly side: Side; readonly price: Ticks };

/** Returns whether the order trades with one of the other side that rests at `price`. */
export function meets(order: ArrivingOrder, price: Ticks): boolean {
  return order.side === 'BID' ? price <= order.price : price >= order.price;
}

/** Returns whether the order would trade with the orders of `book` at once. */
export function meetsBook(order: ArrivingOrder, book: Book): boolean {
  const best = book.bestPrice(opposite(order.side));
  return best !== undefined && meets(order, best);
}
