/** What an order meets when it arrives: history's orders, up to the first resting one of ours. */
import { opposite } from '../../domain/market.ts';
import { type ArrivingOrder, meets } from '../../exchange-accounts/order-crossing.ts';
import type { Book } from '../../market/book/book.ts';

/**
 * Yields the slots of history's orders that the order meets, in priority, up to the price of our
 * own resting ones, which hold places in the book.
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
