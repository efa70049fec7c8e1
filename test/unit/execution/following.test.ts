/**
 * An open order: polled, hinted, cancelled, and finished by its record and its fills (2.4, 3.6).
 */
import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import {
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

function openOrder(): { desk: ExecutionFixture; order: TrackedOrder } {
  const desk = new ExecutionFixture();
  const order = desk.place();
  desk.answer('postorder', ok({ order_id: idOf(order) }));
  return { desk, order };
}

const success = ok({ success: true });

describe('following', () => {
  test('polls every 15 seconds, with priority over new orders', () => {
    const { desk, order } = openOrder();
    desk.advance(14_999);
    expect(desk.calls).toEqual([]);
    desk.advance(1);
    expect(desk.waiting('getOrderV3')).toMatchObject({
      priority: 'resolve',
      parameters: { id: 'BX1' },
    });
    desk.answer('getOrderV3', ok(recordOf(order)));
    desk.advance(15_000);
    desk.answer('getOrderV3', noAnswer);
    desk.advance(15_000);
    expect(desk.calls).toHaveLength(1);
  });

  test('a hint makes it read at once; one that comes during a read makes it read again', () => {
    const { desk, order } = openOrder();
    order.completionHinted = true;
    order.changed.raise();
    const first = desk.waiting('getOrderV3');
    order.completionHinted = true;
    order.changed.raise();
    desk.calls.length = 0;
    first.resume(ok(recordOf(order)));
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('a read that a hint asked for and that fails is repeated after 2, 4 and 8 seconds', () => {
    const { desk, order } = openOrder();
    order.completionHinted = true;
    order.changed.raise();
    for (const pauseMs of [2_000, 4_000, 8_000, 15_000]) {
      desk.answer('getOrderV3', noAnswer);
      desk.advance(pauseMs - 1);
      expect(desk.calls).toEqual([]);
      desk.advance(1);
    }
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('a cancel does not wait for a read that a hint asked for and that failed', () => {
    const { desk, order } = openOrder();
    order.completionHinted = true;
    order.changed.raise();
    desk.answer('getOrderV3', notFound);
    desk.orders.cancel(order, 'the test');
    desk.answer('stoporder', success);
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('RD3: a record from the past takes nothing back', () => {
    const { desk, order } = openOrder();
    desk.advance(15_000);
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 50 })));
    desk.advance(15_000);
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 30 })));
    expect(formatAmount(order.reported.base)).toBe('0.005');
    desk.advance(15_000);
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 50, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
  });

  test('RD3: sums that one record said, and all others deny for two minutes, never were', () => {
    const { desk, order } = openOrder();
    desk.advance(15_000);
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 50 })));
    const over = ok(recordOf(order, { status: 'COMPLETE' }));
    desk.advance(15_000);
    desk.answer('getOrderV3', over);
    for (let read = 0; read < 8; read++) {
      expect([order.state, desk.incidents]).toEqual(['completing', []]);
      desk.advance(16_500);
      desk.answer('getOrderV3', over);
    }
    expect([order.state, desk.incidents]).toEqual(['cancelled', ['SUMS_DENIED']]);
    expect(formatAmount(order.reported.base)).toBe('0');
  });

  test.each([
    // Our fills are of less than either: whatever is true, a trade is missing.
    ['that our fills do not agree with', 20, [30, 30, 30, 30, 30, 30, 30, 30, 30]],
    // Two minutes begin anew.
    ['between which the higher ones come again', 30, [30, 30, 30, 30, 50, 30, 30, 30, 30]],
  ])('RD3: sums %s are not dropped', (_name, booked, told) => {
    const { desk, order } = openOrder();
    desk.fills.book(tradeOf(order, booked));
    desk.advance(15_000);
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 50, status: 'COMPLETE' })));
    for (const lots of told) {
      desk.advance(16_500);
      desk.answer('getOrderV3', ok(recordOf(order, { lots, status: 'COMPLETE' })));
    }
    expect([order.state, desk.incidents]).toEqual(['completing', []]);
    expect(formatAmount(order.reported.base)).toBe('0.005');
  });

  test('C2: a cancel is stored before it is sent, and its answer is not final', () => {
    const { desk, order } = openOrder();
    desk.orders.cancel(order, 'moved');
    expect(desk.records.at(-2)).toMatchObject({ kind: 'order', row: { state: 'open' } });
    desk.answer('stoporder', success);
    expect(order.state).toBe('open');
    // A fill raced the stop.
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 60, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
    desk.fills.book(tradeOf(order, 60));
    expect(order.state).toBe('cancelled');
  });

  test.each([
    ['C3: an answer that is lost', noAnswer],
    ['C4: an order that cannot be stopped', refused(400, 'ErrCannotStopUnknownOrNonPendingOrder')],
    ['C6: 429', refused(429, 'ErrTooManyRequests')],
    ['C5: success: false', ok({ success: false })],
  ])('%s is repeated every two seconds until the record says complete', (_name, reply) => {
    const { desk, order } = openOrder();
    desk.orders.cancel(order, 'moved');
    for (let round = 0; round < 3; round++) {
      desk.answer('stoporder', reply);
      desk.answer('getOrderV3', ok(recordOf(order)));
      expect(desk.calls).toEqual([]);
      desk.advance(2_000);
    }
    desk.answer('stoporder', success);
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('I11 a cancel that is asked for during a read leaves right after it', () => {
    const { desk, order } = openOrder();
    desk.advance(15_000);
    desk.orders.cancel(order, 'moved');
    desk.answer('getOrderV3', ok(recordOf(order)));
    expect(desk.waiting('stoporder').parameters).toEqual({ order_id: 'BX1' });
  });

  test('A11: an id that the stream names with ours counts more than that of the answer', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', ok({ order_id: 'BX99' }));
    order.noteIds({ client_order_id: 'another', order_id: 'BX98' });
    expect(desk.calls).toEqual([]);
    order.noteIds({ client_order_id: order.clientOrderId, order_id: idOf(order) });
    expect(desk.waiting('getOrderV3').parameters).toEqual({ client_order_id: order.clientOrderId });
    desk.orders.cancel(order, 'moved');
    desk.answer('getOrderV3', noAnswer);
    // What the answer named may be an order of somebody else.
    expect(desk.waiting('stoporder').parameters).toEqual({ order_id: idOf(order) });
    desk.answer('stoporder', success);
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, order.orderId]).toEqual(['cancelled', idOf(order)]);
    expect(desk.incidents).toEqual(['ORDER_ID_DIFFERS']);
  });

  test('A11: a stop goes to the id of the record, whatever a stream has named before', () => {
    const { desk, order } = openOrder();
    desk.advance(15_000);
    order.noteIds({ client_order_id: order.clientOrderId, order_id: 'BX99' });
    desk.answer('getOrderV3', noAnswer);
    // A contradiction is read at once, not at the next poll, also during a read.
    expect(desk.waiting('getOrderV3').parameters).toEqual({ client_order_id: order.clientOrderId });
    desk.answer('getOrderV3', ok(recordOf(order)));
    desk.orders.cancel(order, 'moved');
    expect(desk.waiting('stoporder').parameters).toEqual({ order_id: idOf(order) });
  });

  test('A31: a status that nobody has told us of counts as open', () => {
    const { desk, order } = openOrder();
    desk.advance(15_000);
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'AWAITING' as 'PENDING' })));
    expect([order.state, desk.incidents]).toEqual(['open', []]);
    expect(desk.exposure.ordersOpen()).toBe(1);
  });

  test('A32: an order stays tracked and held through ten minutes without names', () => {
    const { desk, order } = openOrder();
    for (let poll = 0; poll < 40; poll++) {
      desk.advance(15_000);
      desk.answer('getOrderV3', { kind: 'not-sent', reason: 'ENOTFOUND' });
    }
    expect([order.state, desk.incidents]).toEqual(['open', []]);
    expect(desk.exposure.ordersOpen()).toBe(1);
  });

  test('C7: two hundred orders are stopped by one stop each before any is read', () => {
    const desk = new ExecutionFixture();
    for (let i = 1; i <= 200; i++) {
      const change = { intentId: i, key: `k${i}`, clientOrderId: `b1-x-${i}`, orderId: `BX${i}` };
      desk.executor.resume(desk.executor.restore(rowOf(change), market));
    }
    expect(desk.orders.cancelAll('the bot stops')).toBe(200);
    expect(desk.calls.map((call) => call.operation)).toEqual(Array(200).fill('stoporder'));
    expect(new Set(desk.calls.map((call) => call.parameters['order_id'])).size).toBe(200);
  });

  test('asking twice for a cancel sends one stop', () => {
    const { desk, order } = openOrder();
    desk.orders.cancel(order, 'moved');
    desk.orders.cancel(order, 'moved');
    expect(desk.calls).toHaveLength(1);
  });

  test('C4: an open order that is not found for a minute stays tracked, with one incident', () => {
    const { desk, order } = openOrder();
    for (let poll = 0; poll < 10; poll++) {
      desk.advance(15_000);
      desk.answer('getOrderV3', desk.stamped(notFound));
    }
    expect([order.state, desk.incidents]).toEqual(['open', ['ORDER_MISSING']]);
    expect(desk.exposure.ordersOpen()).toBe(1);
  });
});

