/** Watching orders that rest: every second with messages, and not without. */
import { expect, test } from 'vitest';
import type { Limits } from '../../../src/domain/bot-settings.ts';
import { AtTrade } from '../../../src/engine/at-trade.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { Gate } from '../../../src/risk/gate.ts';
import { ExecutionFixture, idOf, ok } from '../execution/execution-fixture.ts';
import { settings } from '../risk/open-gate.ts';

const ageMsMax = 100_000;

function watched() {
  const desk = new ExecutionFixture();
  const order = desk.place();
  desk.answer('postorder', ok({ order_id: idOf(order) }));
  const { price } = order.terms;
  const startedMs = desk.nowMs;
  /** When losses were looked at, in milliseconds since the start. */
  const looksMs: number[] = [];
  let mid2 = 2 * price;
  let lastMessageMicros = startedMs * 1000;
  const atTrade = new AtTrade({
    context: {
      exposure: desk.exposure,
      timers: desk.timers,
      get nowMs() {
        return desk.nowMs;
      },
      get nowMicros() {
        return desk.nowMs * 1000;
      },
    },
    orders: desk.orders,
    breakers: { lookAtLosses: () => looksMs.push(desk.nowMs - startedMs) },
    limits: { account: { ...(settings.limits as Limits).account, orderAgeMsMax: ageMsMax } },
    gateLimits: new Gate(settings).limits,
    mid2Of: () => mid2,
    lastMessageMicros: () => lastMessageMicros,
  });
  atTrade.arm();
  const message = (newMid2 = mid2): void => {
    mid2 = newMid2;
    lastMessageMicros = desk.nowMs * 1000;
    if (atTrade.isWaiting) atTrade.arm();
  };
  return { desk, order, atTrade, looksMs, message };
}

const isCancelled = ({ cancelRequestedMs }: TrackedOrder): boolean =>
  cancelRequestedMs !== undefined;

test('looks every second while messages come', () => {
  const { desk, looksMs, message } = watched();
  for (let second = 0; second < 4; second++) {
    desk.advance(500);
    message();
    desk.advance(500);
  }
  expect(looksMs).toEqual([1_000, 2_000, 3_000, 4_000]);
});

test('stops looking after a second without a message, and goes on at the second where it would be', () => {
  const { desk, atTrade, order, looksMs, message } = watched();
  desk.advance(30_300);
  expect([atTrade.isWaiting, looksMs]).toEqual([true, [1_000, 2_000]]);
  message(4 * order.terms.price);
  expect(atTrade.isWaiting).toBe(false);
  desk.advance(699);
  expect(isCancelled(order)).toBe(false);
  desk.advance(1);
  expect([isCancelled(order), looksMs.at(-1)]).toEqual([true, 31_000]);
});

test('an order that becomes too old is cancelled without any message', () => {
  const { desk, atTrade, order, looksMs } = watched();
  desk.advance(ageMsMax);
  expect([atTrade.isWaiting, isCancelled(order)]).toEqual([true, false]);
  desk.advance(1_000);
  expect([isCancelled(order), looksMs]).toEqual([true, [1_000, 2_000, ageMsMax + 1_000]]);
});

test('a new order is looked at within a second, and nothing once all have ended', () => {
  const { desk, atTrade, order, looksMs, message } = watched();
  desk.advance(10_400);
  atTrade.arm();
  desk.advance(600);
  expect(looksMs).toEqual([1_000, 2_000, 11_000]);
  desk.orders.setState(order, 'completing', 'test');
  message();
  desk.advance(60_000);
  expect(looksMs.length).toBeLessThanOrEqual(4);
  expect([atTrade.isWaiting, desk.timers.nextMicros]).toEqual([false, undefined]);
});
