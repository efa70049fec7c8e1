/**
 * Price-time matching: which resting orders an incoming order trades with, in which order, and at
 * which price.
 *
 * A trade executes at the price of the resting order. Self-trades are possible: this exchange does
 * not prevent them.
 */
import { opposite } from '../../../../domain/market.ts';
import type { Lots } from '../../../../domain/money.ts';
import { addLots, minLots, noLots } from '../../../../domain/ticks-and-lots.ts';
import type { OrderTerms } from '../../../../exchange-accounts/account-order.ts';
import { meets, meetsBook } from '../../../../exchange-accounts/order-crossing.ts';
import type { Book } from '../../../../market/book/book.ts';

/** An order that has passed every check but has not been placed. */
export type NewOrder = OrderTerms & {
  readonly userId: string;
  /** Used only for stop orders, which are checked again when triggered. */
  readonly isPostOnly?: boolean;
};

type Taker = Pick<NewOrder, 'side' | 'price' | 'volume'>;

/** Returns how much of the order could trade at once. */
export function volumeAvailable(order: Taker, book: Book): Lots {
  const side = opposite(order.side);
  let volume = noLots;
  let price = book.bestPrice(side);
  while (price !== undefined && meets(order, price) && volume < order.volume) {
    volume = addLots(volume, book.volumeAt(side, price));
    price = book.priceAfter(side, price);
  }
  return minLots(volume, order.volume);
}

/** Returns the slot of the resting order to trade with next, or 0 if no price is acceptable. */
export function nextMaker(order: Taker, book: Book): number {
  return meetsBook(order, book) ? book.bestOrder(opposite(order.side)) : 0;
}
