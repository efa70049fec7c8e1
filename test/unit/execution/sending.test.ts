/** One order from approval to its first known state (catalogue 2.3). */

import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import type { Ticks } from '../../../src/domain/money.ts';
import {
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
    const desk = new ExecutionFixture();
    desk.exchangeClock.observe(startMs - 250, startMs);
    const order = desk.place();
    const { parameters, priority } = desk.waiting('postorder');
    expect(priority).toBe('place');
    expect(parameters).toEqual({
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
    });
    expect(desk.records.map((record) => record.kind)).toEqual([
      'order',
      'evidence',
      'order',
      'evidence',
      'attempt',
    ]);
    expect(desk.evidence).toEqual(['waiting', 'sending']);
  });

  test('K1: never stamps ahead of the exchange, whatever our own clock says', () => {
    const desk = new ExecutionFixture({ isClockKnown: false });
    desk.exchangeClock.observe(startMs - 2_000, startMs);
    desk.place();
    expect(desk.waiting('postorder').parameters['timestamp']).toBe(startMs - 2_000);
  });

  test.each([3_600_000, -3_600_000])('sends nothing while the clocks differ by %i ms', (ms) => {
    const desk = new ExecutionFixture({ isClockKnown: false });
    desk.exchangeClock.observe(startMs + ms, startMs);
    const order = desk.place();
    expect([desk.calls, order.state]).toEqual([[], 'unsent']);
  });

  test("sends nothing while the exchange's clock is unknown", () => {
    const desk = new ExecutionFixture({ isClockKnown: false });
    const order = desk.place();
    expect(desk.calls).toEqual([]);
    expect(order.state).toBe('unsent');
  });

  test('is open with the id that the answer gives', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', ok({ order_id: idOf(order) }));
    expect([order.state, order.orderId]).toEqual(['open', 'BX1']);
    expect(desk.orders.tracker.byOrderId('BX1')).toBe(order);
    expect(desk.orders.counts).toEqual({ accepted: 1, firstAcceptedMs: startMs });
  });

  test('A2: accepted, answer lost: it is found by our own id and adopted', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', noAnswer);
    expect(order.state).toBe('unknown');
    desk.advance(250);
    const { parameters, priority } = desk.waiting('getOrderV3');
    expect([parameters, priority]).toEqual([{ client_order_id: order.clientOrderId }, 'resolve']);
    desk.answer('getOrderV3', desk.stamped(ok(recordOf(order))));
    expect([order.state, order.orderId]).toEqual(['open', 'BX1']);
    expect(desk.orders.counts.accepted).toBe(1);
  });

  test.each([
    ['ErrInsufficientBalance', 400],
    ['ErrMarketUnavailable', 404],
  ])('%s on the only attempt ends it and gives the room back', (code, status) => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    expect(desk.exposure.ordersOpen()).toBe(1);
    desk.answer('postorder', refused(status, code));
    expect(order.state).toBe('rejected');
    expect(desk.exposure.ordersOpen()).toBe(0);
    desk.advance(600_000);
    expect(desk.calls).toEqual([]);
  });

  test('A12: a definitive refusal after an ambiguous attempt is looked up, not believed', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    order.raiseDoubt('unanswered');
    desk.answer('postorder', refused(400, 'ErrInsufficientBalance'));
    expect(order.state).toBe('unknown');
    desk.advance(250);
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 100, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
  });

  test('A13: 409 on the first attempt is looked up; equal terms are adopted', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', refused(409, 'ErrDuplicateClientOrderID'));
    expect(order.state).toBe('unknown');
    desk.advance(250);
    desk.answer('getOrderV3', ok(recordOf(order)));
    expect(order.state).toBe('open');
    expect(desk.incidents).toEqual([]);
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
      const desk = new ExecutionFixture();
      const order = desk.place();
      desk.answer('postorder', refused(409, 'ErrDuplicateClientOrderID'));
      desk.advance(250);
      desk.answer('getOrderV3', ok(recordOf(order, { [name]: value })));
      desk.advance(15_000);
      desk.answer('getOrderV3', ok(recordOf(order, { [name]: value })));
      expect(desk.incidents).toEqual(['ORDER_DIFFERS']);
      expect(desk.tradingStates).toEqual(['bot HALTED']);
    },
  );

  test('A11: a record of another order is an incident and is not merged', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', ok({ order_id: 'BX99' }));
    desk.advance(15_000);
    const other = recordOf(order, { client_order_id: 'another', lots: 50, order_id: 'BX99' });
    desk.answer('getOrderV3', ok(other));
    expect(desk.incidents).toEqual(['ORDER_ID_DIFFERS']);
    expect(formatAmount(order.reported.base)).toBe('0');
  });

  test('A11: an answer with the id of another order of ours is looked up, and takes nothing from that one', () => {
    const desk = new ExecutionFixture();
    const first = desk.place();
    desk.answer('postorder', ok({ order_id: idOf(first) }));
    const second = desk.place({ price: 99_990_000 as Ticks });
    desk.answer('postorder', ok({ order_id: idOf(first) }));
    expect([first.state, second.state, second.orderId]).toEqual(['open', 'unknown', undefined]);
    expect(desk.incidents).toEqual(['ORDER_ID_DIFFERS']);
    expect(desk.tradingStates).toEqual(['bot HALTED']);
    expect(desk.orders.tracker.byOrderId(idOf(first))).toBe(first);
    desk.advance(250);
    desk.answer('getOrderV3', ok(recordOf(second)));
    expect([second.state, second.orderId]).toEqual(['open', idOf(second)]);
  });

  test('A11: an answer with another id than the stream has named is looked up', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    order.noteIds({ client_order_id: order.clientOrderId, order_id: idOf(order) });
    desk.answer('postorder', ok({ order_id: 'BX99' }));
    expect([order.state, order.orderId]).toEqual(['unknown', undefined]);
    expect(desk.incidents).toEqual(['ORDER_ID_DIFFERS']);
    expect(desk.tradingStates).toEqual(['bot HALTED']);
  });

  test('A11: an id that leads to nothing or to a stranger is given up for our own', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', ok({ order_id: 'BX99' }));
    desk.advance(15_000);
    desk.answer('getOrderV3', notFound);
    desk.advance(15_000);
    expect(desk.waiting('getOrderV3').parameters).toEqual({
      client_order_id: order.clientOrderId,
    });
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, order.orderId]).toEqual(['cancelled', idOf(order)]);
    expect(desk.orders.tracker.byOrderId('BX99')).toBeUndefined();
  });

  test('A14: 409 while reads still say not found: it stays unknown, under the same id', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', refused(409, 'ErrDuplicateClientOrderID'));
    for (let read = 0; read < 8; read++) {
      desk.advance(2_000);
      desk.answer('getOrderV3', desk.stamped(notFound));
      expect(order.state).toBe('unknown');
    }
    desk.advance(2_000);
    desk.answer('getOrderV3', desk.stamped(ok(recordOf(order))));
    expect(order.state).toBe('open');
    expect(desk.records.filter((record) => record.kind === 'attempt')).toHaveLength(1);
  });

  test.each([
    ['429', refused(429, 'ErrTooManyRequests')],
    ['A8: ErrDeadlineExceeded', refused(400, 'ErrDeadlineExceeded')],
    ['A7: 500', refused(500, 'ErrInternal')],
    ['an unknown code', refused(400, 'ErrNeverSeen')],
  ])('%s proves nothing', (_name, reply) => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', reply);
    expect([order.state, order.doubt]).toEqual(['unknown', 'unanswered']);
    expect(desk.exposure.ordersOpen()).toBe(1);
  });

  test('a refused key leaves the order unknown, never forgotten', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', refused(401, 'ErrApiKeyRevoked'));
    expect([order.state, order.doubt]).toEqual(['unknown', 'unanswered']);
  });

  test('what did not leave is sent again under the same id with a fresh timestamp', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    const id = desk.waiting('postorder').parameters['client_order_id'];
    desk.answer('postorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect(order.state).toBe('waiting');
    desk.advance(1_000);
    const again = desk.waiting('postorder').parameters;
    expect([again['client_order_id'], again['timestamp']]).toEqual([id, startMs + 1_000]);
    expect(desk.records.filter((record) => record.kind === 'attempt')).toHaveLength(2);
  });

  test('an intent that is ten seconds old is not sent any more', () => {
    const desk = new ExecutionFixture();
    desk.isBudgetFull = true;
    const order = desk.place();
    desk.advance(10_001);
    desk.isBudgetFull = false;
    desk.release();
    expect([order.state, desk.calls.length]).toEqual(['unsent', 0]);
    expect(desk.records.some((record) => record.kind === 'attempt')).toBe(false);
    expect(desk.exposure.ordersOpen()).toBe(0);
  });

  test('K5: an intent from before a standstill is not sent after it, however young', () => {
    const desk = new ExecutionFixture();
    desk.isBudgetFull = true;
    const waiting = desk.place();
    desk.advance(1_000);
    desk.orders.expireIntents();
    const later = desk.place({ price: (waiting.terms.price - 1) as Ticks });
    desk.isBudgetFull = false;
    desk.release();
    expect([waiting.state, later.state]).toEqual(['unsent', 'sending']);
    expect(desk.waiting('postorder').parameters['client_order_id']).toBe(later.clientOrderId);
  });

  test('an intent that is cancelled before it left ends at once, and leaves the queue', () => {
    const desk = new ExecutionFixture();
    desk.isBudgetFull = true;
    const order = desk.place();
    expect(desk.isWaiting).toBe(true);
    desk.orders.cancel(order, 'changed my mind');
    expect([order.state, desk.isWaiting]).toEqual(['unsent', false]);
    expect(desk.exposure.ordersOpen()).toBe(0);
    desk.isBudgetFull = false;
    desk.release();
    expect([order.state, desk.calls.length]).toEqual(['unsent', 0]);
  });

  test('so does one that is sent again after it did not leave', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    desk.isBudgetFull = true;
    desk.orders.cancel(order, 'changed my mind');
    expect([order.state, desk.isWaiting]).toEqual(['unsent', false]);
  });

  test('and one that is cancelled while its request is on its way, and that did not leave', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.orders.cancel(order, 'changed my mind');
    desk.answer('postorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect([order.state, desk.isWaiting]).toEqual(['unsent', false]);
  });

  test('one that a moved quote gives up ends at its turn, or with a cancel before', () => {
    const desk = new ExecutionFixture();
    desk.isBudgetFull = true;
    const [first, second] = [desk.place(), desk.place({ price: 99_999_999 as Ticks })];
    for (const order of [first, second]) desk.orders.cancelAtTurn(order, 'quote moved');
    expect([first.state, second.state]).toEqual(['waiting', 'waiting']);
    desk.orders.cancel(first, 'halted');
    expect([first.state, second.state]).toEqual(['unsent', 'waiting']);
    desk.isBudgetFull = false;
    desk.release();
    expect([second.state, desk.calls.length]).toEqual(['unsent', 0]);
  });

  test('a cancel takes no request back that has left', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.orders.cancel(order, 'changed my mind');
    expect(order.state).toBe('sending');
    desk.answer('postorder', ok({ order_id: idOf(order) }));
    expect(order.state).toBe('open');
    expect(desk.waiting('stoporder').parameters['order_id']).toBe(idOf(order));
  });

  test('A17: a fill before the answer is booked, stored with the order id, and kept', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.fills.book(tradeOf(order, 40));
    expect([order.state, order.orderId]).toEqual(['sending', 'BX1']);
    const kept = desk.records.findLast((record) => record.kind === 'order');
    expect(kept).toMatchObject({ row: { orderId: 'BX1', state: 'sending' } });
    desk.answer('postorder', ok({ order_id: 'BX1' }));
    expect([order.state, formatAmount(order.booked.base)]).toEqual(['open', '0.004']);
  });

  test('A18: an order that is complete before its answer comes is adopted as complete', () => {
    const desk = new ExecutionFixture();
    const order = desk.place({ timeInForce: 'GTC' });
    desk.fills.book(tradeOf(order, 100));
    desk.answer('postorder', ok({ order_id: 'BX1' }));
    order.completionHinted = true;
    order.changed.raise();
    desk.answer('getOrderV3', ok(recordOf(order, { lots: 100, status: 'COMPLETE' })));
    expect(order.state).toBe('filled');
  });
});
