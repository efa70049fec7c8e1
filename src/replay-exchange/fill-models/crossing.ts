/** What an order meets when it arrives: history's orders, up to the first resting one of ours. */
import { opposite } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import type { Book } from '../../market/book/book.ts';
import type { OwnOrder } from './own-order.ts';

/** Returns whether an order of the given side and price trades with one that rests at `price`. */
export function meets(order: Pick<OwnOrder, 'side' | 'price'>, price: Ticks): boolean {
  return order.side === 'BID' ? price <= order.price : price >= order.price;
}

/** Returns whether the order would trade with history at once. */
export function meetsBook(order: Pick<OwnOrder, 'side' | 'price'>, book: Book): boolean {
  const best = book.bestPrice(opposite(order.side));
  return best !== undefined && meets(order, best);
}

/**
 * Yields the slots of history's orders that the order meets, in priority, up to the price of our
 * own resting ones, which hold places in the book.
 */
export function* reachableOrders(
  book: Book,
  order: Pick<OwnOrder, 'side' | 'price'>,
): Generator<number, void> {
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
