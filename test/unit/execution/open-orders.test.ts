/** Many open orders: one list for all of them instead of a read for each. */
import { describe, expect, test } from 'vitest';
import { pollOpenOrders } from '../../../src/execution/open-orders.ts';
import type { TrackedOrder } from '../../../src/execution/tracked-order.ts';
import { ExecutionFixture, market, noAnswer, ok, recordOf, rowOf } from './execution-fixture.ts';

/** A bot with `count` open orders of a run before, newest last, that are polled. */
function openOrders(count: number): { desk: ExecutionFixture; orders: TrackedOrder[] } {
  const desk = new ExecutionFixture();
  desk.spawn(pollOpenOrders(desk.executor));
  const orders = Array.from({ length: count }, (_, index) => {
    const intentId = index + 1;
    const [clientOrderId, orderId] = [`b1-test-${intentId}`, `BX${intentId}`];
    const row = rowOf({ intentId, clientOrderId, orderId });
    const order = desk.executor.restore(row, market);
    desk.executor.resume(order);
    return order;
  });
  return { desk, orders };
}

describe('C7: while many orders are open', () => {
  test('a list is read for all of them, and none by itself', () => {
    const { desk, orders } = openOrders(60);
    for (let round = 0; round < 8; round++) {
      desk.advance(15_000);
      expect(desk.calls.map(({ operation }) => operation)).toEqual(['listOrdersV2']);
      desk.answer('listOrdersV2', ok({ orders: orders.map((order) => recordOf(order)) }));
    }
    expect(orders.every((order) => order.state === 'open')).toBe(true);
  });

  test('what the list shows of a fill is taken, and an order that it does not show is read', () => {
    const { desk, orders } = openOrders(20);
    desk.advance(15_000);
    const listed = orders.slice(1).map((order) => recordOf(order, { lots: 1 }));
    desk.answer('listOrdersV2', ok({ orders: listed }));
    expect(orders[1]?.reported.base.toFixed()).toBe('0.0001');
    const [gone] = orders;
    expect(desk.calls).toHaveLength(1);
    expect(desk.waiting('getOrderV3').parameters).toEqual({ id: gone?.orderId });
    if (gone !== undefined) desk.answer('getOrderV3', ok(recordOf(gone, { status: 'COMPLETE' })));
    expect(gone?.state).toBe('cancelled');
  });

  test('each looks after itself again while the list cannot be read', () => {
    const { desk, orders } = openOrders(9);
    desk.advance(15_000);
    desk.answer('listOrdersV2', noAnswer);
    desk.advance(15_000);
    const reads = desk.calls.filter(({ operation }) => operation === 'getOrderV3');
    expect(reads).toHaveLength(orders.length);
  });

  test('a few are read one by one', () => {
    const { desk, orders } = openOrders(3);
    desk.advance(15_000);
    expect(desk.calls.map(({ operation }) => operation)).toEqual(orders.map(() => 'getOrderV3'));
  });
});

test('C7: everything is cancelled newest first', () => {
  const { desk, orders } = openOrders(5);
  desk.executor.cancelAll('a test');
  const stopped = desk.calls.map(({ parameters }) => parameters['order_id']);
  expect(stopped).toEqual(orders.map((order) => order.orderId).reverse());
});
