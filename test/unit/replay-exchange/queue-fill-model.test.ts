/**
 * Our orders in recorded queues: the queue, what proves a fill, taking, time in force, and what is
 * counted.
 */
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import type { ModelEvent } from '../../../src/replay-exchange/fill-models/fill-event.ts';
import {
  createTape,
  type HeardTape,
  lastAccepted,
  request,
  row,
} from '../../support/tape-market.ts';

/** A book of 99 and 101 with two orders on each side. */
function startedTape(options: Parameters<typeof createTape>[0] = {}): HeardTape {
  const heard = createTape(options);
  heard.tape.apply(row.create('b1', 'BID', 99, 10));
  heard.tape.apply(row.create('b2', 'BID', 99, 20));
  heard.tape.apply(row.create('a1', 'ASK', 101, 10));
  heard.tape.apply(row.create('a2', 'ASK', 101, 20));
  heard.tape.apply(row.create('a3', 'ASK', 102, 50));
  return heard;
}

const fillsOf = (events: readonly ModelEvent[]) =>
  events
    .filter((event) => event.kind === 'filled')
    .map(({ order, price, base, isMaker }) => ({ orderId: order.orderId, price, base, isMaker }));

const kindsOf = (events: readonly ModelEvent[]) =>
  events.map((event) =>
    event.kind === 'completed'
      ? `${event.outcome} ${event.reason}`
      : 'code' in event
        ? `${event.kind} ${event.code}`
        : event.kind,
  );

const first = 'BXT000000000001';
const second = 'BXT000000000002';

describe('the queue', () => {
  test('an order joins behind all that rests at its price and moves up as they leave', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 99, 5), 1);
    const ahead = () => tape.openOrders[0]?.ahead;
    expect(ahead()).toBe(30);
    tape.apply(row.create('b3', 'BID', 99, 40));
    tape.apply(row.delete('b3'));
    expect(ahead()).toBe(30);
    tape.apply(row.resize('b2', 15));
    expect(ahead()).toBe(25);
    tape.apply(row.trade('b1', 'BID', 99, 4));
    expect(ahead()).toBe(21);
    tape.apply(row.delete('b1'));
    expect(ahead()).toBe(15);
    expect(kindsOf(events)).toEqual(['accepted']);
  });

  test('a trade with a maker that came later proves that ours was first', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 99, 5), 1);
    tape.apply(row.create('b3', 'BID', 99, 40));
    tape.apply(row.trade('b1', 'BID', 99, 10));
    tape.apply(row.trade('b2', 'BID', 99, 20));
    expect(fillsOf(events)).toEqual([]);
    tape.apply(row.trade('b3', 'BID', 99, 3));
    tape.apply(row.trade('b3', 'BID', 99, 3));
    expect(fillsOf(events)).toEqual([
      { orderId: first, price: 99, base: 3, isMaker: true },
      { orderId: first, price: 99, base: 2, isMaker: true },
    ]);
    expect(kindsOf(events).at(-1)).toBe('filled FILLED');
    expect(tape.openOrders).toEqual([]);
    // History goes on as recorded.
    expect(tape.book.volumeOf(tape.slotOf('b3'))).toBe(34);
    expect(tape.counts.displacedTrades).toBe(2);
  });

  test('a trade at a worse price went through ours, which fills at its own price', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 100, 5), 1);
    tape.apply(row.trade('b1', 'BID', 99, 8));
    expect(fillsOf(events)).toEqual([{ orderId: first, price: 100, base: 5, isMaker: true }]);
  });

  test('one trade is shared among ours by price, then time, and never given twice', () => {
    const { tape, events } = startedTape();
    tape.place(request('ASK', 101, 5), 1);
    tape.place(request('ASK', 101, 5), 2);
    tape.place(request('ASK', 100, 5), 3);
    tape.apply(row.delete('a1'));
    tape.apply(row.delete('a2'));
    tape.apply(row.create('a4', 'ASK', 101, 30));
    tape.apply(row.trade('a4', 'ASK', 101, 12));
    expect(fillsOf(events)).toEqual([
      { orderId: 'BXT000000000003', price: 100, base: 5, isMaker: true },
      { orderId: first, price: 101, base: 5, isMaker: true },
      { orderId: second, price: 101, base: 2, isMaker: true },
    ]);
  });

  test('an order of history that would rest across ours fills ours, and what it gave is used up', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 100, 5), 1);
    tape.apply(row.create('a4', 'ASK', 100, 8));
    expect(fillsOf(events)).toEqual([{ orderId: first, price: 100, base: 5, isMaker: true }]);
    expect(tape.counts.displacedOrders).toBe(1);
    tape.place(request('BID', 100, 8, { timeInForce: 'IOC' }), 2);
    expect(fillsOf(events).at(-1)).toEqual({
      orderId: second,
      price: 100,
      base: 3,
      isMaker: false,
    });
  });

  test('nothing is ahead at any fill, and the fill says so', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 99, 5), 1);
    tape.apply(row.trade('b1', 'BID', 99, 10));
    tape.apply(row.trade('b2', 'BID', 99, 20));
    tape.apply(row.create('b3', 'BID', 99, 40));
    tape.apply(row.trade('b3', 'BID', 99, 9));
    expect(events).toContainEqual(expect.objectContaining({ kind: 'filled', volumeAhead: 0 }));
    expect(tape.counts.fillsOutOfQueue).toBe(0);
  });

  test('a recording that is not first in, first out is counted', () => {
    const { tape } = startedTape();
    tape.place(request('BID', 99, 5), 1);
    tape.apply(row.create('b3', 'BID', 99, 40));
    tape.apply(row.trade('b3', 'BID', 99, 1));
    expect(tape.counts.fillsOutOfQueue).toBe(1);
  });
});

