/**
 * Refusals of the book, and cases that the property tests against the slow book do not reach.
 */
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { Book } from '../../../src/market/book/book.ts';
import { BookError } from '../../../src/market/book/book-error.ts';
import { IdentifiedBook } from '../../../src/market/book/identified-book.ts';
import type { RestingBlock } from '../../../src/market/flow/flow-block.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const create = (book: Book, side: Side, price: number, volume: number) =>
  book.create(side, price as Ticks, volume as Lots);

function faultOf(change: () => unknown): string {
  try {
    change();
  } catch (error) {
    if (error instanceof BookError) return error.fault;
    throw error;
  }
  return 'none';
}

describe('a change that does not fit is refused and changes nothing', () => {
  const cases: readonly (readonly [string, string, (book: Book, slot: number) => unknown])[] = [
    ['a volume of 0', 'VOLUME_INVALID', (book) => create(book, 'BID', 5, 0)],
    ['a negative volume', 'VOLUME_INVALID', (book) => create(book, 'BID', 5, -1)],
    ['half a lot', 'VOLUME_INVALID', (book) => create(book, 'BID', 5, 0.5)],
    ['a volume that is no number', 'VOLUME_INVALID', (book) => create(book, 'BID', 5, Number.NaN)],
    ['half a tick', 'PRICE_INVALID', (book) => create(book, 'BID', 0.5, 1)],
    ['an infinite price', 'PRICE_INVALID', (book) => create(book, 'ASK', Infinity, 1)],
    ['a price beyond 2^52', 'PRICE_INVALID', (book) => create(book, 'ASK', 2 ** 53, 1)],
    [
      'a level of 2^53 lots',
      'VOLUME_OVERFLOW',
      (book) => create(book, 'BID', 100, Number.MAX_SAFE_INTEGER),
    ],
    [
      'a trade of more than the order',
      'VOLUME_EXCEEDS_ORDER',
      (book, slot) => book.reduce(slot, 11 as Lots),
    ],
    ['a trade of nothing', 'VOLUME_INVALID', (book, slot) => book.reduce(slot, 0 as Lots)],
    ['an unused slot', 'UNKNOWN_ORDER', (book, slot) => book.remove(slot + 1)],
    ['slot 0', 'UNKNOWN_ORDER', (book) => book.remove(0)],
    ['a slot beyond the pool', 'UNKNOWN_ORDER', (book) => book.remove(1_000_000)],
    ['a negative slot', 'UNKNOWN_ORDER', (book) => book.reduce(-1, 1 as Lots)],
  ];
  for (const [name, fault, change] of cases)
    test(name, () => {
      const book = new Book();
      const slot = create(book, 'BID', 100, 10);
      expect(faultOf(() => change(book, slot))).toBe(fault);
      expect(book.levels('BID')).toEqual([{ price: 100, volume: 10 }]);
      expect(book.levels('ASK')).toEqual([]);
      expect(book.size).toBe(1);
      // No half-applied change remains: the level can still be emptied.
      book.remove(slot);
      expect(book.bestPrice('BID')).toBeUndefined();
    });
});

test('removing an order twice is refused, also when its slot holds another order', () => {
  const book = new Book();
  const first = create(book, 'BID', 100, 10);
  const arrival = book.arrivalOf(first);
  book.remove(first);
  expect(faultOf(() => book.remove(first))).toBe('UNKNOWN_ORDER');
  const second = create(book, 'ASK', 101, 5);
  expect(second).toBe(first);
  expect(book.arrivalOf(second)).toBeGreaterThan(arrival);
});

test('prices beyond 32 bits are exact, on both sides of zero', () => {
  const book = new Book();
  create(book, 'ASK', 10_000_000_001, 1);
  create(book, 'ASK', 10_000_000_000, 2);
  create(book, 'BID', -10_000_000_000, 3);
  create(book, 'BID', 0, 4);
  expect(book.levels('ASK').map(({ price }) => price)).toEqual([10_000_000_000, 10_000_000_001]);
  expect(book.levels('BID').map(({ price }) => price)).toEqual([0, -10_000_000_000]);
  expect(Object.is(book.bestPrice('BID'), 0)).toBe(true);
  expect(book.priceAfter('BID', 0 as Ticks)).toBe(-10_000_000_000);
  expect(book.priceAfter('BID', -10_000_000_000 as Ticks)).toBeUndefined();
});

test('the first order of a level keeps its place in a partial trade; the next one follows it', () => {
  const book = new Book();
  const first = create(book, 'ASK', 101, 10);
  const second = create(book, 'ASK', 101, 20);
  expect(book.reduce(first, 4 as Lots)).toBe(6);
  expect([...book.ordersAt('ASK', 101 as Ticks)]).toEqual([first, second]);
  expect(book.bestVolume('ASK')).toBe(26);
  expect(book.reduce(first, 6 as Lots)).toBe(0);
  expect(book.bestOrder('ASK')).toBe(second);
  expect(book.orderBehind(second)).toBe(0);
});

test('a locked book counts as crossed, a one-sided one does not', () => {
  const book = new Book();
  create(book, 'BID', 100, 1);
  expect(book.isCrossed()).toBe(false);
  create(book, 'ASK', 101, 1);
  expect(book.isCrossed()).toBe(false);
  create(book, 'ASK', 100, 1);
  expect(book.isCrossed()).toBe(true);
});

