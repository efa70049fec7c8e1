/** The orders that can be queried, compared with a plain list of all orders. */
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { KeptOrders } from '../../../src/replay-exchange/account/kept-orders.ts';
import { orderIdOf } from '../../../src/replay-exchange/account/order-ids.ts';
import {
  createReplayOrder,
  type ReplayOrder,
} from '../../../src/replay-exchange/account/replay-order.ts';
import { OwnOrder } from '../../../src/replay-exchange/fill-models/own-order.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const keptMs = 60_000;

function orderOf(number: number, timeMs: number): { order: ReplayOrder; own: OwnOrder } {
  const clientOrderId = number % 5 === 0 ? '' : `mine-${number}`;
  const terms = {
    ...{ clientOrderId, side: 'BID' as const, price: 100 as Ticks, volume: 1 as Lots },
    ...{ timeInForce: 'GTC' as const, postOnly: false },
  };
  const own = new OwnOrder(number, terms, timeMs * 1_000);
  const accounts = { pair: 'XBTEUR', baseAccountId: '1', counterAccountId: '2' };
  const at = { id: own.orderId, timeMs, reserved: 0n };
  return { order: createReplayOrder({ ...terms, ...accounts }, at), own };
}

test('answers like a list of all orders, whatever was dropped', () => {
  const random = new SeededRandom(7);
  const kept = new KeptOrders(keptMs);
  const all: ReplayOrder[] = [];
  const earlier = { ...orderOf(3, 0).order, status: 'COMPLETE' as const, completedMs: 500 };
  kept.restore(earlier);
  all.push(earlier);
  let number = 3;
  let nowMs = 1_000;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  const expectSame = (): void => {
    const there = all.filter(
      ({ status, completedMs }) => status === 'PENDING' || completedMs + keptMs > lastEndMs,
    );
    const open = there.filter(({ status }) => status === 'PENDING');
    expect([...kept.values()]).toEqual(there);
    expect(kept.pending.map(({ orderId }) => orderId)).toEqual(open.map(({ id }) => id));
    expect([kept.count, kept.size]).toEqual([all.length, there.length]);
    for (const order of all) {
      const expected = there.includes(order) ? order : undefined;
      expect(kept.get(order.id)).toBe(expected);
      if (order.clientOrderId !== '') expect(kept.byClientId(order.clientOrderId)).toBe(expected);
    }
  };
  for (let step = 1; step <= 12_000; step++) {
    nowMs += random.integer(0, 100);
    // The numbers in between belong to orders of other markets.
    number += random.integer(1, 3);
    const { order, own } = orderOf(number, nowMs);
    kept.add(order, own);
    all.push(order);
    // Some stay open forever, most end after a few others.
    const place = random.integer(0, Math.max(0, kept.pending.length - 1));
    const ending = kept.pending[place];
    if (ending !== undefined && (kept.pending.length > 8 || random.integer(0, 1) === 0)) {
      const ended = kept.openOf(ending.number) as ReplayOrder;
      expect(kept.pendingOf(ended.id)).toBe(ending);
      expect(kept.pendingOf(ended.id.replace('0', ''))).toBeUndefined();
      ended.status = 'COMPLETE';
      ended.completedMs = nowMs;
      lastEndMs = nowMs;
      kept.end(ended, ending);
      expect(kept.pendingOf(ended.id)).toBeUndefined();
    }
    if (step % 3_000 === 0) expectSame();
  }
});

test.each(['BXT1', 'BXT0000000000001', 'BXT00000000000x', 'BX000000000001', ''])(
  '%j names no order',
  (id) => {
    const kept = new KeptOrders(keptMs);
    const { order, own } = orderOf(1, 1_000);
    kept.add(order, own);
    expect(kept.get(orderIdOf(1))).toBe(order);
    expect(kept.get(id)).toBeUndefined();
  },
);
