/** Resting orders are checked every second while messages arrive, and else at the next one. */
import { expect, test } from 'vitest';
import type { BreakerAction, Limits } from '../../../src/domain/declared-limits.ts';
import { AtTrade } from '../../../src/engine/at-trade.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { Gate } from '../../../src/risk/gate.ts';
import { ExecutionFixture, idOf, ok } from '../execution/execution-fixture.ts';
import { goodBid, settings, ticks } from '../risk/open-gate.ts';

const ageMsMax = 100_000;

function setUp({ isApproved = false, onLoss = 'refuse' as BreakerAction } = {}) {
  const fixture = new ExecutionFixture();
  const order = fixture.place();
  fixture.answer('postorder', ok({ order_id: idOf(order) }));
  const { price } = order.terms;
  const startedMs = fixture.nowMs;
  /** When losses were checked, in milliseconds since the start. */
  const checksMs: number[] = [];
  let mid2 = 2 * price;
  let lastMessageMicros = startedMs * 1000;
  const atTrade = new AtTrade({
    context: {
      exposure: fixture.exposure,
      timers: fixture.timers,
      get nowMs() {
        return fixture.nowMs;
      },
      get nowMicros() {
        return fixture.nowMs * 1000;
      },
    },
    orders: fixture.orders,
    breakers: { checkLosses: () => checksMs.push(fixture.nowMs - startedMs) },
    limits: {
      account: { ...(settings.limits as Limits).account, orderAgeMsMax: ageMsMax, onLoss },
    },
    gateLimits: new Gate(settings).limits,
    mid2Of: () => mid2,
    lastMessageMicros: () => lastMessageMicros,
  });
  if (isApproved) atTrade.noteApproved();
  else atTrade.arm();
  const message = (newMid2 = mid2): void => {
    mid2 = newMid2;
    lastMessageMicros = fixture.nowMs * 1000;
    if (atTrade.isWaiting) atTrade.noteMessage();
  };
  return { fixture, order, atTrade, checksMs, message };
}

const isCancelled = ({ cancelRequestedMs }: TrackedOrder): boolean =>
  cancelRequestedMs !== undefined;

test('checks every second while messages arrive', () => {
  const { fixture, checksMs, message } = setUp();
  for (let second = 0; second < 4; second++) {
    fixture.advance(500);
    message();
    fixture.advance(500);
  }
  expect(checksMs).toEqual([1_000, 2_000, 3_000, 4_000]);
});

test('stops after a second without a message, and checks the next one at once', () => {
  const { fixture, atTrade, order, checksMs, message } = setUp();
  fixture.advance(30_300);
  expect([atTrade.isWaiting, checksMs]).toEqual([true, [1_000]]);
  message(4 * order.terms.price);
  expect([isCancelled(order), checksMs]).toEqual([true, [1_000, 30_300]]);
});

test('checks messages that follow a checked one a second after it', () => {
  const { fixture, atTrade, order, checksMs, message } = setUp();
  fixture.advance(30_300);
  message();
  fixture.advance(300);
  expect(atTrade.isWaiting).toBe(true);
  message(4 * order.terms.price);
  expect(atTrade.isWaiting).toBe(false);
  fixture.advance(699);
  expect(isCancelled(order)).toBe(false);
  fixture.advance(1);
  expect([isCancelled(order), checksMs]).toEqual([true, [1_000, 30_300, 31_300]]);
});

test('an approved order is checked at the next message, or when it becomes too old', () => {
  const { fixture, atTrade, order, checksMs, message } = setUp({ isApproved: true });
  fixture.advance(30_000);
  expect([atTrade.isWaiting, checksMs]).toEqual([true, []]);
  message();
  expect([isCancelled(order), checksMs]).toEqual([false, [30_000]]);
  fixture.advance(ageMsMax - 30_000 + 1_000);
  expect([isCancelled(order), checksMs]).toEqual([true, [30_000, ageMsMax + 1_000]]);
});

test('a booked fill is followed by a check only if a loss has an action', () => {
  for (const onLoss of ['refuse', 'cancel'] as const) {
    const { fixture, atTrade, checksMs } = setUp({ isApproved: true, onLoss });
    fixture.advance(10_400);
    atTrade.noteBooked();
    fixture.advance(600);
    expect(checksMs).toEqual(onLoss === 'refuse' ? [] : [11_000]);
  }
});

test('cancels an order that becomes too old, even without any message', () => {
  const { fixture, atTrade, order, checksMs } = setUp();
  fixture.advance(ageMsMax);
  expect([atTrade.isWaiting, isCancelled(order)]).toEqual([true, false]);
  fixture.advance(1_000);
  expect([isCancelled(order), checksMs]).toEqual([true, [1_000, ageMsMax + 1_000]]);
});

test('checks within a second when asked to, and nothing once all orders have ended', () => {
  const { fixture, atTrade, order, checksMs, message } = setUp();
  fixture.advance(10_400);
  atTrade.arm();
  fixture.advance(600);
  expect(checksMs).toEqual([1_000, 11_000]);
  fixture.orders.setState(order, 'completing', 'test');
  message();
  fixture.advance(ageMsMax);
  expect(checksMs.length).toBeLessThanOrEqual(4);
  expect([atTrade.isWaiting, fixture.timers.nextMicros]).toEqual([false, Infinity]);
});

test('cancels every order that waits for its call, though each ends at once', () => {
  const { fixture, message } = setUp();
  fixture.isBudgetFull = true;
  const waiting = [1, 2, 3].map((step) => fixture.place({ price: ticks(goodBid.price - step) }));
  fixture.advance(900);
  message(4 * goodBid.price);
  fixture.advance(100);
  expect(waiting.map(({ state }) => state)).toEqual(['unsent', 'unsent', 'unsent']);
});
