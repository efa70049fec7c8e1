/** Applies rows of recorded order flow to a book. */
import type { Lots, Ticks } from '../../domain/money.ts';
import { subtractLots } from '../../domain/ticks-and-lots.ts';
import { type RestingBlock, rowKind } from '../flow/flow-block.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';
import type { Book } from './book.ts';

// Constants of this module are compiled into the code; imported constants are looked up each time.
const { create: createKind, delete: deleteKind, trade: tradeKind, resize: resizeKind } = rowKind;

/** Replaces the content of `book` with resting orders, given in queue order. */
export function loadResting(book: Book, resting: RestingBlock): void {
  book.clear();
  const { bids, slots, prices, volumes } = resting;
  // Columns hold plain numbers; the book checks their values.
  for (let index = 0; index < slots.length; index++)
    book.createAt(
      slots[index] as number,
      index < bids ? 'BID' : 'ASK',
      prices[index] as Ticks,
      volumes[index] as Lots,
    );
}

/**
 * Applies the cursor's current row. Returns false for a row that does not fit: it creates a known
 * order, changes an unknown one, or has more volume than the order. Such a row changes nothing,
 * except that a trade takes all of the maker's remaining volume. Throws {@link BookError} for a
 * slot that a valid recording cannot contain.
 */
export function applyFlow(book: Book, row: FlowCursor): boolean {
  const { kind, slot } = row;
  if (kind > resizeKind) return true;
  if (slot === 0) return false;
  if (kind === createKind) {
    book.createAt(slot, row.isAsk ? 'ASK' : 'BID', row.price, row.volume);
    return true;
  }
  if (kind === deleteKind) {
    book.remove(slot);
    return true;
  }
  const resting = book.volumeOf(slot);
  const { volume } = row;
  if (kind === tradeKind) {
    if (volume <= resting) book.reduce(slot, volume);
    else book.remove(slot);
  } else if (volume < resting) book.reduce(slot, subtractLots(resting, volume));
  return volume <= resting;
}

/** Returns the price of the trade at the cursor, before the book applies it. */
export function priceOfTrade(book: Book, row: FlowCursor): Ticks {
  return row.isPriced || !book.has(row.slot) ? row.price : book.priceOf(row.slot);
}

/** Returns the orders of a book that is filled by slot, for {@link loadResting}. */
export function restingOf(book: Book, status: number): RestingBlock {
  return book.copy().resting(status);
}
