/**
 * Random changes into the fast and the slow book: after each the best levels, their first orders,
 * the touched level and the number of orders must be equal, and now and then everything.
 */
import type { Side } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { BookError } from '../../src/market/book/book-error.ts';
import type { IdentifiedBook } from '../../src/market/book/identified-book.ts';
import { SlowBook } from '../support/slow-book.ts';
import { type BookChange, BookFlow } from './book-flow.ts';

export type RandomRun = {
  readonly events: number;
  readonly seed: number;
  readonly create: (windowBits: number) => IdentifiedBook;
};

/** Few orders make the best prices change all the time, many make long queues and many levels. */
const shapes = [
  { windowBits: 6, ordersAim: 30 },
  { windowBits: 10, ordersAim: 100 },
  { windowBits: 16, ordersAim: 500 },
  { windowBits: 18, ordersAim: 3_000 },
] as const;
type Shape = (typeof shapes)[number];

const sides = ['BID', 'ASK'] as const;
const everythingEvery = 1_000;
const differencesMax = 1_000;

/**
 * Returns the number of events after which the two differed; each shape of book has its share of
 * events.
 */
export function countDifferences(run: RandomRun): number {
  let differences = 0;
  for (const [index, shape] of shapes.entries())
    differences += countForShape(run, shape, run.seed + index);
  return differences;
}

function countForShape(run: RandomRun, shape: Shape, seed: number): number {
  const fast = run.create(shape.windowBits);
  const slow = new SlowBook();
  const flow = new BookFlow({
    seed,
    ordersAim: shape.ordersAim,
    jumpEvery: 3_000,
    absurdShare: 0.002,
  });
  let differences = 0;
  const events = Math.ceil(run.events / shapes.length);
  for (let number = 1; number <= events && differences < differencesMax; number++) {
    const change = flow.next();
    const touched = slow.orders.get(change.id) ?? change;
    applySlow(slow, change);
    const isEqual =
      applyFast(fast, change) &&
      equalTops(fast, slow) &&
      (!('side' in touched) || equalLevel(fast, slow, touched.side, touched.price)) &&
      (number % everythingEvery !== 0 || equalBooks(fast, slow));
    if (!isEqual) differences++;
  }
  return differences;
}

function applySlow(slow: SlowBook, change: BookChange): void {
  if (change.kind === 'create') slow.create(change.id, change.side, change.price, change.volume);
  else if (change.kind === 'remove') slow.remove(change.id);
  else slow.reduce(change.id, change.volume);
}

/** Returns whether the fast book took the change. */
function applyFast(fast: IdentifiedBook, change: BookChange): boolean {
  try {
    if (change.kind === 'create')
      fast.create(change.id, change.side, change.price as Ticks, change.volume as Lots);
    else if (change.kind === 'remove') fast.remove(fast.slotOf(change.id));
    else fast.reduce(fast.slotOf(change.id), change.volume as Lots);
    return true;
  } catch (error) {
    if (error instanceof BookError) return false;
    throw error;
  }
}

function equalTops(fast: IdentifiedBook, slow: SlowBook): boolean {
  const { book } = fast;
  if (book.size !== slow.orders.size) return false;
  for (const side of sides) {
    const best = slow.best(side);
    if (book.bestPrice(side) !== best) return false;
    const level = best === undefined ? undefined : slow.level(side, best);
    if (book.bestVolume(side) !== (level?.volume ?? 0)) return false;
    if (fast.idOf(book.bestOrder(side)) !== (level?.queue[0]?.[0] ?? '')) return false;
  }
  const bid = slow.best('BID');
  const ask = slow.best('ASK');
  return book.isCrossed() === (bid !== undefined && ask !== undefined && bid >= ask);
}

function equalLevel(fast: IdentifiedBook, slow: SlowBook, side: Side, price: number): boolean {
  const { book } = fast;
  const level = slow.level(side, price);
  if (book.volumeAt(side, price as Ticks) !== level.volume) return false;
  let position = 0;
  for (const slot of book.ordersAt(side, price as Ticks)) {
    const expected = level.queue[position++];
    if (expected?.[0] !== fast.idOf(slot) || expected[1] !== book.volumeOf(slot)) return false;
  }
  return position === level.queue.length;
}

function equalBooks(fast: IdentifiedBook, slow: SlowBook): boolean {
  return sides.every((side) => {
    const levels = fast.book.levels(side);
    const expected = slow.levels(side);
    return (
      levels.length === expected.length &&
      levels.every(
        ({ price }, index) =>
          price === expected[index]?.price && equalLevel(fast, slow, side, price),
      )
    );
  });
}
