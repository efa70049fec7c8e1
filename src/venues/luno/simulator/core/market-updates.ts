/**
 * The messages of the market stream: their numbering and encoding.
 *
 * Invariant: message n applies to the book that results from message n-1. An order that enters the
 * book is one message with all its trades.
 */
import type * as z from 'zod';
import {
  acceptsMakers,
  acceptsTakers,
  formatLots,
  formatTicks,
  type MarketStatus,
  type Side,
} from '../../../../domain/market.ts';
import type { IdentifiedBook } from '../../../../market/book/identified-book.ts';
import { marketSnapshot, marketUpdate } from '../../api/market-messages.ts';
import { stringifyWireJson } from '../../api/wire-json.ts';
import type { MarketState } from './exchange-state.ts';

export type MarketUpdate = z.output<typeof marketUpdate>;
export type MarketChange = Partial<Omit<MarketUpdate, 'sequence' | 'timestamp'>>;

/** Returns a market status as the stream and the ticker write it. */
export function streamStatusOf(status: MarketStatus): 'ACTIVE' | 'POSTONLY' | 'DISABLED' {
  if (acceptsTakers(status)) return 'ACTIVE';
  return acceptsMakers(status) ? 'POSTONLY' : 'DISABLED';
}

/** Assigns the next sequence number to a change and returns the message. */
export function nextMarketUpdate(
  market: MarketState,
  change: MarketChange,
  timeMicros: number,
): MarketUpdate {
  market.sequence += 1n;
  market.lastMessageMicros = timeMicros;
  return {
    sequence: market.sequence.toString(),
    trade_updates: change.trade_updates ?? [],
    create_update: change.create_update ?? null,
    delete_update: change.delete_update ?? null,
    status_update: change.status_update ?? null,
    timestamp: Math.floor(timeMicros / 1000),
  };
}

/**
 * Returns the frame of a message. Without trades it is plain JSON, so the slower schema is skipped.
 */
export function encodeMarketUpdate(update: MarketUpdate): string {
  return update.trade_updates.length === 0
    ? JSON.stringify(update)
    : stringifyWireJson(marketUpdate.encode(update));
}

/** Returns the frame with the whole book, order by order. */
export function encodeMarketSnapshot(
  market: MarketState,
  book: IdentifiedBook,
  timeMs: number,
): string {
  const ordersOf = (side: Side) =>
    restingOrders(book, side).map((slot) => ({
      id: book.idOf(slot),
      price: formatTicks(book.book.priceOf(slot), market.market),
      volume: formatLots(book.book.volumeOf(slot), market.market),
    }));
  return stringifyWireJson(
    marketSnapshot.encode({
      sequence: market.sequence.toString(),
      asks: ordersOf('ASK'),
      bids: ordersOf('BID'),
      status: streamStatusOf(market.market.status),
      timestamp: timeMs,
    }),
  );
}

/** Returns the slots of a side, best price first, each price in queue order. */
export function restingOrders({ book }: IdentifiedBook, side: Side): number[] {
  return book.levels(side).flatMap((level) => [...book.ordersAt(side, level.price)]);
}
