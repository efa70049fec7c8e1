/** The expiry of an order: the bot cancels it at its time, also after a restart. */
import { expect, test } from 'vitest';
import {
  ExecutionFixture,
  idOf,
  market,
  ok,
  recordOf,
  rowOf,
  startMs,
} from './execution-fixture.ts';

const success = ok({ success: true });

function placed(expiresMs: number) {
  const harness = new ExecutionFixture();
  const order = harness.place({}, expiresMs);
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  return { harness, order };
}

test('an open order is cancelled at its time, and not before', () => {
  const { harness, order } = placed(startMs + 5_000);
  expect(order.toRow().expiresMs).toBe(startMs + 5_000);
  harness.advance(4_999);
  expect([order.state, order.cancelRequestedMs, harness.calls]).toEqual(['open', undefined, []]);
  harness.advance(1);
  expect([order.cancelRequestedMs, order.cancelReason]).toEqual([
    startMs + 5_000,
    'it expires at 2025-06-15T15:06:45.000Z',
  ]);
  harness.answer('stoporder', success);
  harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
  expect(order.state).toBe('cancelled');
});

test('an order that waits for its call is not sent any more', () => {
  const harness = new ExecutionFixture();
  harness.isBudgetFull = true;
  const order = harness.place({}, startMs + 1_000);
  harness.advance(1_000);
  expect([order.state, order.attempts]).toEqual(['unsent', 0]);
});

test('an order that has ended leaves no timer behind', () => {
  const { harness, order } = placed(startMs + 86_400_000);
  harness.orders.cancel(order, 'not wanted');
  harness.answer('stoporder', success);
  harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
  expect(order.state).toBe('cancelled');
  expect(harness.timers.nextMicros).toBe(Infinity);
});

test('a restart keeps it: at its time, and at once if that has passed meanwhile', () => {
  for (const leftMs of [2_000, -2_000]) {
    const harness = new ExecutionFixture();
    const row = rowOf({ expiresMs: startMs + leftMs });
    const order = harness.executor.restore(row, market);
    expect(order.toRow()).toEqual(row);
    harness.executor.resume(order);
    expect(order.cancelRequestedMs).toBe(leftMs > 0 ? undefined : startMs);
    harness.advance(Math.max(0, leftMs));
    harness.answer('stoporder', success);
  }
});
