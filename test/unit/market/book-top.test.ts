/** The top of a book as a value, and the counter that saves a reader from reading it again. */
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { Book } from '../../../src/market/book/book.ts';
import { BookTop } from '../../../src/market/book/book-top.ts';
import { QuotedBook } from '../../../src/market/book/quoted-book.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

function topOf(book: Book): readonly unknown[] {
  return [
    ...[book.bestPrice('BID'), book.bestVolume('BID')],
    ...[book.bestPrice('ASK'), book.bestVolume('ASK')],
  ];
}

test('a read reports each change of the top and nothing else, through random changes', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new SeededRandom(seed);
    const book = new Book({ windowBits: 4 });
    const top = new BookTop(book);
    top.read(0);
    const live: number[] = [];
    const seen = new Set<string>();
    let unread = 0;
    for (let change = 0; change < 1_000; change++) {
      const before = topOf(book);
      const changesBefore = book.topChanges;
      const isBid = random.integer(0, 1) === 0;
      const at = random.integer(0, live.length - 1 + (live.length === 0 ? 1 : 0));
      const slot = live[at];
      if (slot === undefined || random.integer(0, 2) > 0) {
        const price = (isBid ? 100 - random.integer(0, 40) : 101 + random.integer(0, 40)) as Ticks;
        live.push(book.create(isBid ? 'BID' : 'ASK', price, random.integer(1, 9) as Lots));
      } else if (random.integer(0, 1) === 0) {
        book.remove(slot);
        live.splice(at, 1);
      } else if (book.reduce(slot, 1 as Lots) === 0) live.splice(at, 1);
      const [bidBefore, , askBefore] = before;
      const isOtherPrice =
        book.bestPrice('BID') !== bidBefore || book.bestPrice('ASK') !== askBefore;
      const isOther = topOf(book).join() !== before.join();
      if (book.topChanges === changesBefore) unread++;
      expect(book.topChanges !== changesBefore, `seed ${seed}, change ${change}`).toBe(isOther);
      const expected = isOtherPrice ? 'price' : isOther ? 'volume' : 'none';
      seen.add(expected);
      expect(top.read(change), `seed ${seed}, change ${change}`).toBe(expected);
      const { bid, bidVolume, ask, askVolume } = top.value;
      expect([bid, bidVolume, ask, askVolume]).toEqual(topOf(book));
    }
    expect(unread).toBeGreaterThan(300);
    expect(seen.size).toBe(3);
  }
});

test('the value is frozen, and is a new object if and only if the top has changed', () => {
  const book = new Book();
  const top = new BookTop(book);
  expect(top.read(5)).toBe('price');
  const empty = top.value;
  expect(empty).toEqual({ bid: undefined, bidVolume: 0, ask: undefined, askVolume: 0, timeMs: 5 });
  expect(Object.isFrozen(empty)).toBe(true);
  book.create('BID', 10 as Ticks, 3 as Lots);
  expect(top.read(6)).toBe('price');
  const one = top.value;
  book.create('BID', 9 as Ticks, 3 as Lots);
  expect(top.read(7)).toBe('none');
  expect(top.value).toBe(one);
  expect(one).toMatchObject({ bid: 10, bidVolume: 3, timeMs: 6 });
});

test('a read that is put off gives the top and the time of the last change', () => {
  const book = new QuotedBook(2 as Ticks);
  const top = new BookTop(book);
  const move = (price: number, timeMs: number): void => {
    book.move(price as Ticks, 3 as Lots);
    top.readLater(timeMs);
  };
  move(100, 1);
  move(100, 2);
  expect(top.mid2).toBe(200);
  expect(top.value).toMatchObject({ bid: 98, ask: 102, bidVolume: 3, timeMs: 1 });
  const before = top.value;
  move(100, 3);
  expect(top.value).toBe(before);
  move(101, 4);
  move(100, 5);
  expect(top.value).toMatchObject({ bid: 98, ask: 102, timeMs: 5 });
  move(105, 6);
  top.catchUp();
  book.move(105 as Ticks, 4 as Lots);
  expect(top.read(7)).toBe('volume');
  expect(top.read(8)).toBe('none');
  expect(top.value.timeMs).toBe(7);
});
