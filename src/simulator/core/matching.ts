/**
 * Price-time matching: what an order meets in the book, in which order, at whose price.
 *
 * A trade happens at the price of the order that was in the book first. Orders of one user trade
 * with each other like any others: this exchange does not prevent self-trades.
 */
import { type Amount, amountOfOrder, amountOfVolume } from '../../domain/amount.ts';
import type { TimeInForce } from '../../domain/bot-settings.ts';
import { type Market, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { Book } from '../../market/book/book.ts';

/** When a stop order enters the book: as soon as a trade reaches the price from the other side. */
export type StopCondition = { readonly direction: 'ABOVE' | 'BELOW'; readonly price: Ticks };

/** An order that passed every check and is not at the exchange yet. */
export type NewOrder = {
  readonly userId: string;
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  /** A market order has the worst price that it will trade at, and what it will trade. */
  readonly isMarketOrder?: boolean;
  /** Set aside for a market order that buys: counter currency, not less than it will pay. */
  readonly spend?: Amount | undefined;
  readonly stop?: StopCondition | undefined;
  /** Only stop orders need it: others are checked before they become an order. */
  readonly isPostOnly?: boolean;
  /** 0 or left out: not leveraged. Nothing is lent here: the order needs its own funds. */
  readonly leverage?: number;
};

type Taker = Pick<NewOrder, 'side' | 'price' | 'volume'>;

/** Returns whether a taker at `price` accepts `makerPrice`. */
export function crosses(side: Side, price: Ticks, makerPrice: Ticks): boolean {
  return side === 'BID' ? makerPrice <= price : makerPrice >= price;
}

/** Returns whether the order would trade at once. */
export function wouldTrade(order: Taker, book: Book): boolean {
  const best = book.bestPrice(opposite(order.side));
  return best !== undefined && crosses(order.side, order.price, best);
}

/** Returns how much of the order could trade at once. */
export function volumeAvailable(order: Taker, book: Book): Lots {
  const side = opposite(order.side);
  let volume = 0;
  let price = book.bestPrice(side);
  while (price !== undefined && crosses(order.side, order.price, price) && volume < order.volume) {
    volume += book.volumeAt(side, price);
    price = book.priceAfter(side, price);
  }
  return Math.min(volume, order.volume) as Lots;
}

/** Returns the slot that the order trades with next, or 0 if none is acceptable. */
export function nextMaker(order: Taker, book: Book): number {
  return wouldTrade(order, book) ? book.bestOrder(opposite(order.side)) : 0;
}

/**
 * Returns what is set aside for `volume` of an order: counter currency of a bid, base of an ask.
 */
export function reservationOf(
  order: Pick<NewOrder, 'side' | 'price' | 'volume' | 'spend'>,
  market: Market,
): Amount {
  if (order.spend !== undefined) return order.spend;
  return order.side === 'BID'
    ? amountOfOrder(order.price, order.volume, market)
    : amountOfVolume(order.volume, market);
}
