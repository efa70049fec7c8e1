/** The historical orders that an arriving order can trade with. */
import { opposite } from '../../domain/market.ts';
import { type ArrivingOrder, meets } from '../../exchange-accounts/order-crossing.ts';
import type { Book } from '../../market/book/book.ts';
import type { QueuePlaces } from './queue-places.ts';

/**
 * Yields the slots of historical orders that the order crosses, by price, then time, at prices
 * better than those of `own`, our resting orders on that side.
 */
export function* reachableOrders(
  book: Book,
  own: QueuePlaces,
  order: ArrivingOrder,
): Generator<number, void> {
  const side = opposite(order.side);
  const ownPrice = own.best?.price;
  let price = book.bestPrice(side);
  while (price !== undefined && meets(order, price)) {
    if (ownPrice !== undefined && !own.isBetter(price, ownPrice)) return;
    yield* book.ordersAt(side, price);
    price = book.priceAfter(side, price);
  }
}
