/** Whether an arriving order trades immediately with resting orders on the other side. */
import { opposite, type Side } from '../domain/market.ts';
import type { Ticks } from '../domain/money.ts';
import type { BookView } from '../market/book/book-view.ts';

/** The terms of an order that decide whether it crosses. */
export type ArrivingOrder = { readonly side: Side; readonly price: Ticks };

/** Returns whether the order trades with an order on the other side that rests at `price`. */
export function meets(order: ArrivingOrder, price: Ticks): boolean {
  return order.side === 'BID' ? price <= order.price : price >= order.price;
}

/** Returns whether the order would trade immediately with the orders of `book`. */
export function meetsBook(order: ArrivingOrder, book: BookView): boolean {
  const best = book.bestPrice(opposite(order.side));
  return best !== undefined && meets(order, best);
}
