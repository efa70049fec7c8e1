/** Walks through lists: complete, past a full millisecond, and never endless. */
import { describe, expect, test } from 'vitest';
import type { OrdersRequest } from '../../../../../src/venue/venue-request.ts';
import {
  afterOrders,
  afterTrades,
  orderPage,
  tradePage,
} from '../../../../../src/venues/luno/adapter/paging.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../../../../src/venues/luno/api/operations/order-operations.ts';

const pageSize = 1000;
type Listed = Pick<OrderRecord, 'order_id' | 'creation_timestamp'>;
type Exchange = (before: number | undefined) => readonly Listed[];

/** Returns orders created at these times, newest first. */
function ordersOf(createdMs: readonly number[]): readonly Listed[] {
  return createdMs.map((creation_timestamp, index) => ({
    order_id: `BX${index}`,
    creation_timestamp,
  }));
}

function exchangeOf(createdMs: readonly number[]): Exchange {
  const orders = ordersOf(createdMs);
  return (before = Infinity) =>
    orders.filter((order) => order.creation_timestamp < before).slice(0, pageSize);
}

/** Walks to the end. Returns how the walk ended, the ids of the orders, and the requests. */
function walk(exchange: Exchange, bounds: Pick<OrdersRequest, 'sinceMs'> = {}) {
  const ids = new Set<string>();
  const asked: (number | undefined)[] = [];
  let cursor: string | undefined;
  for (;;) {
    const request: OrdersRequest = { kind: 'orders', which: 'open', cursor, ...bounds };
    const { limit, created_before: before } = orderPage(request);
    expect(limit).toBe(pageSize);
    asked.push(before);
    const page = exchange(before);
    for (const { order_id: id } of page) ids.add(id);
    const after = afterOrders(page, request);
    if ('end' in after) return { end: after.end, ids: [...ids], asked };
    cursor = after.next;
  }
}

const repeated = (count: number, createdMs: number): number[] => Array(count).fill(createdMs);
const descending = (count: number, fromMs: number): number[] =>
  Array.from({ length: count }, (_, index) => fromMs - index);
const idsOf = (createdMs: readonly number[]): string[] =>
  ordersOf(createdMs).map((order) => order.order_id);

describe('a walk through a list of orders', () => {
  test.each([0, 1, 999, 1000, 1001, 1999, 2500])(
    'shows all of %i orders, each once, and is complete',
    (count) => {
      const createdMs = descending(count, 9000);
      const { end, ids } = walk(exchangeOf(createdMs));
      expect(end).toBe('complete');
      expect(ids).toEqual(idsOf(createdMs));
    },
  );

  test('starts a page with the last millisecond of the page before, so that no order is missing', () => {
    const createdMs = [...descending(999, 9000), ...repeated(3, 5000), 4000];
    const { end, ids, asked } = walk(exchangeOf(createdMs));
    expect(end).toBe('complete');
    expect(ids).toEqual(idsOf(createdMs));
    expect(asked).toEqual([undefined, 5001]);
  });

  test('continues after a full page of one millisecond, whose orders may be incomplete', () => {
    const createdMs = [...repeated(1001, 5000), 4000, 3000];
    const { end, ids, asked } = walk(exchangeOf(createdMs));
    expect(end).toBe('stalled');
    const shown = idsOf(createdMs);
    // Because of the order that no page has shown, the list is incomplete.
    expect(ids).toEqual([...shown.slice(0, 1000), ...shown.slice(1001)]);
    expect(asked).toEqual([undefined, 5001, 5000]);
  });

  test('stays stalled, however many complete pages follow', () => {
    const createdMs = [...repeated(1000, 9000), ...descending(2500, 8000)];
    expect(walk(exchangeOf(createdMs)).end).toBe('stalled');
  });

  test('does not stall at a millisecond that only fills the rest of a page', () => {
    const createdMs = [6000, ...repeated(999, 5000), 4000];
    expect(walk(exchangeOf(createdMs)).end).toBe('complete');
  });

  test('ends at the page that reaches back to the requested time', () => {
    const { end, asked } = walk(exchangeOf(descending(5000, 9000)), { sinceMs: 7500 });
    expect(end).toBe('complete');
    expect(asked).toEqual([undefined, 8002]);
  });

  test('ends as endless if the exchange repeats the same page', () => {
    const page = ordersOf(descending(1000, 9000));
    const { end, ids, asked } = walk(() => page);
    expect(end).toBe('endless');
    expect(ids).toHaveLength(1000);
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  test('of the newest only ends with its page', () => {
    const request: OrdersRequest = { kind: 'orders', which: 'ended', newest: 100 };
    expect(orderPage(request).limit).toBe(100);
    expect(orderPage({ ...request, newest: 5_000 }).limit).toBe(pageSize);
    expect(afterOrders(ordersOf(descending(100, 9000)), request)).toEqual({ end: 'complete' });
  });
});

const tradesAt = (sequences: readonly (number | bigint)[]): readonly UserTrade[] =>
  sequences.map((sequence) => ({ sequence: String(sequence) }) as UserTrade);
const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index);

describe('a walk through a list of trades', () => {
  test('ends with the first page that is not full, and says where more would be', () => {
    expect(tradePage(undefined)).toEqual({ after_seq: undefined, limit: pageSize });
    expect(afterTrades(tradesAt(range(1, 1000)), undefined)).toEqual({ next: '1000' });
    const short = afterTrades(tradesAt([1000, 1001]), '1000');
    expect(short).toEqual({ end: 'complete', next: '1001' });
    expect(afterTrades(tradesAt([1001]), '1001')).toEqual({ end: 'complete' });
    expect(afterTrades([], '1001')).toEqual({ end: 'complete' });
  });

  test('continues from the newest sequence, whatever the order of the rows', () => {
    // Larger than a JavaScript number can hold.
    const page = tradesAt([2n ** 60n + 1n, 2n ** 60n, ...range(8, 998)]);
    expect(afterTrades(page, '7')).toEqual({ next: String(2n ** 60n + 1n) });
  });

  test('stalls at a full page without a higher sequence', () => {
    expect(afterTrades(tradesAt(range(1, 1000)), '1000')).toEqual({ end: 'stalled' });
  });
});
