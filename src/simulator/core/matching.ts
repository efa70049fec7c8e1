/**
 * Price-time matching: what an order meets in the book, in which order, at whose price.
 *
 * A trade happens at the price of the order that was in the book first. Orders of one user trade
 * with each other like any others: this exchange does not prevent self-trades.
 */
import { opposite } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { addLots, minLots, noLots } from '../../domain/ticks-and-lots.ts';
import type { OrderTerms } from '../../exchange-accounts/account-order.ts';
import { meets, meetsBook } from '../../exchange-accounts/order-crossing.ts';
import type { Book } from '../../market/book/book.ts';

/** An order that passed every check and is not at the exchange yet. */
export type NewOrder = OrderTerms & {
  readonly userId: string;
  /** Only stop orders need it: others are checked before they become an order. */
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

/** Returns the slot that the order trades with next, or 0 if none is acceptable. */
export function nextMaker(order: Taker, book: Book): number {
  return meetsBook(order, book) ? book.bestOrder(opposite(order.side)) : 0;
}
