/** What becomes of stored orders when the bot starts again (3.7, A19). */
import { describe, expect, test } from 'vitest';
import { amountOf, formatAmount } from '../../../src/domain/amount.ts';
import type { OrderRow } from '../../../src/domain/records.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { ExecutionFixture, market, ok, recordOf, rowOf, startMs } from './execution-fixture.ts';

function restored(change: Partial<OrderRow>): { desk: ExecutionFixture; order: TrackedOrder } {
  const desk = new ExecutionFixture();
  const order = desk.executor.restore(rowOf(change), market);
  if (!order.isFinal) desk.executor.resume(order);
  return { desk, order };
}

const unseen = { orderId: undefined } as const;

describe('a restart', () => {
  test('A19: what had not left stays unsent: nothing is sent of itself', () => {
    const { desk, order } = restored({ ...unseen, state: 'waiting', attempts: 0 });
    expect([order.state, desk.exposure.ordersOpen()]).toEqual(['unsent', 0]);
    desk.advance(600_000);
    expect(desk.calls).toEqual([]);
  });

  test('A19: what may have left is unknown and looked up, never sent again', () => {
    const { desk, order } = restored({ ...unseen, state: 'sending' });
    expect([order.state, order.doubt]).toEqual(['unknown', 'lookup-only']);
    expect(desk.exposure.ordersOpen()).toBe(1);
    desk.advance(250);
    const { parameters } = desk.waiting('getOrderV3');
    expect(parameters).toEqual({ client_order_id: order.clientOrderId });
    desk.answer('getOrderV3', ok({ ...recordOf(order), order_id: 'BX7' }));
    expect(order.state).toBe('open');
  });

  test('an unknown one stays unknown, and its fence counts from its own attempt', () => {
    const { desk, order } = restored({
      ...unseen,
      state: 'unknown',
      lastTimestampMs: startMs - 200_000,
    });
    const reads: string[] = [];
    while (order.state === 'unknown') {
      const [call] = desk.calls;
      if (call === undefined) {
        desk.advance(50);
        continue;
      }
      reads.push(call.operation);
      const miss = { kind: 'refused', status: 404, code: 'ErrOrderNotFound', message: '' } as const;
      const empty = ok({ orders: [], trades: [] });
      desk.answer(call.operation, desk.stamped(call.operation === 'getOrderV3' ? miss : empty));
    }
    expect(order.state).toBe('absent');
    expect(desk.nowMs - startMs).toBeLessThan(10_000);
    expect(reads).not.toContain('postorder');
  });

  test('an open one is followed; one that was being cancelled is stopped again', () => {
    expect(restored({ state: 'open' }).desk.calls).toEqual([]);
    const { desk } = restored({ state: 'open', cancelRequestedMs: startMs - 1_000 });
    expect(desk.waiting('stoporder').parameters).toEqual({ order_id: 'BX7' });
  });

  test('A17: a fill that was stored before the order id still counts for its order', () => {
    const desk = new ExecutionFixture();
    const order = desk.executor.restore(rowOf({ ...unseen, state: 'sending' }), market);
    desk.fills.restore(
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
    desk.executor.resume(order);
    expect([order.orderId, formatAmount(order.booked.base)]).toEqual(['BX7', '0.01']);
    desk.advance(250);
    const complete = recordOf(order, { lots: 100, status: 'COMPLETE' });
    desk.answer('getOrderV3', ok({ ...complete, order_id: 'BX7' }));
    expect(order.state).toBe('filled');
  });

  test('holds only what is not filled yet', () => {
    const desk = new ExecutionFixture();
    const order = desk.executor.restore(rowOf({ state: 'open' }), market);
    order.booked = { ...order.booked, base: amountOf('0.004') };
    desk.executor.resume(order);
    expect(desk.exposure.openNotional('ZAR')).toBe(6_000n * 10n ** 18n);
  });

  test.each(['filled', 'cancelled', 'rejected', 'absent', 'unsent'] as const)(
    'a final one (%s) is only watched',
    (state) => {
      const { desk, order } = restored({ state });
      desk.advance(60_000);
      expect([desk.calls.length, desk.exposure.ordersOpen()]).toEqual([0, 0]);
      expect(desk.orders.tracker.byClientOrderId(order.clientOrderId)).toBe(order);
    },
  );
});
