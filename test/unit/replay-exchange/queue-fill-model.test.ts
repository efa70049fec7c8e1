/**
 * Our orders in recorded queues: queue places, proofs of fills, taking, time in force, and counts.
 */
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import type { ModelEvent } from '../../../src/replay-exchange/fill-models/fill-event.ts';
import {
  createQueueModel,
  lastAccepted,
  type RecordedModel,
  request,
  row,
} from '../../support/replay-market.ts';

/** A book of 99 and 101 with two orders on each side. */
function startedModel(options: Parameters<typeof createQueueModel>[0] = {}): RecordedModel {
  const recorded = createQueueModel(options);
  recorded.history.apply(row.create('b1', 'BID', 99, 10));
  recorded.history.apply(row.create('b2', 'BID', 99, 20));
  recorded.history.apply(row.create('a1', 'ASK', 101, 10));
  recorded.history.apply(row.create('a2', 'ASK', 101, 20));
  recorded.history.apply(row.create('a3', 'ASK', 102, 50));
  return recorded;
}

const fillsOf = (events: readonly ModelEvent[]) =>
  events
    .filter((event) => event.kind === 'filled')
    .map(({ order, price, base, isMaker }) => ({ orderId: order.orderId, price, base, isMaker }));

const kindsOf = (events: readonly ModelEvent[]) =>
  events.map((event) =>
    event.kind === 'completed'
      ? `${event.outcome} ${event.reason}`
      : 'failed' in event
        ? `${event.kind} ${event.failed}`
        : event.kind,
  );

const first = 'BXT000000000001';
const second = 'BXT000000000002';

describe('the queue', () => {
  test('an order joins behind all orders at its price and moves up as they leave', () => {
    const { model, events, history } = startedModel();
    model.place(request('BID', 99, 5), 1);
    const ahead = () => model.openOrders.map((order) => model.aheadOf(order))[0];
    expect(ahead()).toBe(30);
    history.apply(row.create('b3', 'BID', 99, 40));
    history.apply(row.delete('b3'));
    expect(ahead()).toBe(30);
    history.apply(row.resize('b2', 15));
    expect(ahead()).toBe(25);
    history.apply(row.trade('b1', 'BID', 99, 4));
    expect(ahead()).toBe(21);
    history.apply(row.delete('b1'));
    expect(ahead()).toBe(15);
    expect(kindsOf(events)).toEqual(['accepted']);
  });

  test('a trade with a maker that arrived later proves that our order was first', () => {
    const { model, orders, events, history } = startedModel();
    model.place(request('BID', 99, 5), 1);
    history.apply(row.create('b3', 'BID', 99, 40));
    history.apply(row.trade('b1', 'BID', 99, 10));
    history.apply(row.trade('b2', 'BID', 99, 20));
    expect(fillsOf(events)).toEqual([]);
    history.apply(row.trade('b3', 'BID', 99, 3));
    history.apply(row.trade('b3', 'BID', 99, 3));
    expect(fillsOf(events)).toEqual([
      { orderId: first, price: 99, base: 3, isMaker: true },
      { orderId: first, price: 99, base: 2, isMaker: true },
    ]);
    expect(kindsOf(events).at(-1)).toBe('filled FILLED');
    expect(model.openOrders).toEqual([]);
    // History continues as recorded.
    expect(orders.book.volumeOf(history.slotOf('b3'))).toBe(34);
    expect(model.counts.displacedTrades).toBe(2);
  });

  test('a trade at a worse price fills our order at its own price', () => {
    const { model, events, history } = startedModel();
    model.place(request('BID', 100, 5), 1);
    history.apply(row.trade('b1', 'BID', 99, 8));
    expect(fillsOf(events)).toEqual([{ orderId: first, price: 100, base: 5, isMaker: true }]);
  });

  test('a trade is shared among our orders by price, then time, and never given twice', () => {
    const { model, events, history } = startedModel();
    model.place(request('ASK', 101, 5), 1);
    model.place(request('ASK', 101, 5), 2);
    model.place(request('ASK', 100, 5), 3);
    history.apply(row.delete('a1'));
    history.apply(row.delete('a2'));
    history.apply(row.create('a4', 'ASK', 101, 30));
    history.apply(row.trade('a4', 'ASK', 101, 12));
    expect(fillsOf(events)).toEqual([
      { orderId: 'BXT000000000003', price: 100, base: 5, isMaker: true },
      { orderId: first, price: 101, base: 5, isMaker: true },
      { orderId: second, price: 101, base: 2, isMaker: true },
    ]);
  });

  test('a historical order that crosses ours fills ours, and that volume is used up', () => {
    const { model, events, history } = startedModel();
    model.place(request('BID', 100, 5), 1);
    history.apply(row.create('a4', 'ASK', 100, 8));
    expect(fillsOf(events)).toEqual([{ orderId: first, price: 100, base: 5, isMaker: true }]);
    expect(model.counts.displacedOrders).toBe(1);
    model.place(request('BID', 100, 8, { timeInForce: 'IOC' }), 2);
    expect(fillsOf(events).at(-1)).toEqual({
      orderId: second,
      price: 100,
      base: 3,
      isMaker: false,
    });
  });

  test('nothing is ahead at any fill, and the fill reports that', () => {
    const { model, events, history } = startedModel();
    model.place(request('BID', 99, 5), 1);
    history.apply(row.trade('b1', 'BID', 99, 10));
    history.apply(row.trade('b2', 'BID', 99, 20));
    history.apply(row.create('b3', 'BID', 99, 40));
    history.apply(row.trade('b3', 'BID', 99, 9));
    expect(events).toContainEqual(expect.objectContaining({ kind: 'filled', volumeAhead: 0 }));
    expect(model.counts.fillsOutOfQueue).toBe(0);
  });

  test('fills in a recording that is not first in, first out are counted', () => {
    const { model, history } = startedModel();
    model.place(request('BID', 99, 5), 1);
    history.apply(row.create('b3', 'BID', 99, 40));
    history.apply(row.trade('b3', 'BID', 99, 1));
    expect(model.counts.fillsOutOfQueue).toBe(1);
  });
});