describe('taking', () => {
  test('a crossing order takes in queue order at the prices of history and rests with what is left', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 101, 40), 1);
    expect(fillsOf(events)).toEqual([
      { orderId: first, price: 101, base: 10, isMaker: false },
      { orderId: first, price: 101, base: 20, isMaker: false },
    ]);
    expect(tape.openOrders).toMatchObject([{ orderId: first, remaining: 10, ahead: 0 }]);
    expect(tape.counts.takenOrders).toBe(2);
  });

  test('what was taken stays taken until the order of history is gone', () => {
    const { tape, events } = startedTape();
    const take = () => tape.place(request('BID', 101, 100, { timeInForce: 'IOC' }), 1);
    tape.place(request('BID', 101, 25, { timeInForce: 'IOC' }), 1);
    take();
    expect(fillsOf(events).map(({ base }) => base)).toEqual([10, 15, 5]);
    take();
    expect(fillsOf(events)).toHaveLength(3);
    // Of the second of them it was taken twice.
    expect(tape.counts.takenOrders).toBe(2);
    // Its slot goes to the next order, whose volume nobody has taken.
    tape.apply(row.delete('a2'));
    tape.apply(row.create('a4', 'ASK', 101, 7));
    take();
    expect(fillsOf(events).at(-1)).toMatchObject({ base: 7 });
    expect(tape.counts.takenOrders).toBe(3);
  });

  test('what was taken comes back after the stated time, counted from the last taking', () => {
    const { tape, events } = startedTape({ consumedMicros: 1_000 });
    const takeAt = (atMicros: number): number => {
      const before = fillsOf(events).length;
      tape.place(request('BID', 101, 12, { timeInForce: 'IOC' }), atMicros);
      return fillsOf(events)
        .slice(before)
        .reduce((sum, { base }) => sum + base, 0);
    };
    // 30 rest at the price: 10 and 20.
    expect([1, 500, 900, 1_001].map(takeAt)).toEqual([12, 12, 6, 10]);
    expect(takeAt(1_899)).toBe(0);
    expect(takeAt(2_100)).toBe(12);
  });

  test('an order of history that trades after we took of it has less left for us', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 102, 40, { timeInForce: 'IOC' }), 1);
    tape.apply(row.trade('a1', 'ASK', 101, 10));
    tape.apply(row.trade('a2', 'ASK', 101, 20));
    tape.apply(row.trade('a3', 'ASK', 102, 45));
    tape.place(request('BID', 102, 40, { timeInForce: 'IOC' }), 2);
    expect(fillsOf(events).map(({ base }) => base)).toEqual([10, 20, 10]);
  });

  test('IOC cancels what it cannot take', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 101, 31, { timeInForce: 'IOC' }), 1);
    expect(kindsOf(events)).toEqual([
      'accepted',
      'filled',
      'filled',
      'cancelled IMMEDIATE_OR_CANCEL',
    ]);
    expect(tape.openOrders).toEqual([]);
  });

  test('FOK takes all or nothing', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 101, 31, { timeInForce: 'FOK' }), 1);
    expect(kindsOf(events)).toEqual(['accepted', 'cancelled FILL_OR_KILL']);
    tape.place(request('BID', 101, 30, { timeInForce: 'FOK' }), 2);
    expect(kindsOf(events).slice(2)).toEqual(['accepted', 'filled', 'filled', 'filled FILLED']);
  });

  test('a post-only order that would trade is cancelled, one that would not rests', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 101, 1, { postOnly: true }), 1);
    tape.place(request('BID', 100, 1, { postOnly: true }), 2);
    expect(kindsOf(events)).toEqual(['rejected ErrOrderCanceled', 'accepted']);
  });

  test('an order never meets another of ours: it is cut short there', () => {
    const { tape, events } = startedTape();
    tape.place(request('ASK', 101, 5), 1);
    tape.apply(row.create('a0', 'ASK', 100, 3));
    tape.place(request('BID', 102, 50), 2);
    expect(fillsOf(events)).toEqual([{ orderId: second, price: 100, base: 3, isMaker: false }]);
    expect(kindsOf(events).at(-1)).toBe('cancelled SELF_TRADE');
    expect(tape.counts.selfTradesPrevented).toBe(1);
    tape.place(request('BID', 102, 50, { postOnly: true }), 3);
    expect(kindsOf(events).at(-1)).toBe('rejected ErrOrderCanceled');
  });
});