test('the volume ahead of an arrival is that of earlier orders at its price and side', () => {
  const book = new Book();
  const first = create(book, 'BID', 100, 5);
  const second = create(book, 'BID', 100, 7);
  const arrival = book.nextArrival;
  const others = [create(book, 'BID', 100, 2), create(book, 'BID', 99, 3)];
  others.push(create(book, 'ASK', 100, 4));
  const ahead = () => book.volumeAhead('BID', 100 as Ticks, arrival);
  expect(ahead()).toBe(12);
  for (const slot of others) book.remove(slot);
  expect(ahead()).toBe(12);
  book.reduce(second, 3 as Lots);
  expect(ahead()).toBe(9);
  book.remove(first);
  expect(ahead()).toBe(4);
  book.remove(second);
  expect(ahead()).toBe(0);
  create(book, 'BID', 100, 6);
  expect(ahead()).toBe(0);
  expect(book.volumeAhead('BID', 100 as Ticks, book.nextArrival)).toBe(6);
});

test('queues stay intact while the memory for levels and orders grows', () => {
  const book = new Book({ ordersExpected: 2 });
  const queues = new Map<number, number[]>();
  for (let index = 0; index < 6_000; index++) {
    const price = 1 + ((index * 7) % 1_500);
    const slot = create(book, 'BID', price, 1 + (index % 9));
    queues.set(price, [...(queues.get(price) ?? []), slot]);
    if (index % 5 !== 4) continue;
    // Removes the middle order of another queue, so that slots and levels are reused.
    const [at, slots] = [...queues][(index * 13) % queues.size] as [number, number[]];
    const gone = slots.splice(slots.length >> 1, 1);
    for (const left of gone) book.remove(left);
    if (slots.length === 0) queues.delete(at);
  }
  expect(queues.size).toBeGreaterThan(1_000);
  for (const [price, slots] of queues)
    expect([...book.ordersAt('BID', price as Ticks)]).toEqual(slots);
  expect(book.levels('BID').map(({ price }) => price)).toEqual(
    [...queues.keys()].sort((a, b) => b - a),
  );
});

test("a caller's slot is refused unless it is free and a positive integer below 2^26", () => {
  const book = new Book();
  const createAt = (slot: number) =>
    faultOf(() => book.createAt(slot, 'BID', 100 as Ticks, 1 as Lots));
  for (const slot of [0, -1, 1.5, Number.NaN, 2 ** 26, 2 ** 40])
    expect(createAt(slot), String(slot)).toBe('UNKNOWN_ORDER');
  expect(createAt(3_000)).toBe('none');
  expect(createAt(3_000)).toBe('DUPLICATE_ORDER');
  expect(book.size).toBe(1);
  expect(book.volumeAt('BID', 100 as Ticks)).toBe(1);
});

/** The orders of a book by its levels and queues, for a comparison with what a copy has. */
function restingInQueues(book: Book, status: number): RestingBlock {
  const slotsOf = (side: Side): number[] =>
    book.levels(side).flatMap(({ price }) => [...book.ordersAt(side, price)]);
  const bids = slotsOf('BID');
  const slots = [...bids, ...slotsOf('ASK')];
  return {
    bids: bids.length,
    status,
    slots: Uint32Array.from(slots),
    prices: Float64Array.from(slots, (slot) => book.priceOf(slot)),
    volumes: Float64Array.from(slots, (slot) => book.volumeOf(slot)),
  };
}

test('a copy has the orders of its moment, in the order of the book', () => {
  const random = new SeededRandom(7);
  const book = new Book({ ordersExpected: 2 });
  const live: number[] = [];
  let copy = book.copy();
  for (let index = 0; index < 3_000; index++) {
    if (live.length > 20 && random.fraction() < 0.48) {
      const [slot] = live.splice(random.integer(0, live.length - 1), 1) as [number];
      if (random.fraction() < 0.5) book.remove(slot);
      else if (book.reduce(slot, 1 as Lots) > 0) live.push(slot);
    } else {
      const side = random.pick(['BID', 'ASK'] as const);
      live.push(create(book, side, random.integer(-400, 400), random.integer(1, 3)));
    }
    if (index % 250 !== 0) continue;
    copy = book.copy(copy);
    const expected = restingInQueues(book, 3);
    create(book, 'BID', 1_000, 1);
    book.remove(book.bestOrder('BID'));
    expect(copy.resting(3)).toEqual(expected);
  }
  book.clear();
  expect(book.copy(copy).resting(0)).toEqual(restingInQueues(book, 0));
});

test('clear empties the book, but arrival numbers continue', () => {
  const book = new Book();
  create(book, 'BID', 100, 1);
  create(book, 'ASK', 9_000_000, 1);
  const before = book.arrivalOf(create(book, 'BID', 100, 1));
  book.clear();
  expect(book.size).toBe(0);
  expect(book.levels('BID')).toEqual([]);
  expect(book.levels('ASK')).toEqual([]);
  expect(book.arrivalOf(create(book, 'BID', 100, 1))).toBe(before + 1);
});

test('a cleared book returns the same slots as a new book, each once', () => {
  const book = new Book();
  const slotsOfFour = () => [1, 2, 3, 4].map((price) => create(book, 'BID', price, 1));
  const first = slotsOfFour();
  book.remove(3);
  book.clear();
  expect(slotsOfFour()).toEqual(first);
  expect(new Set(first).size).toBe(4);
  expect(first.map((slot) => book.priceOf(slot))).toEqual([1, 2, 3, 4]);
});

test('an id is refused while its order rests and allowed again afterwards', () => {
  const orders = new IdentifiedBook();
  const slot = orders.create('BX1', 'BID', 100 as Ticks, 5 as Lots);
  expect(orders.idOf(slot)).toBe('BX1');
  expect(faultOf(() => orders.create('BX1', 'ASK', 101 as Ticks, 5 as Lots))).toBe(
    'DUPLICATE_ORDER',
  );
  orders.reduce(slot, 5 as Lots);
  expect(orders.slotOf('BX1')).toBe(0);
  expect(orders.create('BX1', 'ASK', 101 as Ticks, 5 as Lots)).toBeGreaterThan(0);
});