describe('taking', () => {
  test('a crossing order takes in queue order at historical prices, and its remainder rests', () => {
    const { model, events } = startedModel();
    model.place(request('BID', 101, 40), 1);
    expect(fillsOf(events)).toEqual([
      { orderId: first, price: 101, base: 10, isMaker: false },
      { orderId: first, price: 101, base: 20, isMaker: false },
    ]);
    expect(model.openOrders).toMatchObject([{ orderId: first, remaining: 10 }]);
    expect(model.openOrders.map((order) => model.aheadOf(order))).toEqual([0]);
    expect(model.counts.takenOrders).toBe(2);
  });

  test('taken volume stays taken until the historical order is gone', () => {
    const { model, events, history } = startedModel();
    const take = () => model.place(request('BID', 101, 100, { timeInForce: 'IOC' }), 1);
    model.place(request('BID', 101, 25, { timeInForce: 'IOC' }), 1);
    take();
    expect(fillsOf(events).map(({ base }) => base)).toEqual([10, 15, 5]);
    take();
    expect(fillsOf(events)).toHaveLength(3);
    // Volume was taken twice from the second order.
    expect(model.counts.takenOrders).toBe(2);
    // The next order reuses the slot, and none of its volume is taken.
    history.apply(row.delete('a2'));
    history.apply(row.create('a4', 'ASK', 101, 7));
    take();
    expect(fillsOf(events).at(-1)).toMatchObject({ base: 7 });
    expect(model.counts.takenOrders).toBe(3);
  });

  test('taken volume comes back after the given time, counted from the last taking', () => {
    const { model, events } = startedModel({ consumedMicros: 1_000 });
    const takeAt = (atMicros: number): number => {
      const before = fillsOf(events).length;
      model.place(request('BID', 101, 12, { timeInForce: 'IOC' }), atMicros);
      return fillsOf(events)
        .slice(before)
        .reduce((sum, { base }) => sum + base, 0);
    };
    // 30 rest at the price: 10 and 20.
    expect([1, 500, 900, 1_001].map(takeAt)).toEqual([12, 12, 6, 10]);
    expect(takeAt(1_899)).toBe(0);
    expect(takeAt(2_100)).toBe(12);
  });

  test('a historical order that trades after we took from it has less left for us', () => {
    const { model, events, history } = startedModel();
    model.place(request('BID', 102, 40, { timeInForce: 'IOC' }), 1);
    history.apply(row.trade('a1', 'ASK', 101, 10));
    history.apply(row.trade('a2', 'ASK', 101, 20));
    history.apply(row.trade('a3', 'ASK', 102, 45));
    model.place(request('BID', 102, 40, { timeInForce: 'IOC' }), 2);
    expect(fillsOf(events).map(({ base }) => base)).toEqual([10, 20, 10]);
  });

  test('IOC cancels what it cannot take', () => {
    const { model, events } = startedModel();
    model.place(request('BID', 101, 31, { timeInForce: 'IOC' }), 1);
    expect(kindsOf(events)).toEqual([
      'accepted',
      'filled',
      'filled',
      'cancelled IMMEDIATE_OR_CANCEL',
    ]);
    expect(model.openOrders).toEqual([]);
  });

  test('FOK takes all or nothing', () => {
    const { model, events } = startedModel();
    model.place(request('BID', 101, 31, { timeInForce: 'FOK' }), 1);
    expect(kindsOf(events)).toEqual(['accepted', 'cancelled FILL_OR_KILL']);
    model.place(request('BID', 101, 30, { timeInForce: 'FOK' }), 2);
    expect(kindsOf(events).slice(2)).toEqual(['accepted', 'filled', 'filled', 'filled FILLED']);
  });

  test('a post-only order is cancelled if it would trade, otherwise it rests', () => {
    const { model, events } = startedModel();
    model.place(request('BID', 101, 1, { postOnly: true }), 1);
    model.place(request('BID', 100, 1, { postOnly: true }), 2);
    expect(kindsOf(events)).toEqual(['rejected would-take', 'accepted']);
  });

  test('our orders never trade with each other: the rest of the incoming one is cancelled', () => {
    const { model, events, history } = startedModel();
    model.place(request('ASK', 101, 5), 1);
    history.apply(row.create('a0', 'ASK', 100, 3));
    model.place(request('BID', 102, 50), 2);
    expect(fillsOf(events)).toEqual([{ orderId: second, price: 100, base: 3, isMaker: false }]);
    expect(kindsOf(events).at(-1)).toBe('cancelled SELF_TRADE');
    expect(model.counts.selfTradesPrevented).toBe(1);
    model.place(request('BID', 102, 50, { postOnly: true }), 3);
    expect(kindsOf(events).at(-1)).toBe('rejected would-take');
  });
});

