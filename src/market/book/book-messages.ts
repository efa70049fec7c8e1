/**
 * Applies the messages of the market stream to a book.
 *
 * Everything in a message is checked before or while it is applied. The first fault throws
 * {@link BookError}; the book may then hold half of the message and must not be used.
 */
import type { BookOrder, BookSnapshot, BookTrade, BookUpdate } from '../../domain/book-message.ts';
import {
  formatLots,
  formatTicks,
  opposite,
  parseLots,
  parseTicks,
  type Scales,
  type Side,
} from '../../domain/market.ts';
import { isPlainDecimal, type Lots, type Ticks } from '../../domain/money.ts';
import { BookError } from './book-error.ts';
import type { IdentifiedBook } from './identified-book.ts';
import type { MarketTrade } from './market-trade.ts';

/** Replaces the content of `target` with a snapshot. */
export function loadSnapshot(target: IdentifiedBook, snapshot: BookSnapshot, scales: Scales): void {
  target.clear();
  for (const order of snapshot.bids) addOrder(target, order, 'BID', scales);
  for (const order of snapshot.asks) addOrder(target, order, 'ASK', scales);
  checkUncrossed(target);
}

/** Returns the orders of a side for a snapshot, from the best price and in queue order. */
export function snapshotOrders(
  orders: IdentifiedBook,
  side: Side,
  scales: Scales,
): readonly BookOrder[] {
  const { book } = orders;
  return book.levels(side).flatMap(({ price }) =>
    [...book.ordersAt(side, price)].map((slot) => ({
      id: orders.idOf(slot),
      price: formatTicks(price, scales),
      volume: formatLots(book.volumeOf(slot), scales),
    })),
  );
}

/** Applies one update: trades, then create, then delete. Returns the trades. */
export function applyUpdate(
  target: IdentifiedBook,
  update: BookUpdate,
  scales: Scales,
): readonly MarketTrade[] {
  const { create, trades: messages, timestamp } = update;
  const trades = messages.map((message) => applyTrade(target, message, timestamp, scales));
  if (create) addOrder(target, { ...create, id: create.orderId }, create.side, scales);
  if (update.delete !== undefined) removeOrder(target, update.delete.orderId);
  checkUncrossed(target);
  return trades;
}

function addOrder(target: IdentifiedBook, order: BookOrder, side: Side, scales: Scales): void {
  target.create(order.id, side, priceOf(order, scales), volumeOf(order.volume, scales));
}

/** Removes the order. One that is not in the book is ignored: it changes nothing. */
function removeOrder(target: IdentifiedBook, orderId: string): void {
  const slot = target.slotOf(orderId);
  if (slot !== 0) target.remove(slot);
}

function applyTrade(
  target: IdentifiedBook,
  trade: BookTrade,
  timeMs: number,
  scales: Scales,
): MarketTrade {
  if (!isPlainDecimal(trade.counter))
    throw new BookError(
      'AMOUNT_INVALID',
      `counter of trade ${trade.sequence} must be a plain decimal, was "${trade.counter}"`,
    );
  const volume = volumeOf(trade.base, scales);
  const slot = target.slotOf(trade.makerOrderId);
  if (slot === 0)
    throw new BookError(
      'UNKNOWN_ORDER',
      `trade ${trade.sequence} names maker ${trade.makerOrderId}, which is not in the book`,
    );
  const price = target.book.priceOf(slot);
  const makerSide = target.book.sideOf(slot);
  target.reduce(slot, volume);
  return {
    side: opposite(makerSide),
    price,
    volume,
    sequence: trade.sequence,
    timeMs,
    makerOrderId: trade.makerOrderId,
    takerOrderId: trade.takerOrderId,
  };
}

function priceOf(order: BookOrder, scales: Scales): Ticks {
  const price = parseTicks(order.price, scales);
  if (price === undefined || price <= 0)
    throw new BookError(
      'PRICE_INVALID',
      `price of order ${order.id} must be positive with at most ${scales.priceScale} decimals, was "${order.price}"`,
    );
  return price;
}

function volumeOf(text: string, scales: Scales): Lots {
  const volume = parseLots(text, scales);
  if (volume === undefined || volume <= 0)
    throw new BookError(
      'VOLUME_INVALID',
      `volume must be positive with at most ${scales.volumeScale} decimals, was "${text}"`,
    );
  return volume;
}

function checkUncrossed(target: IdentifiedBook): void {
  const { book } = target;
  if (book.isCrossed())
    throw new BookError(
      'BOOK_CROSSED',
      `best bid must be below best ask, were ${book.bestPrice('BID')} and ${book.bestPrice('ASK')} ticks`,
    );
}
