/** One order from approval to its first known state (catalogue 2.3). */

import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import type { Ticks } from '../../../src/domain/money.ts';
import {
  book,
  ExecutionFixture,
  idOf,
  noAnswer,
  notFound,
  ok,
  recordOf,
  refused,
  startMs,
  tradeOf,
} from './execution-fixture.ts';

describe('sending', () => {
  test('stores intent and attempt in the step that lets the request go (I2)', () => {
    const harness = new ExecutionFixture();
    harness.exchangeClock.observe(startMs - 250, startMs);
    const order = harness.place();
    const { parameters, priority } = harness.waiting('postorder');
    expect(priority).toBe('place');
    const wanted = {
      pair: 'XBTZAR',
      type: 'BID',
      price: '1000000.00',
      volume: '0.0100',
      time_in_force: 'GTC',
      post_only: true,
      base_account_id: '11',
      counter_account_id: '13',
      timestamp: startMs,
      ttl: 2_000,
      client_order_id: order.clientOrderId,
    };
    // As text, like a replay: an earlier journal has the fields in this order.
    expect(JSON.stringify(parameters)).toBe(JSON.stringify(wanted));
    expect(harness.records.map((record) => record.kind)).toEqual([
      'order',
      'evidence',
      'order',
      'evidence',
      'attempt',
    ]);
    expect(harness.evidence).toEqual(['waiting', 'sending']);
  });

  test('an order that holds its volume cannot hold it a second time', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    expect(() => harness.orders.hold(order)).toThrow(/is held already/);
  });

  test('K1: never stamps ahead of the exchange, whatever our own clock says', () => {
    const harness = new ExecutionFixture({ isClockKnown: false });
    harness.exchangeClock.observe(startMs - 2_000, startMs);
    harness.place();
    expect(harness.waiting('postorder').parameters['timestamp']).toBe(startMs - 2_000);
  });

  test.each([3_600_000, -3_600_000])('sends nothing while the clocks differ by %i ms', (ms) => {
    const harness = new ExecutionFixture({ isClockKnown: false });
    harness.exchangeClock.observe(startMs + ms, startMs);
    const order = harness.place();
    expect([harness.calls, order.state]).toEqual([[], 'unsent']);
  });

  test("sends nothing while the exchange's clock is unknown", () => {
    const harness = new ExecutionFixture({ isClockKnown: false });
    const order = harness.place();
    expect(harness.calls).toEqual([]);
    expect(order.state).toBe('unsent');
  });

  test('is open with the id that the answer gives', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', ok({ order_id: idOf(order) }));
    expect([order.state, order.orderId]).toEqual(['open', 'BX1']);
    expect(harness.orders.tracker.byOrderId('BX1')).toBe(order);
    expect(harness.orders.counts).toEqual({ accepted: 1, firstAcceptedMs: startMs });
  });

  test('A2: accepted, answer lost: it is found by our own id and adopted', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', noAnswer);
    expect(order.state).toBe('unknown');
    harness.advance(250);
    const { parameters, priority } = harness.waiting('getOrderV3');
    expect([parameters, priority]).toEqual([{ client_order_id: order.clientOrderId }, 'resolve']);
    harness.answer('getOrderV3', harness.stamped(ok(recordOf(order))));
    expect([order.state, order.orderId]).toEqual(['open', 'BX1']);
    expect(harness.orders.counts.accepted).toBe(1);
  });

  test.each([
    ['ErrInsufficientBalance', 400],
    ['ErrMarketUnavailable', 404],
  ])('%s on the only attempt ends it and gives the room back', (code, status) => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    expect(harness.exposure.ordersOpen()).toBe(1);
    harness.answer('postorder', refused(status, code));
    expect(order.state).toBe('rejected');
    expect(harness.exposure.ordersOpen()).toBe(0);
    harness.advance(600_000);
    expect(harness.calls).toEqual([]);
  });

  test('A12: a definitive refusal after an ambiguous attempt is looked up, not believed', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    order.raiseDoubt('unanswered');
    harness.answer('postorder', refused(400, 'ErrInsufficientBalance'));
    expect(order.state).toBe('unknown');
    harness.advance(250);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 100, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
  });

  test('A13: 409 on the first attempt is looked up; equal terms are adopted', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', refused(409, 'ErrDuplicateClientOrderID'));
    expect(order.state).toBe('unknown');
    harness.advance(250);
    harness.answer('getOrderV3', ok(recordOf(order)));
    expect(order.state).toBe('open');
    expect(harness.incidents).toEqual([]);
  });

  test.each([
    ['pair', 'ETHXBT'],
    ['side', 'SELL'],
    ['limit_price', '999999'],
    ['limit_volume', '0.02'],
    ['base_account_id', '12'],
    ['counter_account_id', '14'],
  ])(
    'A22, A25: other terms under our id (%s) are an incident and halt the bot, once',
    (name, value) => {
      const harness = new ExecutionFixture();
      const order = harness.place();
      harness.answer('postorder', refused(409, 'ErrDuplicateClientOrderID'));
      harness.advance(250);
      harness.answer('getOrderV3', ok(recordOf(order, { [name]: value })));
      harness.advance(15_000);
      harness.answer('getOrderV3', ok(recordOf(order, { [name]: value })));
      expect(harness.incidents).toEqual(['ORDER_DIFFERS']);
      expect(harness.tradingStates).toEqual(['bot HALTED']);
    },
  );

  test('A11: a record of another order is an incident and is not merged', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', ok({ order_id: 'BX99' }));
    harness.advance(15_000);
    const other = recordOf(order, { client_order_id: 'another', lots: 50, order_id: 'BX99' });
    harness.answer('getOrderV3', ok(other));
    expect(harness.incidents).toEqual(['ORDER_ID_DIFFERS']);
    expect(formatAmount(order.reported.base)).toBe('0');
  });

  test('A11: an answer with the id of another order of ours is looked up, and takes nothing from that one', () => {
    const harness = new ExecutionFixture();
    const first = harness.place();
    harness.answer('postorder', ok({ order_id: idOf(first) }));
    const second = harness.place({ price: 99_990_000 as Ticks });
    harness.answer('postorder', ok({ order_id: idOf(first) }));
    expect([first.state, second.state, second.orderId]).toEqual(['open', 'unknown', undefined]);
    expect(harness.incidents).toEqual(['ORDER_ID_DIFFERS']);
    expect(harness.tradingStates).toEqual(['bot HALTED']);
    expect(harness.orders.tracker.byOrderId(idOf(first))).toBe(first);
    harness.advance(250);
    harness.answer('getOrderV3', ok(recordOf(second)));
    expect([second.state, second.orderId]).toEqual(['open', idOf(second)]);
  });

  test('A11: an answer with another id than the stream has named is looked up', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    order.noteIds({ clientOrderId: order.clientOrderId, orderId: idOf(order) });
    harness.answer('postorder', ok({ order_id: 'BX99' }));
    expect([order.state, order.orderId]).toEqual(['unknown', undefined]);
    expect(harness.incidents).toEqual(['ORDER_ID_DIFFERS']);
    expect(harness.tradingStates).toEqual(['bot HALTED']);
  });

  test('A11: an id that leads to nothing or to a stranger is given up for our own', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', ok({ order_id: 'BX99' }));
    harness.advance(15_000);
    harness.answer('getOrderV3', notFound);
    harness.advance(15_000);
    expect(harness.waiting('getOrderV3').parameters).toEqual({
      client_order_id: order.clientOrderId,
    });
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, order.orderId]).toEqual(['cancelled', idOf(order)]);
    expect(harness.orders.tracker.byOrderId('BX99')).toBeUndefined();
  });

  test('A14: 409 while reads still say not found: it stays unknown, under the same id', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', refused(409, 'ErrDuplicateClientOrderID'));
    for (let read = 0; read < 8; read++) {
      harness.advance(2_000);
      harness.answer('getOrderV3', harness.stamped(notFound));
      expect(order.state).toBe('unknown');
    }
    harness.advance(2_000);
    harness.answer('getOrderV3', harness.stamped(ok(recordOf(order))));
    expect(order.state).toBe('open');
    expect(harness.records.filter((record) => record.kind === 'attempt')).toHaveLength(1);
  });

  test.each([
    ['429', refused(429, 'ErrTooManyRequests')],
    ['A8: ErrDeadlineExceeded', refused(400, 'ErrDeadlineExceeded')],
    ['A7: 500', refused(500, 'ErrInternal')],
    ['an unknown code', refused(400, 'ErrNeverSeen')],
  ])('%s proves nothing', (_name, reply) => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', reply);
    expect([order.state, order.doubt]).toEqual(['unknown', 'unanswered']);
    expect(harness.exposure.ordersOpen()).toBe(1);
  });

  test('a refused key leaves the order unknown, never forgotten', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', refused(401, 'ErrApiKeyRevoked'));
    expect([order.state, order.doubt]).toEqual(['unknown', 'unanswered']);
  });

  test('what did not leave is sent again under the same id with a fresh timestamp', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    const id = harness.waiting('postorder').parameters['client_order_id'];
    harness.answer('postorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect(order.state).toBe('waiting');
    harness.advance(1_000);
    const again = harness.waiting('postorder').parameters;
    expect([again['client_order_id'], again['timestamp']]).toEqual([id, startMs + 1_000]);
    expect(harness.records.filter((record) => record.kind === 'attempt')).toHaveLength(2);
  });

  test('an intent that is ten seconds old is not sent any more', () => {
    const harness = new ExecutionFixture();
    harness.isBudgetFull = true;
    const order = harness.place();
    harness.advance(10_001);
    harness.isBudgetFull = false;
    harness.release();
    expect([order.state, harness.calls.length]).toEqual(['unsent', 0]);
    expect(harness.records.some((record) => record.kind === 'attempt')).toBe(false);
    expect(harness.exposure.ordersOpen()).toBe(0);
  });

  test('K5: an intent from before a standstill is not sent after it, however young', () => {
    const harness = new ExecutionFixture();
    harness.isBudgetFull = true;
    const waiting = harness.place();
    harness.advance(1_000);
    harness.orders.expireIntents();
    const later = harness.place({ price: (waiting.terms.price - 1) as Ticks });
    harness.isBudgetFull = false;
    harness.release();
    expect([waiting.state, later.state]).toEqual(['unsent', 'sending']);
    expect(harness.waiting('postorder').parameters['client_order_id']).toBe(later.clientOrderId);
  });

  test('an intent that is cancelled before it left ends at once, and leaves the queue', () => {
    const harness = new ExecutionFixture();
    harness.isBudgetFull = true;
    const order = harness.place();
    expect(harness.isWaiting).toBe(true);
    harness.orders.cancel(order, 'changed my mind');
    expect([order.state, harness.isWaiting]).toEqual(['unsent', false]);
    expect(harness.exposure.ordersOpen()).toBe(0);
    harness.isBudgetFull = false;
    harness.release();
    expect([order.state, harness.calls.length]).toEqual(['unsent', 0]);
  });

  test('so does one that is sent again after it did not leave', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    harness.isBudgetFull = true;
    harness.orders.cancel(order, 'changed my mind');
    expect([order.state, harness.isWaiting]).toEqual(['unsent', false]);
  });

  test('and one that is cancelled while its request is on its way, and that did not leave', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.orders.cancel(order, 'changed my mind');
    harness.answer('postorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect([order.state, harness.isWaiting]).toEqual(['unsent', false]);
  });

  test('one that a moved quote gives up ends at its turn, or with a cancel before', () => {
    const harness = new ExecutionFixture();
    harness.isBudgetFull = true;
    const [first, second] = [harness.place(), harness.place({ price: 99_999_999 as Ticks })];
    for (const order of [first, second]) harness.orders.cancelAtTurn(order, 'quote moved');
    expect([first.state, second.state]).toEqual(['waiting', 'waiting']);
    harness.orders.cancel(first, 'halted');
    expect([first.state, second.state]).toEqual(['unsent', 'waiting']);
    harness.isBudgetFull = false;
    harness.release();
    expect([second.state, harness.calls.length]).toEqual(['unsent', 0]);
  });

  test('a cancel takes no request back that has left', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.orders.cancel(order, 'changed my mind');
    expect(order.state).toBe('sending');
    harness.answer('postorder', ok({ order_id: idOf(order) }));
    expect(order.state).toBe('open');
    expect(harness.waiting('stoporder').parameters['order_id']).toBe(idOf(order));
  });

  test('A17: a fill before the answer is booked, stored with the order id, and kept', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    book(harness.fills, tradeOf(order, 40));
    expect([order.state, order.orderId]).toEqual(['sending', 'BX1']);
    const kept = harness.records.findLast((record) => record.kind === 'order');
    expect(kept).toMatchObject({ row: { orderId: 'BX1', state: 'sending' } });
    harness.answer('postorder', ok({ order_id: 'BX1' }));
    expect([order.state, formatAmount(order.booked.base)]).toEqual(['open', '0.004']);
  });

  test('A18: an order that is complete before its answer comes is adopted as complete', () => {
    const harness = new ExecutionFixture();
    const order = harness.place({ timeInForce: 'GTC' });
    book(harness.fills, tradeOf(order, 100));
    harness.answer('postorder', ok({ order_id: 'BX1' }));
    order.completionHinted = true;
    order.changed.raise();
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 100, status: 'COMPLETE' })));
    expect(order.state).toBe('filled');
  });
});
