/**
 * The difference between a book and its next snapshot, as changes. An order that is still in the
 * book, in its order of arrival and no larger, keeps its place in the queue. Every other order is
 * deleted, and created again at the back if the snapshot has it.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import type { IdentifiedBook } from '../../market/book/identified-book.ts';
import type { RestingOrder } from './flow-item.ts';

export type BookChange =
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'create'; readonly order: RestingOrder }
  | { readonly kind: 'resize'; readonly id: string; readonly volume: Lots };

/**
 * Returns the changes that turn `orders` into the book of `snapshot`, which has bids, then asks,
 * each from the best price and in queue order. Deletes come first, so that an id may return.
 */
export function changesTo(
  orders: IdentifiedBook,
  snapshot: readonly RestingOrder[],
): readonly BookChange[] {
  const kept = keptOf(orders, snapshot);
  const changes: BookChange[] = [];
  for (const side of ['BID', 'ASK'] as const)
    for (const slot of slotsOf(orders, side))
      if (!kept.has(orders.idOf(slot))) changes.push({ kind: 'delete', id: orders.idOf(slot) });
  for (const order of snapshot) {
    const { id, volume } = order;
    if (!kept.has(id)) changes.push({ kind: 'create', order });
    else if (orders.book.volumeOf(orders.slotOf(id)) !== volume)
      changes.push({ kind: 'resize', id, volume });
  }
  return changes;
}

/** Returns the ids of the orders that keep their place in the queue. */
function keptOf(orders: IdentifiedBook, snapshot: readonly RestingOrder[]): ReadonlySet<string> {
  const { book } = orders;
  const kept = new Set<string>();
  let level = '';
  let lastArrival = 0;
  for (const { id, side, price, volume } of snapshot) {
    const here = `${side} ${price}`;
    if (here !== level) lastArrival = 0;
    level = here;
    const slot = orders.slotOf(id);
    const isSame =
      slot !== 0 &&
      book.sideOf(slot) === side &&
      book.priceOf(slot) === price &&
      book.volumeOf(slot) >= volume &&
      book.arrivalOf(slot) > lastArrival;
    // An order behind a new one at this price has lost its place, too.
    lastArrival = isSame ? book.arrivalOf(slot) : Infinity;
    if (isSame) kept.add(id);
  }
  return kept;
}

function slotsOf({ book }: IdentifiedBook, side: Side): number[] {
  return book.levels(side).flatMap(({ price }) => [...book.ordersAt(side, price)]);
}
