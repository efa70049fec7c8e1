/** A cancelled order ends by its stop's answer and the user stream; its record is read later. */
import { describe, expect, test } from 'vitest';
import { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { EndChecks } from '../../../src/execution/reconcile/end-checks.ts';
import type { Reply } from '../../../src/venues/luno/api/reply.ts';
import {
  book,
  ExecutionFixture,
  idOf,
  market,
  noAnswer,
  notFound,
  ok,
  recordOf,
  tradeOf,
} from './execution-fixture.ts';

const success = ok({ success: true });

function cancelled(): { harness: ExecutionFixture; order: TrackedOrder; end: () => void } {
  const harness = new ExecutionFixture({ trustsStream: true });
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: idOf(order) }));
  harness.orders.cancel(order, 'moved');
  return { harness, order, end: () => order.noteEnd(idsOf(order)) };
}

const idsOf = (order: TrackedOrder) => ({
  clientOrderId: order.clientOrderId,
  orderId: idOf(order),
});

describe('a cancelled order', () => {
  test.each(['stop first', 'stream first'])(
    'ends by stop and stream without a read, %s',
    (which) => {
      const { harness, order, end } = cancelled();
      if (which === 'stream first') end();
      harness.answer('stoporder', success);
      if (which === 'stop first') {
        expect([order.state, harness.calls]).toEqual(['open', []]);
        end();
      }
      expect([order.state, order.isUnchecked, harness.calls]).toEqual(['cancelled', true, []]);
      expect(harness.unchecked).toEqual([order]);
      expect(harness.exposure.ordersOpen()).toBe(0);
      expect(harness.records.at(-1)).toMatchObject({ kind: 'evidence', state: 'cancelled' });
    },
  );

  test('is read if the stream does not report the end within 250 ms', () => {
    const { harness, order } = cancelled();
    harness.answer('stoporder', success);
    harness.advance(249);
    expect(harness.calls).toEqual([]);
    harness.advance(1);
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, order.isUnchecked]).toEqual(['cancelled', false]);
  });

  test.each([
    ['without an answer', noAnswer],
    ['that answers no success', ok({ success: false })],
  ])('a stop %s ends nothing, whatever the stream reports', (_name, reply) => {
    const { harness, order, end } = cancelled();
    end();
    harness.answer('stoporder', reply);
    expect(order.state).toBe('open');
    harness.answer('getOrderV3', ok(recordOf(order)));
    expect(order.state).toBe('open');
  });

  test.each([
    ['another id of ours', { clientOrderId: 'b1-else-1' }],
    ['another order id', { orderId: 'BX99' }],
  ])('a report with %s ends nothing', (_name, change) => {
    const { harness, order } = cancelled();
    order.noteEnd({ ...idsOf(order), ...change });
    harness.answer('stoporder', success);
    harness.advance(250);
    harness.waiting('getOrderV3');
    expect(order.state).toBe('open');
  });

  test('a record that is open disproves an earlier report of the stream', () => {
    const harness = new ExecutionFixture({ trustsStream: true });
    const order = harness.place();
    harness.answer('postorder', ok({ order_id: idOf(order) }));
    order.noteEnd(idsOf(order));
    harness.answer('getOrderV3', ok(recordOf(order)));
    harness.orders.cancel(order, 'moved');
    harness.answer('stoporder', success);
    expect([order.state, harness.calls]).toEqual(['open', []]);
    order.noteEnd(idsOf(order));
    expect(order.state).toBe('cancelled');
  });

  test('a fill that is not booked yet is waited for, and the record is read', () => {
    const { harness, order, end } = cancelled();
    order.streamed = { base: 3_000_000_000_000_000n, atMs: harness.nowMs };
    end();
    harness.answer('stoporder', success);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 30, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
    book(harness.fills, tradeOf(order, 30));
    expect(order.state).toBe('cancelled');
  });

  test('booked fills are its sums', () => {
    const { harness, order, end } = cancelled();
    book(harness.fills, tradeOf(order, 30));
    end();
    harness.answer('stoporder', success);
    expect([order.state, order.reported]).toEqual(['cancelled', order.booked]);
  });

  test('a fill that the stream did not report makes it completing again, until its record is read', () => {
    const { harness, order, end } = cancelled();
    end();
    harness.answer('stoporder', success);
    book(harness.fills, tradeOf(order, 30));
    expect(order.state).toBe('completing');
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 30, status: 'COMPLETE' })));
    expect([order.state, order.isUnchecked]).toEqual(['cancelled', false]);
    expect([harness.incidents, harness.tradingStates]).toEqual([[], []]);
    expect(harness.exposure.ordersOpen()).toBe(0);
    // It was sent and cancelled once, so it counts once in the rates of its strategy.
    const { activity } = harness.exposure;
    const { orders, cancels } = activity.of('mm');
    expect([activity.orders, orders, cancels].map((times) => times.newest(9).length)).toEqual([
      1, 1, 1,
    ]);
  });
});

