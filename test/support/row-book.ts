/**
 * Applies recorded order flow to a book by id: what the blocks of the encoder must amount to. It
 * shares no code with the encoder.
 */
import { minLots, subtractLots } from '../../src/domain/ticks-and-lots.ts';
import type { IdentifiedBook } from '../../src/market/book/identified-book.ts';
import type { OrderFlowRow } from '../../src/market/flow/order-flow-row.ts';

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
