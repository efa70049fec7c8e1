/** The walk through a list of orders: complete, past a full millisecond, and never endless. */
import { describe, expect, test } from 'vitest';
import type { OrderRecord } from '../../../../../src/venues/luno/api/operations/order-operations.ts';
import {
  OrderPages,
  type OrderPagesOptions,
} from '../../../../../src/venues/luno/api/order-pages.ts';

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
function walk(exchange: Exchange, options?: OrderPagesOptions) {
  const pages = new OrderPages(options);
  const asked: (number | undefined)[] = [];
  while (pages.end === undefined) {
    const { limit, created_before: before } = pages.next;
    expect(limit).toBe(pageSize);
    asked.push(before);
    pages.take(exchange(before) as readonly OrderRecord[]);
  }
  return { end: pages.end, ids: pages.records.map((record) => record.order_id), asked };
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

  test('ends as endless after too many pages', () => {
    const exchange = exchangeOf(descending(5000, 9000));
    expect(walk(exchange, { pagesMax: 3 })).toMatchObject({ end: 'endless' });
    expect(walk(exchange, { pagesMax: 6 })).toMatchObject({ end: 'complete' });
  });

  test('keeps the last version of an order', () => {
    const pages = new OrderPages();
    const page = ordersOf(descending(1000, 9000)) as readonly OrderRecord[];
    pages.take(page);
    const again = { ...page.at(-1), base: '1' } as OrderRecord;
    pages.take([again]);
    expect(pages.records).toHaveLength(1000);
    expect(pages.records.at(-1)?.base).toBe('1');
  });
});
