/** A cancel does not wait for a read of its order (I11), unless nothing is left to cancel. */
import { expect, test } from 'vitest';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { ExecutionFixture, idOf, noAnswer, ok, recordOf } from './execution-fixture.ts';

function openOrder(isReplay = false): { harness: ExecutionFixture; order: TrackedOrder } {
  const harness = new ExecutionFixture({ isReplay });
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  return { harness, order };
}

const success = ok({ success: true });

test.each(['cancel', 'cancelAtTurn'] as const)(
  'I11 a %s during a read leaves at once, and the late answer changes nothing',
  (name) => {
    const { harness, order } = openOrder();
    harness.advance(15_000);
    const read = harness.waiting('getOrderV3');
    harness.calls.length = 0;
    harness.orders[name](order, 'moved');
    harness.orders[name](order, 'moved');
    expect(harness.waiting('stoporder').parameters).toEqual({ order_id: 'BX1' });
    read.resume(ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, harness.calls.length]).toEqual(['open', 1]);
    harness.answer('stoporder', success);
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  },
);

test('I11 a cancel withdraws a read that waits for the call budget', () => {
  const { harness, order } = openOrder();
  harness.isBudgetFull = true;
  harness.advance(15_000);
  harness.orders.cancel(order, 'moved');
  harness.isBudgetFull = false;
  harness.release();
  expect(harness.waiting('stoporder').parameters).toEqual({ order_id: 'BX1' });
});

test.each(['complete', 'filled'])('a cancel follows the read of an order streamed as %s', (end) => {
  const { harness, order } = openOrder();
  if (end === 'filled') order.streamed = { base: order.volume, atMs: 0 };
  order.noteEnd({
    clientOrderId: order.clientOrderId,
    orderId: end === 'filled' ? '' : 'BX1',
  });
  harness.orders.cancel(order, 'moved');
  harness.answer('getOrderV3', noAnswer);
  harness.waiting('stoporder');
});

test('a cancel waits for a read during which the order is streamed as complete', () => {
  const { harness, order } = openOrder();
  harness.advance(15_000);
  const read = harness.waiting('getOrderV3');
  harness.calls.length = 0;
  order.noteEnd({ clientOrderId: order.clientOrderId, orderId: 'BX1' });
  harness.orders.cancel(order, 'moved');
  read.resume(ok(recordOf(order, { status: 'COMPLETE' })));
  expect([order.state, harness.calls.length]).toEqual(['cancelled', 0]);
});

test('a cancel in a replay does not wait either, as in a live run', () => {
  const { harness, order } = openOrder(true);
  order.changed.raise();
  harness.waiting('getOrderV3');
  harness.calls.length = 0;
  harness.orders.cancel(order, 'moved');
  harness.waiting('stoporder');
});
