/** Applies recorded order flow to a book as history had it. */
import type { Lots } from '../../domain/money.ts';
import type { OrderFlowRow } from '../flow/order-flow-row.ts';
import type { IdentifiedBook } from './identified-book.ts';

/**
 * Applies one row. Returns false for a row that does not fit: an unknown or known order, or more
 * volume than there is; such a row changes nothing, except that a trade takes what there is.
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
    target.reduce(slot, Math.min(row.volume, resting) as Lots);
    return row.volume <= resting;
  }
  if (row.volume < resting) target.reduce(slot, (resting - row.volume) as Lots);
  return row.volume <= resting;
}