describe('the later check', () => {
  function checked(hasRoom = true, bookedLots = 0) {
    const { harness, order, end } = cancelled();
    if (bookedLots > 0) book(harness.fills, tradeOf(order, bookedLots));
    const checks = new EndChecks(harness.orders, () => hasRoom);
    harness.spawn(checks.run());
    end();
    harness.answer('stoporder', success);
    checks.add(order);
    return { harness, order, checks };
  }

  /** Answers reads of the order with `reply`, lists with nothing and stops with success. */
  function answerReads(harness: ExecutionFixture, reply: Reply, seconds: number): void {
    for (let step = 0; step < seconds * 2; step++) {
      for (const { operation, resume } of harness.calls.splice(0))
        if (operation === 'listOrdersV2') resume(closed());
        else resume(operation === 'stoporder' ? success : reply);
      harness.advance(500);
    }
  }

  const closed = (...orders: ReturnType<typeof recordOf>[]) => ok({ orders });

  test('is one list for all orders, a second later', () => {
    const { harness, order, checks } = checked();
    const other = harness.place();
    harness.answer('postorder', ok({ order_id: idOf(other) }));
    harness.orders.cancel(other, 'moved');
    other.noteEnd(idsOf(other));
    harness.answer('stoporder', success);
    checks.add(other);
    harness.advance(999);
    expect(harness.calls).toEqual([]);
    harness.advance(1);
    expect(harness.waiting('listOrdersV2')).toMatchObject({
      priority: 'read',
      parameters: { closed: true, limit: 100 },
    });
    const complete = { status: 'COMPLETE' } as const;
    harness.answer('listOrdersV2', closed(recordOf(other, complete), recordOf(order, complete)));
    expect([order.isUnchecked, other.isUnchecked, checks.count]).toEqual([false, false, 0]);
    expect(harness.records.at(-1)).toMatchObject({ kind: 'evidence', state: 'cancelled' });
    harness.advance(60_000);
    expect(harness.calls).toEqual([]);
  });

  test.each([
    [50, 100],
    [51, 102],
    [501, 1_000],
  ])('reads a list for %i orders that has %i', (count, limit) => {
    const { harness } = cancelled();
    const checks = new EndChecks(harness.orders, () => true);
    for (let index = 0; index < count; index++) checks.add({ isUnchecked: true } as TrackedOrder);
    harness.calls.length = 0;
    harness.spawn(checks.pass());
    expect(harness.waiting('listOrdersV2')).toMatchObject({ parameters: { closed: true, limit } });
  });

  test('waits twenty seconds while orders need the calls', () => {
    const { harness } = checked(false);
    harness.advance(19_999);
    expect(harness.calls).toEqual([]);
    harness.advance(1);
    harness.waiting('listOrdersV2');
  });

  test('a record with more fills makes the order wait for them', () => {
    const { harness, order } = checked();
    harness.advance(1_000);
    harness.answer('listOrdersV2', closed(recordOf(order, { lots: 30, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
    book(harness.fills, tradeOf(order, 30));
    expect(order.state).toBe('cancelled');
    expect([harness.incidents, harness.tradingStates]).toEqual([[], []]);
  });

  test('a record with fewer fills than are booked makes the order wait until they agree', () => {
    const { harness, order } = checked(true, 50);
    harness.advance(1_000);
    harness.answer('listOrdersV2', closed(recordOf(order, { lots: 30, status: 'COMPLETE' })));
    expect(order.state).toBe('completing');
    harness.advance(16_500);
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 50, status: 'COMPLETE' })));
    expect([order.state, harness.incidents]).toEqual(['cancelled', []]);
  });

  test('a fill that the stream lost waits for a complete record, however far reads lag', () => {
    const { harness, order, checks } = checked();
    book(harness.fills, tradeOf(order, 30));
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 30 })));
    expect(order.state).toBe('completing');
    answerReads(harness, ok(recordOf(order, { lots: 30 })), 20);
    expect([order.state, harness.incidents]).toEqual(['completing', []]);
    answerReads(harness, ok(recordOf(order, { lots: 30, status: 'COMPLETE' })), 10);
    expect([order.state, order.isUnchecked, checks.count]).toEqual(['cancelled', false, 0]);
    expect([harness.incidents, harness.orders.trustsStream]).toEqual([[], true]);
  });

  test('one that traded after its end and is open for a minute is tracked again, once', () => {
    const { harness, order } = checked();
    book(harness.fills, tradeOf(order, 30));
    answerReads(harness, ok(recordOf(order, { lots: 50 })), 80);
    expect([order.state, harness.orders.trustsStream]).toEqual(['open', false]);
    expect(harness.incidents).toEqual(['ENDED_ORDER_OPEN']);
    expect(harness.tradingStates).toEqual(['strategy:mm HALTED']);
  });

  test('is not forgotten by a restart: the row of an unchecked order has no time of its end', () => {
    const { harness, order } = checked();
    const row = order.toRow();
    expect(row).toMatchObject({ state: 'cancelled', completedMs: undefined });
    expect(TrackedOrder.restore(row, market).isUnchecked).toBe(true);
    harness.advance(1_000);
    harness.answer('listOrdersV2', closed(recordOf(order, { status: 'COMPLETE' })));
    const checkedRow = order.toRow();
    expect(checkedRow.completedMs).toBe(row.cancelRequestedMs);
    expect(harness.records.findLast(({ kind }) => kind === 'order')).toEqual({
      kind: 'order',
      row: checkedRow,
    });
    expect(TrackedOrder.restore(checkedRow, market).isUnchecked).toBe(false);
  });

  test('reads an order by our own id that no list shows', () => {
    const { harness, order } = checked();
    for (let pass = 0; pass < 6; pass++) {
      harness.advance(1_000);
      harness.answer('listOrdersV2', closed());
    }
    expect(harness.waiting('getOrderV3').parameters).toEqual({
      client_order_id: order.clientOrderId,
    });
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect(order.isUnchecked).toBe(false);
  });

  test('an order that stays open is stopped again, then tracked again, and the stream is not trusted', () => {
    const { harness, order } = checked();
    let stops = 0;
    for (let step = 0; step < 200 && order.isFinal; step++) {
      for (const { operation, resume } of harness.calls.splice(0)) {
        if (operation === 'stoporder') stops++;
        if (operation === 'listOrdersV2') resume(closed());
        else resume(operation === 'stoporder' ? success : ok(recordOf(order)));
      }
      harness.advance(500);
    }
    expect(stops).toBeGreaterThan(3);
    expect([order.state, harness.orders.trustsStream]).toEqual(['open', false]);
    expect(harness.incidents).toEqual(['ENDED_ORDER_OPEN']);
    expect(harness.tradingStates).toEqual(['strategy:mm HALTED']);
  });

  test('an order that no read finds for a minute is an incident', () => {
    const { harness, order } = checked();
    for (let step = 0; step < 200 && order.isUnchecked; step++) {
      harness.advance(500);
      const [call] = harness.calls.splice(0);
      call?.resume(call.operation === 'listOrdersV2' ? closed() : notFound);
    }
    expect([order.isUnchecked, order.state]).toEqual([false, 'cancelled']);
    expect(harness.incidents).toEqual(['ORDER_MISSING']);
  });
});
