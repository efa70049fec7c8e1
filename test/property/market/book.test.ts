/**
 * The fast book equals the slow book after every change, with windows so small that levels often
 * cross their edges: price jumps, far prices, deletes, partial trades, reused slots and ids.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { Book } from '../../../src/market/book/book.ts';
import { IdentifiedBook } from '../../../src/market/book/identified-book.ts';
import { SlowBook } from '../../support/slow-book.ts';

type Change =
  | {
      readonly kind: 'create';
      readonly side: Side;
      readonly price: number;
      readonly volume: number;
    }
  | { readonly kind: 'remove'; readonly pick: number }
  | { readonly kind: 'reduce'; readonly pick: number; readonly part: number }
  | { readonly kind: 'clear' };

const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 90, max: 110 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 52), max: 2 ** 52 }) },
  { weight: 1, arbitrary: fc.constantFrom(10_000_000_000, 10_000_000_001, -1, 0, 2 ** 31) },
);
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      side: fc.constantFrom<Side>('BID', 'ASK'),
      price,
      volume: fc.integer({ min: 1, max: 1_000_000_000_000 }),
    }),
  },
  {
    weight: 24,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(10_000) }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('reduce' as const),
      pick: fc.nat(10_000),
      part: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'clear' as const }) },
);

function applyToBoth(fast: IdentifiedBook, slow: SlowBook, next: Change, number: number): void {
  const live = [...slow.orders.values()];
  if (next.kind === 'clear') {
    fast.clear();
    slow.clear();
  } else if (next.kind === 'create') {
    // Ids are reused once their order is gone.
    const id = `order-${number % 40}`;
    if (slow.orders.has(id)) return;
    fast.create(id, next.side, next.price as Ticks, next.volume as Lots);
    slow.create(id, next.side, next.price, next.volume);
  } else if (live.length > 0) {
    const order = live[next.pick % live.length];
    if (order === undefined) return;
    const slot = fast.slotOf(order.id);
    if (next.kind === 'remove') {
      fast.remove(slot);
      slow.remove(order.id);
    } else {
      const volume = Math.ceil(order.volume / next.part);
      fast.reduce(slot, volume as Lots);
      slow.reduce(order.id, volume);
    }
  }
}

function picture(fast: IdentifiedBook, side: Side): unknown {
  const { book } = fast;
  return book.levels(side).map(({ price, volume }) => {
    const slots = [...book.ordersAt(side, price)];
    expect(book.volumeAt(side, price)).toBe(volume);
    for (const slot of slots) {
      expect(book.sideOf(slot)).toBe(side);
      expect(book.priceOf(slot)).toBe(price);
    }
    const arrivals = slots.map((slot) => book.arrivalOf(slot));
    expect(arrivals).toEqual([...arrivals].sort((a, b) => a - b));
    return { price, volume, queue: slots.map((slot) => [fast.idOf(slot), book.volumeOf(slot)]) };
  });
}

for (const windowBits of [3, 6, 16])
  test(`the book with a window of 2^${windowBits} ticks equals the slow book after every change`, () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
        const fast = new IdentifiedBook(new Book({ windowBits, ordersExpected: 2 }));
        const slow = new SlowBook();
        changes.forEach((next, number) => {
          applyToBoth(fast, slow, next, number);
          const { book } = fast;
          expect(book.size).toBe(slow.orders.size);
          for (const side of ['BID', 'ASK'] as const) {
            expect(picture(fast, side)).toEqual(slow.levels(side));
            expect(book.bestPrice(side)).toBe(slow.best(side));
            const top = slow.levels(side)[0];
            expect(book.bestVolume(side)).toBe(top?.volume ?? 0);
            expect(fast.idOf(book.bestOrder(side))).toBe(top?.queue[0]?.[0] ?? '');
          }
          const [bid, ask] = [slow.best('BID'), slow.best('ASK')];
          expect(book.isCrossed()).toBe(bid !== undefined && ask !== undefined && bid >= ask);
        });
      }),
      { numRuns: windowBits === 16 ? 60 : 150 },
    );
  });