test('RD6: an order that is done is never asked for again, and stays done when it is archived', () => {
  const { desk, order } = openOrder();
  desk.advance(15_000);
  desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
  expect(order.state).toBe('cancelled');
  desk.advance(101 * 24 * 3_600_000);
  expect(desk.calls).toEqual([]);
  expect(order.state).toBe('cancelled');
});

describe('completing', () => {
  function completing(lots: number): { desk: ExecutionFixture; order: TrackedOrder } {
    const { desk, order } = openOrder();
    desk.advance(15_000);
    desk.answer('getOrderV3', ok(recordOf(order, { lots, status: 'COMPLETE' })));
    return { desk, order };
  }

  test('I4 ends only when the fills add up to the record, to the last digit', () => {
    const { desk, order } = completing(100);
    expect(order.state).toBe('completing');
    desk.fills.book(tradeOf(order, 60, { sequence: '1' }));
    expect(order.state).toBe('completing');
    desk.fills.book(tradeOf(order, 40, { sequence: '2' }));
    expect(order.state).toBe('filled');
    expect(desk.exposure.ordersOpen()).toBe(0);
  });

  test.each(['fee_base', 'fee_counter', 'counter'])('a difference in %s alone keeps it', (name) => {
    const { desk, order } = completing(100);
    desk.fills.book(tradeOf(order, 100, { [name]: '0.00000003' }));
    expect(order.state).toBe('completing');
  });

  test('asks for the list of trades again and again, and re-reads the record', () => {
    const { desk, order } = completing(100);
    const before = desk.tradesRequests;
    desk.advance(14_999);
    expect(desk.tradesRequests).toBeGreaterThan(before + 5);
    desk.advance(1);
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 100, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
  });

  test('RD5: COMPLETE without fills is cancelled at once', () => {
    expect(completing(0).order.state).toBe('cancelled');
  });

  test('fills that do not add up for ten minutes are an incident and halt the pair', () => {
    const { desk, order } = completing(100);
    for (let second = 0; second < 650; second++) {
      desk.advance(1_000);
      if (desk.calls.length > 0) desk.answer('getOrderV3', noAnswer);
    }
    expect(desk.incidents).toEqual(['FILLS_DO_NOT_ADD_UP']);
    expect(desk.tradingStates).toEqual(['pair:XBTZAR HALTED']);
    desk.fills.book(tradeOf(order, 100));
    expect(order.state).toBe('filled');
  });
});

