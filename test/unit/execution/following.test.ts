/**
 * An open order: polled, hinted, cancelled, and finished by its record and its fills (2.4, 3.6).
 */
import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import {
  book,
  ExecutionFixture,
  idOf,
  market,
  noAnswer,
  notFound,
  ok,
  recordOf,
  refused,
  rowOf,
  tradeOf,
} from './execution-fixture.ts';

function openOrder(): { harness: ExecutionFixture; order: TrackedOrder } {
  const harness = new ExecutionFixture();
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  return { harness, order };
}

const success = ok({ success: true });

describe('following', () => {
  test('polls every 15 seconds, with priority over new orders', () => {
    const { harness, order } = openOrder();
    harness.advance(14_999);
    expect(harness.calls).toEqual([]);
    harness.advance(1);
    expect(harness.waiting('getOrderV3')).toMatchObject({
      priority: 'resolve',
      parameters: { id: 'BX1' },
    });
    harness.answer('getOrderV3', ok(recordOf(order)));
    harness.advance(15_000);
    harness.answer('getOrderV3', noAnswer);
    harness.advance(15_000);
    expect(harness.calls).toHaveLength(1);
  });

  test('a hint makes it read at once; one that comes during a read makes it read again', () => {
    const { harness, order } = openOrder();
    order.completionHinted = true;
    order.changed.raise();
    const first = harness.waiting('getOrderV3');
    order.completionHinted = true;
    order.changed.raise();
    harness.calls.length = 0;
    first.resume(ok(recordOf(order)));
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('a read that a hint asked for and that fails is repeated after 2, 4 and 8 seconds', () => {
    const { harness, order } = openOrder();
    order.completionHinted = true;
    order.changed.raise();
    for (const pauseMs of [2_000, 4_000, 8_000, 15_000]) {
      harness.answer('getOrderV3', noAnswer);
      harness.advance(pauseMs - 1);
      expect(harness.calls).toEqual([]);
      harness.advance(1);
    }
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('a cancel does not wait for a read that a hint asked for and that failed', () => {
    const { harness, order } = openOrder();
    order.completionHinted = true;
    order.changed.raise();
    harness.answer('getOrderV3', notFound);
    harness.orders.cancel(order, 'the test');
    harness.answer('stoporder', success);
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('RD3: a record from the past takes nothing back', () => {
    const { harness, order } = openOrder();
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 50 })));
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 30 })));
    expect(formatAmount(order.reported.base)).toBe('0.005');
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 50, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
  });

  test('RD3: sums that one record said, and all others deny for two minutes, never were', () => {
    const { harness, order } = openOrder();
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 50 })));
    const over = ok(recordOf(order, { status: 'COMPLETE' }));
    harness.advance(15_000);
    harness.answer('getOrderV3', over);
    for (let read = 0; read < 8; read++) {
      expect([order.state, harness.incidents]).toEqual(['completing', []]);
      harness.advance(16_500);
      harness.answer('getOrderV3', over);
    }
    expect([order.state, harness.incidents]).toEqual(['cancelled', ['SUMS_DENIED']]);
    expect(formatAmount(order.reported.base)).toBe('0');
  });

  test.each([
    // Our fills are of less than either: whatever is true, a trade is missing.
    ['that our fills do not agree with', 20, [30, 30, 30, 30, 30, 30, 30, 30, 30]],
    // Two minutes begin anew.
    ['between which the higher ones come again', 30, [30, 30, 30, 30, 50, 30, 30, 30, 30]],
  ])('RD3: sums %s are not dropped', (_name, booked, told) => {
    const { harness, order } = openOrder();
    book(harness.fills, tradeOf(order, booked));
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 50, status: 'COMPLETE' })));
    for (const lots of told) {
      harness.advance(16_500);
      harness.answer('getOrderV3', ok(recordOf(order, { lots, status: 'COMPLETE' })));
    }
    expect([order.state, harness.incidents]).toEqual(['completing', []]);
    expect(formatAmount(order.reported.base)).toBe('0.005');
  });

  test('C2: a cancel is stored before it is sent, and its answer is not final', () => {
    const { harness, order } = openOrder();
    harness.orders.cancel(order, 'moved');
    expect(harness.records.at(-2)).toMatchObject({ kind: 'order', row: { state: 'open' } });
    harness.answer('stoporder', success);
    expect(order.state).toBe('open');
    // A fill raced the stop.
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 60, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
    book(harness.fills, tradeOf(order, 60));
    expect(order.state).toBe('cancelled');
  });

  test.each([
    ['C3: an answer that is lost', noAnswer],
    ['C4: an order that cannot be stopped', refused(400, 'ErrCannotStopUnknownOrNonPendingOrder')],
    ['C6: 429', refused(429, 'ErrTooManyRequests')],
    ['C5: success: false', ok({ success: false })],
  ])('%s is repeated every two seconds until the record says complete', (_name, reply) => {
    const { harness, order } = openOrder();
    harness.orders.cancel(order, 'moved');
    for (let round = 0; round < 3; round++) {
      harness.answer('stoporder', reply);
      harness.answer('getOrderV3', ok(recordOf(order)));
      expect(harness.calls).toEqual([]);
      harness.advance(2_000);
    }
    harness.answer('stoporder', success);
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('A11: an id that the stream names with ours counts more than that of the answer', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', ok({ order_id: 'BX99' }));
    order.noteIds({ clientOrderId: 'another', orderId: 'BX98' });
    expect(harness.calls).toEqual([]);
    order.noteIds({ clientOrderId: order.clientOrderId, orderId: idOf(order) });
    expect(harness.waiting('getOrderV3').parameters).toEqual({
      client_order_id: order.clientOrderId,
    });
    harness.calls.length = 0;
    harness.orders.cancel(order, 'moved');
    // What the answer named may be an order of somebody else.
    expect(harness.waiting('stoporder').parameters).toEqual({ order_id: idOf(order) });
    harness.answer('stoporder', success);
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, order.orderId]).toEqual(['cancelled', idOf(order)]);
    expect(harness.incidents).toEqual(['ORDER_ID_DIFFERS']);
  });

  test('A11: a stop goes to the id of the record, whatever a stream has named before', () => {
    const { harness, order } = openOrder();
    harness.advance(15_000);
    order.noteIds({ clientOrderId: order.clientOrderId, orderId: 'BX99' });
    harness.answer('getOrderV3', noAnswer);
    // A contradiction is read at once, not at the next poll, also during a read.
    expect(harness.waiting('getOrderV3').parameters).toEqual({
      client_order_id: order.clientOrderId,
    });
    harness.answer('getOrderV3', ok(recordOf(order)));
    harness.orders.cancel(order, 'moved');
    expect(harness.waiting('stoporder').parameters).toEqual({ order_id: idOf(order) });
  });

  test('A31: a status that nobody has told us of counts as open', () => {
    const { harness, order } = openOrder();
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'AWAITING' as 'PENDING' })));
    expect([order.state, harness.incidents]).toEqual(['open', []]);
    expect(harness.exposure.ordersOpen()).toBe(1);
  });

  test('A32: an order stays tracked and held through ten minutes without names', () => {
    const { harness, order } = openOrder();
    for (let poll = 0; poll < 40; poll++) {
      harness.advance(15_000);
      harness.answer('getOrderV3', { kind: 'not-sent', reason: 'ENOTFOUND' });
    }
    expect([order.state, harness.incidents]).toEqual(['open', []]);
    expect(harness.exposure.ordersOpen()).toBe(1);
  });

  test('C7: two hundred orders are stopped by one stop each before any is read', () => {
    const harness = new ExecutionFixture();
    for (let i = 1; i <= 200; i++) {
      const change = { intentId: i, key: `k${i}`, clientOrderId: `b1-x-${i}`, orderId: `BX${i}` };
      harness.executor.resume(harness.executor.restore(rowOf(change), market));
    }
    expect(harness.orders.cancelAll('the bot stops')).toBe(200);
    expect(harness.calls.map((call) => call.operation)).toEqual(Array(200).fill('stoporder'));
    expect(new Set(harness.calls.map((call) => call.parameters['order_id'])).size).toBe(200);
  });

  test('asking twice for a cancel sends one stop', () => {
    const { harness, order } = openOrder();
    harness.orders.cancel(order, 'moved');
    harness.orders.cancel(order, 'moved');
    expect(harness.calls).toHaveLength(1);
  });

  test('C4: an open order that is not found for a minute stays tracked, with one incident', () => {
    const { harness, order } = openOrder();
    for (let poll = 0; poll < 10; poll++) {
      harness.advance(15_000);
      harness.answer('getOrderV3', harness.stamped(notFound));
    }
    expect([order.state, harness.incidents]).toEqual(['open', ['ORDER_MISSING']]);
    expect(harness.exposure.ordersOpen()).toBe(1);
  });
});

