/** The list of open orders: a list without an end, and a listed order that is finished for us. */
import { describe, expect, test } from 'vitest';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import {
  applyOpenOrders,
  readOpenOrders,
} from '../../../src/execution/reconcile/check-open-orders.ts';
import type { OrderRecord } from '../../../src/venues/luno/api/operations/order-operations.ts';
import { orderOfWire } from '../../support/wire-reader.ts';
import { ExecutionFixture, idOf, ok, recordOf } from './execution-fixture.ts';

const minute = 60_000;

/** An order that is cancelled by its record. */
function cancelledOrder(): { harness: ExecutionFixture; order: TrackedOrder } {
  const harness = new ExecutionFixture();
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  harness.orders.cancel(order, 'moved');
  harness.answer('stoporder', ok({ success: true }));
  harness.answer(
    'getOrderV3',
    ok(recordOf(order, { status: 'COMPLETE', completed_timestamp: harness.nowMs })),
  );
  expect(order.state).toBe('cancelled');
  return { harness, order };
}

function list(harness: ExecutionFixture, record: OrderRecord): void {
  expect(applyOpenOrders(harness.orders, { views: [orderOfWire(record)], wrong: [] })).toEqual([]);
}

test('RD7: a list of open orders without an end is abandoned, with a reason', () => {
  const { harness, order } = cancelledOrder();
  const told: unknown[] = [];
  harness.spawn(
    (function* () {
      told.push(yield* readOpenOrders());
    })(),
  );
  for (let page = 0; harness.calls.length > 0; page++) {
    const orders = Array.from({ length: 1_000 }, (_, index) =>
      recordOf(order, { order_id: `X${page}-${index}`, creation_timestamp: 1e12 - page }),
    );
    harness.answer('listOrdersV2', ok({ orders }));
  }
  expect(told).toEqual([{ unreadable: 'the list of open orders does not end within 20 pages' }]);
});

test('RD7: a full page of one millisecond is read past, and makes the list unreadable', () => {
  const { harness, order } = cancelledOrder();
  const read: unknown[] = [];
  harness.spawn(
    (function* () {
      read.push(yield* readOpenOrders());
    })(),
  );
  const page = Array.from({ length: 1_000 }, (_, index) =>
    recordOf(order, { order_id: `X${index}`, creation_timestamp: 5_000 }),
  );
  const before: unknown[] = [];
  for (const orders of [page, page, []]) {
    before.push(harness.waiting('listOrdersV2').parameters['created_before']);
    harness.answer('listOrdersV2', ok({ orders }));
  }
  expect(before).toEqual([undefined, 5_001, 5_000]);
  expect(read).toEqual([
    {
      unreadable: 'more open orders than a page of the list holds were created in one millisecond',
    },
  ]);
});

describe('an order that is finished for us and listed as open', () => {
  test('C11: is reopened and stopped if its record is open too', () => {
    const { harness, order } = cancelledOrder();
    harness.advance(minute + 1);
    list(harness, recordOf(order));
    expect(harness.waiting('getOrderV3').parameters).toEqual({
      client_order_id: order.clientOrderId,
    });
    harness.answer('getOrderV3', ok(recordOf(order)));
    expect([order.state, harness.incidents]).toEqual(['open', ['ENDED_ORDER_OPEN']]);
    expect(harness.tradingStates).toEqual(['strategy:mm HALTED']);
    harness.answer('stoporder', ok({ success: true }));
    const over = { status: 'COMPLETE', completed_timestamp: harness.nowMs } as const;
    harness.answer('getOrderV3', ok(recordOf(order, over)));
    expect([order.state, order.completedMs]).toEqual(['cancelled', harness.nowMs]);
  });

  test('C11: does not change if only the list is old', () => {
    const { harness, order } = cancelledOrder();
    // Lists lag, so the record is not even read this soon.
    harness.advance(minute);
    list(harness, recordOf(order));
    expect(harness.calls).toEqual([]);
    harness.advance(1);
    list(harness, recordOf(order));
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, harness.incidents]).toEqual(['cancelled', []]);
  });

  test('C11: is not reopened by the record of another order', () => {
    const { harness, order } = cancelledOrder();
    harness.advance(minute + 1);
    list(harness, recordOf(order));
    harness.answer('getOrderV3', ok(recordOf(order, { client_order_id: 'another' })));
    expect([order.state, harness.incidents]).toEqual(['cancelled', []]);
  });
});
