/** The historical orders that an arriving order can trade with. */
import { opposite } from '../../domain/market.ts';
import { type ArrivingOrder, meets } from '../../exchange-accounts/order-crossing.ts';
import type { Book } from '../../market/book/book.ts';

/**
 * Yields the slots of historical orders that the order crosses, by price, then time, at prices
 * better than those of our own resting orders.
 */
export function* reachableOrders(book: Book, order: ArrivingOrder): Generator<number, void> {
  const side = opposite(order.side);
  const own = book.placesOf(side);
  const ownPrice = own.best?.price;
  let price = book.bestPrice(side);
  while (price !== undefined && meets(order, price)) {
    if (ownPrice !== undefined && !own.isBetter(price, ownPrice)) return;
    yield* book.ordersAt(side, price);
    price = book.priceAfter(side, price);
  }
}
