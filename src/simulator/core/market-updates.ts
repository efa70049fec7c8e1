/**
 * The messages of the market stream: numbers them and hands them on.
 *
 * Invariant: message n applies to the book after message n-1; what happens in one event of the
 * exchange is one message.
 */
import type * as z from 'zod';
import { formatLots, formatTicks, type MarketStatus, type Side } from '../../domain/market.ts';
import { marketSnapshot, marketUpdate } from '../../exchange-api/market-messages.ts';
import { stringifyWireJson } from '../../exchange-api/wire-json.ts';
import type { IdentifiedBook } from '../../market/book/identified-book.ts';
import type { MarketState } from './exchange-state.ts';

export type MarketUpdate = z.output<typeof marketUpdate>;
export type MarketChange = Partial<Omit<MarketUpdate, 'sequence' | 'timestamp'>>;

/** How the stream and the ticker write a status. */
export function streamStatusOf(status: MarketStatus): 'ACTIVE' | 'POSTONLY' | 'DISABLED' {
  if (status === 'ACTIVE') return 'ACTIVE';
  return status === 'POST_ONLY' || status === 'SUSPENDED' ? 'POSTONLY' : 'DISABLED';
}

/** Takes the next sequence number for a change and returns the message. */
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

/** Returns the frame of a message. The schema is asked where it changes something: at trades. */
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
  const side = (one: Side) =>
    restingOrders(book, one).map((slot) => ({
      id: book.idOf(slot),
      price: formatTicks(book.book.priceOf(slot), market.market),
      volume: formatLots(book.book.volumeOf(slot), market.market),
    }));
  return stringifyWireJson(
    marketSnapshot.encode({
      sequence: market.sequence.toString(),
      asks: side('ASK'),
      bids: side('BID'),
      status: streamStatusOf(market.market.status),
      timestamp: timeMs,
    }),
  );
}

/** Returns the slots of a side, best price first, each price in queue order. */
export function restingOrders({ book }: IdentifiedBook, side: Side): number[] {
  return book.levels(side).flatMap((level) => [...book.ordersAt(side, level.price)]);
}
