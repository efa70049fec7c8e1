/** Final orders are found for a while by both ids, and then forgotten; live ones never are. */
import { expect, test } from 'vitest';
import { OrderTracker } from '../../../src/execution/orders/order-tracker.ts';
import { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { market, rowOf } from './execution-fixture.ts';

const kept = { ms: 1_000, max: 3 };

function orderOf(intentId: number): TrackedOrder {
  const ids = { intentId, clientOrderId: `c${intentId}`, orderId: `o${intentId}` };
  return TrackedOrder.restore(rowOf(ids), market);
}

function addFinal(tracker: OrderTracker, intentId: number, nowMs: number): TrackedOrder {
  const order = orderOf(intentId);
  tracker.add(order, nowMs);
  order.state = 'cancelled';
  tracker.noteFinal(order, nowMs);
  return order;
}

/** The numbers of the orders that are found by both ids. */
function found(tracker: OrderTracker): readonly number[] {
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  return numbers.filter((number) => {
    const order = tracker.byClientOrderId(`c${number}`);
    expect(tracker.byOrderId(`o${number}`)).toBe(order);
    return order !== undefined;
  });
}

test('final orders are kept for the time, and live ones for ever', () => {
  const tracker = new OrderTracker(kept);
  tracker.add(orderOf(0), 0);
  addFinal(tracker, 1, 0);
  addFinal(tracker, 2, 1_000);
  expect(found(tracker)).toEqual([0, 1, 2]);
  addFinal(tracker, 3, 1_001);
  addFinal(tracker, 4, 2_000);
  expect(found(tracker)).toEqual([0, 1, 2, 3, 4]);
  addFinal(tracker, 5, 3_001);
  expect(found(tracker)).toEqual([0, 4, 5]);
  expect(tracker.live.map(({ intentId }) => intentId)).toEqual([0]);
});

test('at most twice the maximum of final orders are kept', () => {
  const tracker = new OrderTracker(kept);
  for (let intentId = 1; intentId < 20; intentId++) {
    addFinal(tracker, intentId, 0);
    expect(found(tracker).length).toBeLessThan(2 * kept.max);
    expect(found(tracker)).toContain(intentId);
  }
});

test('an order that turns out to be open is kept', () => {
  const tracker = new OrderTracker(kept);
  const revived = addFinal(tracker, 1, 0);
  revived.state = 'open';
  tracker.noteRevived(revived);
  for (let intentId = 2; intentId < 20; intentId++) addFinal(tracker, intentId, 0);
  expect(found(tracker)).toContain(1);
});

test('a forgotten order that turns out to be open, or must be kept, is found again', () => {
  const tracker = new OrderTracker(kept);
  const [revived, needed] = [addFinal(tracker, 1, 0), addFinal(tracker, 2, 0)];
  for (let intentId = 3; intentId < 12; intentId++) addFinal(tracker, intentId, 0);
  expect(found(tracker)).not.toContain(1);
  expect(found(tracker)).not.toContain(2);
  revived.state = 'completing';
  tracker.noteRevived(revived);
  tracker.keep(needed);
  expect(found(tracker)).toEqual(expect.arrayContaining([1, 2]));
});

test('as many final orders as a start restores are kept', () => {
  const tracker = new OrderTracker();
  const restored = 20_000;
  for (let intentId = 1; intentId <= restored; intentId++) addFinal(tracker, intentId, 0);
  expect(tracker.byClientOrderId('c1')?.intentId).toBe(1);
});