test('RD6: an order that is done is never asked for again, and stays done when it is archived', () => {
  const { harness, order } = openOrder();
  harness.advance(15_000);
  harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
  expect(order.state).toBe('cancelled');
  harness.advance(101 * 24 * 3_600_000);
  expect(harness.calls).toEqual([]);
  expect(order.state).toBe('cancelled');
});

describe('completing', () => {
  function completing(lots: number): { harness: ExecutionFixture; order: TrackedOrder } {
    const { harness, order } = openOrder();
    harness.advance(15_000);
    harness.answer('getOrderV3', ok(recordOf(order, { lots, status: 'COMPLETE' })));
    return { harness, order };
  }

  test('I4 ends only when the fills add up to the record, to the last digit', () => {
    const { harness, order } = completing(100);
    expect(order.state).toBe('completing');
    book(harness.fills, tradeOf(order, 60, { sequence: '1' }));
    expect(order.state).toBe('completing');
    book(harness.fills, tradeOf(order, 40, { sequence: '2' }));
    expect(order.state).toBe('filled');
    expect(harness.exposure.ordersOpen()).toBe(0);
  });

  test.each(['fee_base', 'fee_counter', 'counter'])('a difference in %s alone keeps it', (name) => {
    const { harness, order } = completing(100);
    book(harness.fills, tradeOf(order, 100, { [name]: '0.00000003' }));
    expect(order.state).toBe('completing');
  });

  test('asks for the list of trades again and again, and re-reads the record', () => {
    const { harness, order } = completing(100);
    const before = harness.tradesRequests;
    harness.advance(14_999);
    expect(harness.tradesRequests).toBeGreaterThan(before + 5);
    harness.advance(1);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 100, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
  });

  test('RD5: COMPLETE without fills is cancelled at once', () => {
    expect(completing(0).order.state).toBe('cancelled');
  });

  test('fills that do not add up for ten minutes are an incident and halt the pair', () => {
    const { harness, order } = completing(100);
    for (let second = 0; second < 650; second++) {
      harness.advance(1_000);
      if (harness.calls.length > 0) harness.answer('getOrderV3', noAnswer);
    }
    expect(harness.incidents).toEqual(['FILLS_DO_NOT_ADD_UP']);
    expect(harness.tradingStates).toEqual(['pair:XBTZAR HALTED']);
    book(harness.fills, tradeOf(order, 100));
    expect(order.state).toBe('filled');
  });
});