describe('following where a replay answers', () => {
  function replayedOrder(): { desk: ExecutionFixture; order: TrackedOrder } {
    const desk = new ExecutionFixture({ isReplay: true });
    const order = desk.place();
    desk.answer('postorder', ok({ order_id: idOf(order) }));
    return { desk, order };
  }

  test('asks for nothing until the stream says something, and counts the polls of a live bot', () => {
    const { desk, order } = replayedOrder();
    const openMs = desk.nowMs;
    desk.advance(100_000);
    expect([desk.calls, desk.unmadeMs]).toEqual([[], []]);
    order.completionHinted = true;
    order.changed.raise();
    // Those of the last minute: the call budget has forgotten the others.
    expect(desk.unmadeMs.map((ms) => ms - openMs)).toEqual([45_000, 60_000, 75_000, 90_000]);
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('a stop that was taken is not repeated, however late the order ends', () => {
    const { desk, order } = replayedOrder();
    desk.orders.cancel(order, 'test');
    desk.answer('stoporder', success);
    desk.answer('getOrderV3', ok(recordOf(order)));
    desk.advance(60_000);
    expect(desk.calls).toEqual([]);
    order.completionHinted = true;
    order.changed.raise();
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
  });

  test('one whose answer came too late is repeated', () => {
    const { desk, order } = replayedOrder();
    desk.orders.cancel(order, 'test');
    desk.answer('stoporder', noAnswer);
    desk.answer('getOrderV3', ok(recordOf(order)));
    desk.advance(2_000);
    expect(desk.waiting('stoporder')).toMatchObject({ priority: 'cancel' });
  });
});