describe('requests', () => {
  const cases: readonly (readonly [string, Side, number, number, object])[] = [
    ['ErrPriceTooLow', 'BID', 9, 1, {}],
    ['ErrPriceTooHigh', 'ASK', 1_000_001, 1, {}],
    ['ErrInvalidPrice', 'BID', 99.5, 1, {}],
    ['ErrInvalidVolume', 'BID', 99, 0, {}],
    ['ErrInvalidVolume', 'BID', 99, -1, {}],
    ['ErrVolumeTooHigh', 'BID', 99, 1_000_001, {}],
    ['ErrPostOnlyNotAllowed', 'BID', 99, 1, { postOnly: true, timeInForce: 'IOC' }],
  ];
  for (const [code, side, price, volume, part] of cases)
    test(`${code} for ${side} ${volume} at ${price} ${JSON.stringify(part)}`, () => {
      const { tape, events } = startedTape();
      tape.place(request(side, price, volume, part), 1);
      expect(kindsOf(events)).toEqual([`rejected ${code}`]);
    });

  test('a cancelled order is not filled, and cannot be cancelled again', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 100, 5), 1);
    const order = lastAccepted(events);
    tape.cancel(order, 2);
    tape.apply(row.trade('b1', 'BID', 99, 8));
    tape.cancel(order, 3);
    expect(kindsOf(events)).toEqual([
      'accepted',
      'cancelled CANCELLED',
      'cancel-rejected ErrCannotStopUnknownOrNonPendingOrder',
    ]);
  });
});

describe('fees', () => {
  test('a buy pays in base and a sell in counter, at the rate of its role, exactly', () => {
    const { tape, events } = startedTape();
    tape.place(request('BID', 101, 7, { timeInForce: 'IOC' }), 1);
    tape.place(request('ASK', 99, 7, { timeInForce: 'IOC' }), 2);
    tape.place(request('BID', 100, 7), 3);
    tape.apply(row.trade('b2', 'BID', 99, 8));
    const fills = events.filter((event) => event.kind === 'filled');
    expect(
      fills.map(({ counter, feeBase, feeCounter }) => ({ counter, feeBase, feeCounter })),
    ).toEqual([
      // 0.0007 × 0.001 = 0.0000007 base.
      { counter: 707n, feeBase: 70n, feeCounter: 0n },
      // 0.0007 × 0.99 × 0.001 = 0.000000693 counter, rounded to 8 decimals.
      { counter: 693n, feeBase: 0n, feeCounter: 69n },
      // 0.0007 × 0.0002 = 0.00000014 base.
      { counter: 700n, feeBase: 14n, feeCounter: 0n },
    ]);
  });
});

test('rows that do not fit are counted and leave the book as it was', () => {
  const { tape } = startedTape();
  tape.apply(row.delete('zz'));
  tape.apply(row.resize('zz', 1));
  tape.apply(row.trade('zz', 'BID', 99, 1));
  tape.apply(row.create('b1', 'BID', 99, 1));
  tape.apply(row.resize('b1', 11));
  expect(tape.counts).toMatchObject({ unknownOrders: 3, impossibleRows: 2 });
  expect(tape.book.volumeOf(tape.slotOf('b1'))).toBe(10);
});