describe('requests', () => {
  const cases: readonly (readonly [string, Side, number, number, object])[] = [
    ['price-below-minimum', 'BID', 9, 1, {}],
    ['price-above-maximum', 'ASK', 1_000_001, 1, {}],
    ['price-not-positive', 'BID', 99.5, 1, {}],
    ['volume-not-positive', 'BID', 99, 0, {}],
    ['volume-not-positive', 'BID', 99, -1, {}],
    ['volume-above-maximum', 'BID', 99, 1_000_001, {}],
    ['post-only-time-in-force', 'BID', 99, 1, { postOnly: true, timeInForce: 'IOC' }],
  ];
  for (const [failed, side, price, volume, part] of cases)
    test(`${failed} for ${side} ${volume} at ${price} ${JSON.stringify(part)}`, () => {
      const { model, events } = startedModel();
      model.place(request(side, price, volume, part), 1);
      expect(kindsOf(events)).toEqual([`rejected ${failed}`]);
    });

  test('a cancelled order is not filled, and cannot be cancelled again', () => {
    const { model, events, history } = startedModel();
    model.place(request('BID', 100, 5), 1);
    const order = lastAccepted(events);
    model.cancel(order, 2);
    history.apply(row.trade('b1', 'BID', 99, 8));
    model.cancel(order, 3);
    expect(kindsOf(events)).toEqual(['accepted', 'cancelled CANCELLED', 'cancel-rejected']);
  });
});

describe('fees', () => {
  test('a buy pays in base and a sell in counter, at the rate of its role, exactly', () => {
    const { model, events, history } = startedModel();
    model.place(request('BID', 101, 7, { timeInForce: 'IOC' }), 1);
    model.place(request('ASK', 99, 7, { timeInForce: 'IOC' }), 2);
    model.place(request('BID', 100, 7), 3);
    history.apply(row.trade('b2', 'BID', 99, 8));
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

test('inconsistent rows are counted and leave the book unchanged', () => {
  const { model, orders, history } = startedModel();
  history.apply(row.delete('zz'));
  history.apply(row.resize('zz', 1));
  history.apply(row.trade('zz', 'BID', 99, 1));
  history.apply(row.create('b1', 'BID', 99, 1));
  expect(model.counts).toMatchObject({ unknownOrders: 3, impossibleRows: 1 });
  expect(orders.book.volumeOf(history.slotOf('b1'))).toBe(10);
});