describe('following where a replay answers', () => {
  function replayedOrder(): { harness: ExecutionFixture; order: TrackedOrder } {
    const harness = new ExecutionFixture({ isReplay: true });
    const order = harness.place();
    harness.answer('postorder', ok({ order_id: idOf(order) }));
    return { harness, order };
  }

  test('asks for nothing until the stream says something, and counts the polls of a live bot', () => {
    const { harness, order } = replayedOrder();
    const openMs = harness.nowMs;
    harness.advance(100_000);
    expect([harness.calls, harness.unmadeMs]).toEqual([[], []]);
    order.completionHinted = true;
    order.changed.raise();
    // Those of the last minute: the call budget has forgotten the others.
    expect(harness.unmadeMs.map((ms) => ms - openMs)).toEqual([45_000, 60_000, 75_000, 90_000]);
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('a stop that was taken is not repeated, however late the order ends', () => {
    const { harness, order } = replayedOrder();
    harness.orders.cancel(order, 'test');
    harness.answer('stoporder', success);
    harness.advance(250);
    harness.answer('getOrderV3', ok(recordOf(order)));
    harness.advance(60_000);
    expect(harness.calls).toEqual([]);
    order.noteEnd({ clientOrderId: order.clientOrderId, orderId: idOf(order) });
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('an end that is reported while the state before it is read is read again', () => {
    const { harness, order } = replayedOrder();
    harness.orders.cancel(order, 'test');
    harness.answer('stoporder', success);
    harness.advance(250);
    harness.waiting('getOrderV3');
    order.noteEnd({ clientOrderId: order.clientOrderId, orderId: idOf(order) });
    harness.answer('getOrderV3', ok(recordOf(order)));
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, harness.calls]).toEqual(['cancelled', []]);
  });

  test('a stop that was taken and a report of the end suffice, and nothing is checked later', () => {
    const { harness, order } = replayedOrder();
    harness.orders.cancel(order, 'test');
    harness.answer('stoporder', success);
    order.noteEnd({ clientOrderId: order.clientOrderId, orderId: idOf(order) });
    expect([harness.calls, order.state, harness.unchecked]).toEqual([[], 'cancelled', []]);
  });

  test('one whose answer came too late is repeated', () => {
    const { harness, order } = replayedOrder();
    harness.orders.cancel(order, 'test');
    harness.answer('stoporder', noAnswer);
    harness.answer('getOrderV3', ok(recordOf(order)));
    harness.advance(2_000);
    expect(harness.waiting('stoporder')).toMatchObject({ priority: 'cancel' });
  });
});
