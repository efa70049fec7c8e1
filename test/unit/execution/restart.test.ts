/** What becomes of stored orders when the bot starts again (3.7, A19). */
import { describe, expect, test } from 'vitest';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import type { OrderRow } from '../../../src/domain/records.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { ExecutionFixture, market, ok, recordOf, rowOf, startMs } from './execution-fixture.ts';

function restored(change: Partial<OrderRow>): { harness: ExecutionFixture; order: TrackedOrder } {
  const harness = new ExecutionFixture();
  const order = harness.executor.restore(rowOf(change), market);
  if (!order.isFinal) harness.executor.resume(order);
  return { harness, order };
}

const unseen = { orderId: undefined } as const;

describe('a restart', () => {
  test('A19: what had not left stays unsent: nothing is sent of itself', () => {
    const { harness, order } = restored({ ...unseen, state: 'waiting', attempts: 0 });
    expect([order.state, harness.exposure.ordersOpen()]).toEqual(['unsent', 0]);
    harness.advance(600_000);
    expect(harness.calls).toEqual([]);
  });

  test('A19: what may have left is unknown and looked up, never sent again', () => {
    const { harness, order } = restored({ ...unseen, state: 'sending' });
    expect([order.state, order.doubt]).toEqual(['unknown', 'lookup-only']);
    expect(harness.exposure.ordersOpen()).toBe(1);
    harness.advance(250);
    const { parameters } = harness.waiting('getOrderV3');
    expect(parameters).toEqual({ client_order_id: order.clientOrderId });
    harness.answer('getOrderV3', ok({ ...recordOf(order), order_id: 'BX7' }));
    expect(order.state).toBe('open');
  });

  test('an unknown one stays unknown, and its fence counts from its own attempt', () => {
    const { harness, order } = restored({
      ...unseen,
      state: 'unknown',
      lastTimestampMs: startMs - 200_000,
    });
    const reads: string[] = [];
    while (order.state === 'unknown') {
      const [call] = harness.calls;
      if (call === undefined) {
        harness.advance(50);
        continue;
      }
      reads.push(call.operation);
      const miss = { kind: 'refused', status: 404, code: 'ErrOrderNotFound', message: '' } as const;
      const empty = ok({ orders: [], trades: [] });
      harness.answer(
        call.operation,
        harness.stamped(call.operation === 'getOrderV3' ? miss : empty),
      );
    }
    expect(order.state).toBe('absent');
    expect(harness.nowMs - startMs).toBeLessThan(10_000);
    expect(reads).not.toContain('postorder');
  });

  test('an open one is followed; one that was being cancelled is stopped again', () => {
    expect(restored({ state: 'open' }).harness.calls).toEqual([]);
    const { harness } = restored({ state: 'open', cancelRequestedMs: startMs - 1_000 });
    expect(harness.waiting('stoporder').parameters).toEqual({ order_id: 'BX7' });
  });

  test('A17: a fill that was stored before the order id still counts for its order', () => {
    const harness = new ExecutionFixture();
    const order = harness.executor.restore(rowOf({ ...unseen, state: 'sending' }), market);
    harness.fills.restore(
      {
        pair: 'XBTZAR',
        sequence: '100',
        orderId: 'BX7',
        intentId: 7,
        strategyId: 'mm',
        side: 'BID',
        price: '1000000.00',
        volume: '0.0100',
        base: '0.0100',
        counter: '10000',
        feeBase: '0.00001',
        feeCounter: '0',
        tradedMs: startMs - 4_000,
        maker: true,
      },
      order,
      true,
    );
    harness.executor.resume(order);
    expect([order.orderId, formatAmount(order.booked.base)]).toEqual(['BX7', '0.01']);
    harness.advance(250);
    const complete = recordOf(order, { lots: 100, status: 'COMPLETE' });
    harness.answer('getOrderV3', ok({ ...complete, order_id: 'BX7' }));
    expect(order.state).toBe('filled');
  });

  test('holds only what is not filled yet', () => {
    const harness = new ExecutionFixture();
    const order = harness.executor.restore(rowOf({ state: 'open' }), market);
    order.booked = { ...order.booked, base: amountOf('0.004') };
    harness.executor.resume(order);
    expect(harness.exposure.openNotional('ZAR')).toBe(6_000n * 10n ** 18n);
  });

  test.each(['filled', 'cancelled', 'rejected', 'absent', 'unsent'] as const)(
    'a final one (%s) is only watched',
    (state) => {
      const { harness, order } = restored({ state });
      harness.advance(60_000);
      expect([harness.calls.length, harness.exposure.ordersOpen()]).toEqual([0, 0]);
      expect(harness.orders.tracker.byClientOrderId(order.clientOrderId)).toBe(order);
    },
  );
});
