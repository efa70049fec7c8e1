/** Applies recorded order flow to a book, by id. */
import { minLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import type { FlowSnapshot, OrderFlowRow } from '../flow/order-flow-row.ts';
import type { IdentifiedBook } from './identified-book.ts';

/** Puts resting orders into an empty book. Throws BookError for an order that cannot be added. */
export function loadSnapshot(target: IdentifiedBook, { bids, asks }: FlowSnapshot): void {
  for (const { id, price, volume } of bids) target.create(id, 'BID', price, volume);
  for (const { id, price, volume } of asks) target.create(id, 'ASK', price, volume);
}

/**
 * Applies one row. Returns false for a row that does not fit: it creates a known order, changes an
 * unknown one, or has more volume than the order. Such a row changes nothing, except that a trade
 * takes all of the maker's remaining volume.
 */
export function applyFlowRow(target: IdentifiedBook, row: OrderFlowRow): boolean {
  if (row.kind === 'create') {
    if (target.slotOf(row.id) !== 0) return false;
    target.create(row.id, row.side, row.price, row.volume);
    return true;
  }
  const slot = target.slotOf(row.kind === 'trade' ? row.makerId : row.id);
  if (slot === 0) return false;
  if (row.kind === 'delete') {
    target.remove(slot);
    return true;
  }
  const resting = target.book.volumeOf(slot);
  if (row.kind === 'trade') {
    target.reduce(slot, minLots(row.volume, resting));
    return row.volume <= resting;
  }
  if (target.losesPlace(slot, row)) {
    const { id, price = target.book.priceOf(slot), volume } = row;
    const side = target.book.sideOf(slot);
    target.remove(slot);
    target.create(id, side, price, volume);
  } else if (row.volume < resting) target.reduce(slot, subtractLots(resting, row.volume));
  return true;
}
