/** The notices about orders say why: a rejection, an end, and the reason of an order by key. */
import { concat, delay, NEVER, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { OrderNotices } from '../../../src/engine/order-notice.ts';
import type { Intent } from '../../../src/index.ts';
import { begin, placeAt, type Run } from '../../support/scripted-world.ts';
import { ExecutionFixture, idOf, ok } from '../execution/execution-fixture.ts';

/** Returns the notices about orders of a strategy. */
function noticesOf(run: Run): readonly string[] {
  const notices: string[] = [];
  begin(run, {
    onNotice: (line) => {
      if (/^info own (?:BID|ASK) /u.test(line)) notices.push(line);
    },
  });
  return notices;
}

/** Places an order at `share` of the mid, and cancels it after a second. */
const placeAndCancel =
  (share: number): Run =>
  (_context, market) => {
    const place = placeAt(market, share);
    const { key } = place as Extract<Intent, { kind: 'place' }>;
    const cancel = { kind: 'cancel', pair: market.pair, key, reason: 'enough' } as Intent;
    return concat(of(place), of(cancel).pipe(delay(1_000)), NEVER);
  };

describe('a notice about an order', () => {
  test('that the exchange rejected has the code and the text of the exchange', () => {
    expect(noticesOf(placeAndCancel(1.01))).toEqual([
      expect.stringMatching(/was rejected by the exchange \(.*\): 4\d\d Err\w+: \S/u),
    ]);
  });

  test('that is placed by key has its reason, and its cancel another', () => {
    expect(noticesOf(placeAndCancel(0.99))).toEqual([
      expect.stringMatching(/ is open \(.*\): test$/u),
      expect.stringMatching(/ is cancelled \(.*\): enough$/u),
    ]);
  });
});

describe('an order that is filled before its request is answered', () => {
  const sent = () => {
    const fixture = new ExecutionFixture({});
    const order = fixture.place();
    expect(order.state).toBe('sending');
    return { fixture, order, notices: new OrderNotices() };
  };

  test('is announced as open before the fill, and not again', () => {
    const { fixture, order, notices } = sent();
    expect(notices.beforeFill(order)).toEqual({
      text: expect.stringMatching(/ is open \(order \d+\): test$/u),
      detail: order.clientOrderId,
    });
    expect(notices.beforeFill(order)).toBeUndefined();
    fixture.answer('postorder', ok({ order_id: idOf(order) }));
    expect(order.state).toBe('open');
    expect(notices.changed(order, 'answered')).toBeUndefined();
  });

  test('is not announced twice if it was open', () => {
    const { fixture, order, notices } = sent();
    fixture.answer('postorder', ok({ order_id: idOf(order) }));
    expect(notices.changed(order, 'answered')).toEqual({
      text: expect.stringMatching(/ is open \(order \d+\): test$/u),
      detail: `${idOf(order)} ${order.clientOrderId}`,
    });
    expect(notices.beforeFill(order)).toBeUndefined();
  });
});

test.each([
  ['IOC', 'IOC, and nothing more could be traded at once'],
  ['GTC', 'by the exchange or another user of the account, not by this bot'],
] as const)('an %s order that the exchange ended says so', (timeInForce, why) => {
  const order = new ExecutionFixture({}).place();
  Object.assign(order, { state: 'cancelled', terms: { ...order.terms, timeInForce } });
  expect(new OrderNotices().changed(order, 'record')?.text).toContain(`: ${why}`);
});
