/** An unknown outcome is resolved on the exchange's clock, and absence is proven late (3.5). */
import { describe, expect, test } from 'vitest';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import type { Reply } from '../../../src/venues/luno/api/reply.ts';
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

const empty = { orders: [], trades: [] };

function unknownOrder(): { harness: ExecutionFixture; order: TrackedOrder } {
  const harness = new ExecutionFixture();
  // What may be sent again is told in `sending-again.test.ts`.
  harness.againRefused = ['TRADING_STATE'];
  const order = harness.place();
  harness.answer('postorder', noAnswer);
  return { harness, order };
}

/** Answers every lookup until `seconds` after the attempt; lists are empty. */
function missUntil(
  harness: ExecutionFixture,
  seconds: number,
  reply: () => Reply = () => notFound,
): void {
  while (harness.nowMs < startMs + seconds * 1000) {
    const [call] = harness.calls;
    if (call === undefined) harness.advance(50);
    else
      harness.answer(
        call.operation,
        harness.stamped(call.operation === 'getOrderV3' ? reply() : ok(empty)),
      );
  }
}

describe('resolving', () => {
  test('reads after 0.25, 0.5, 1 and 2 seconds, and then when a read can prove that it is absent', () => {
    const { harness } = unknownOrder();
    const readsMs: number[] = [];
    while (readsMs.length < 6) {
      if (harness.calls.length > 0) {
        readsMs.push(harness.nowMs - startMs);
        harness.answer('getOrderV3', noAnswer);
      } else harness.advance(10);
    }
    expect(readsMs).toEqual([250, 750, 1_750, 3_750, 7_000, 9_000]);
  });

  test("A4: absent only after 120 s on the exchange's clock and no list that knows the id", () => {
    const { harness, order } = unknownOrder();
    missUntil(harness, 119);
    expect(order.state).toBe('unknown');
    missUntil(harness, 124);
    expect(order.state).toBe('absent');
    expect(harness.exposure.ordersOpen()).toBe(0);
    const proof = harness.records.findLast((record) => record.kind === 'evidence');
    expect(proof).toMatchObject({
      state: 'absent',
      proof: expect.stringMatching(/^not found by \d+ reads/u),
    });
  });

  test('asks the open orders, the closed orders and the trades before it says absent', () => {
    const { harness, order } = unknownOrder();
    missUntil(harness, 119.9);
    const asked: unknown[] = [];
    while (order.state === 'unknown') {
      const [call] = harness.calls;
      if (call === undefined) harness.advance(50);
      else {
        if (call.operation !== 'getOrderV3')
          asked.push([call.operation, call.parameters['closed']]);
        harness.answer(
          call.operation,
          harness.stamped(call.operation === 'getOrderV3' ? notFound : ok(empty)),
        );
      }
    }
    expect(asked).toEqual([
      ['listOrdersV2', false],
      ['listOrdersV2', true],
      ['listtrades', undefined],
    ]);
  });

  test('our own clock alone proves nothing: a slow exchange clock keeps it unknown (K1 K3)', () => {
    const { harness, order } = unknownOrder();
    while (harness.nowMs < startMs + 600_000) {
      if (harness.calls.length === 0) harness.advance(500);
      else harness.answer('getOrderV3', { ...notFound, exchangeTimeMs: startMs + 1_000 } as Reply);
    }
    expect(order.state).toBe('unknown');
  });

  test.each<[string, Reply]>([
    ['network error', noAnswer],
    [
      'HTML 404',
      { kind: 'no-answer', reason: 'a page', status: 404, exchangeTimeMs: startMs + 9e8 },
    ],
    ['500', { ...refused(500, 'ErrInternal'), exchangeTimeMs: startMs + 9e8 } as Reply],
    ['429', { ...refused(429, 'ErrTooManyRequests'), exchangeTimeMs: startMs + 9e8 } as Reply],
    ['an unknown code', { ...refused(404, 'ErrNew'), exchangeTimeMs: startMs + 9e8 } as Reply],
    ['DNS failure', { kind: 'not-sent', reason: 'ENOTFOUND' }],
  ])('RD4: %s says nothing, however often it comes (RD29 A32)', (_name, reply) => {
    const { harness, order } = unknownOrder();
    missUntil(harness, 900, () => reply);
    expect(order.state).toBe('unknown');
    expect(harness.exposure.ordersOpen()).toBe(1);
  });

  test('RD1: three misses are needed after the fence, two seconds apart', () => {
    const { harness, order } = unknownOrder();
    harness.advance(300_000);
    const lists = (): void => {
      for (const name of ['listOrdersV2', 'listOrdersV2', 'listtrades'])
        harness.answer(name, ok(empty));
    };
    harness.answer('getOrderV3', harness.stamped(notFound));
    harness.advance(500);
    harness.answer('getOrderV3', harness.stamped(notFound));
    harness.advance(1_000);
    harness.answer('getOrderV3', harness.stamped(notFound));
    harness.advance(2_000);
    harness.answer('getOrderV3', harness.stamped(notFound));
    expect(order.state).toBe('unknown');
    // The second read came half a second after the first, and the third a second later: one miss.
    harness.advance(2_000);
    harness.answer('getOrderV3', harness.stamped(notFound));
    lists();
    expect(order.state).toBe('absent');
  });

  test.each([
    ['listOrdersV2', 'open orders'],
    ['listOrdersV2', 'closed orders'],
    ['listtrades', 'trades'],
  ])('an unreadable list (%s, %s) proves nothing', (_operation, which) => {
    const { harness, order } = unknownOrder();
    let failures = 0;
    while (harness.nowMs < startMs + 200_000) {
      const [call] = harness.calls;
      if (call === undefined) {
        harness.advance(100);
        continue;
      }
      const isThis =
        (which === 'trades' && call.operation === 'listtrades') ||
        (which === 'open orders' && call.parameters['closed'] === false) ||
        (which === 'closed orders' && call.parameters['closed'] === true);
      if (isThis) failures++;
      const miss = call.operation === 'getOrderV3' ? notFound : ok(empty);
      harness.answer(call.operation, isThis ? noAnswer : harness.stamped(miss));
    }
    expect(order.state).toBe('unknown');
    expect(failures).toBeGreaterThan(10);
  });

  test.each([false, true])('an order that only a list shows is adopted (closed: %s)', (closed) => {
    const { harness, order } = unknownOrder();
    while (order.state === 'unknown') {
      const [call] = harness.calls;
      if (call === undefined) {
        harness.advance(100);
        continue;
      }
      const orders = [recordOf(order, closed ? { status: 'COMPLETE' } : {})];
      const shown = call.parameters['closed'] === closed ? { ...empty, orders } : empty;
      harness.answer(
        call.operation,
        harness.stamped(call.operation === 'getOrderV3' ? notFound : ok(shown)),
      );
    }
    expect(order.state).toBe(closed ? 'cancelled' : 'open');
    expect(harness.incidents).toEqual([]);
  });

  test('RD7: a full page of closed orders is followed back to the attempt', () => {
    const { harness, order } = unknownOrder();
    missUntil(harness, 119.9);
    const page = (createdMs: number): unknown => ({
      orders: Array.from({ length: 1000 }, () =>
        recordOf(order, { client_order_id: 'other', creation_timestamp: createdMs }),
      ),
    });
    const before: unknown[] = [];
    while (order.state === 'unknown') {
      const [call] = harness.calls;
      if (call === undefined) {
        harness.advance(50);
        continue;
      }
      const { operation, parameters } = call;
      if (operation === 'getOrderV3') harness.answer(operation, harness.stamped(notFound));
      else if (parameters['closed'] !== true) harness.answer(operation, ok(empty));
      else {
        before.push(parameters['created_before']);
        harness.answer(
          operation,
          ok(page(before.length === 1 ? startMs + 9_000 : startMs - 61_000)),
        );
      }
    }
    expect(before).toEqual([undefined, startMs + 9_001]);
    expect(order.state).toBe('absent');
  });

  test('RD7: a full millisecond of closed orders may hide it: it stays unknown', () => {
    const { harness, order } = unknownOrder();
    missUntil(harness, 119.9);
    const before: unknown[] = [];
    while (harness.nowMs < startMs + 125_000) {
      const [call] = harness.calls;
      if (call === undefined) {
        harness.advance(50);
        continue;
      }
      const { operation, parameters } = call;
      if (operation === 'getOrderV3') harness.answer(operation, harness.stamped(notFound));
      else if (parameters['closed'] !== true) harness.answer(operation, ok(empty));
      else {
        const at = parameters['created_before'] as number | undefined;
        before.push(at);
        const orders = Array.from({ length: 1000 }, (_, index) =>
          recordOf(order, {
            order_id: `X${index}`,
            client_order_id: 'other',
            creation_timestamp: startMs,
          }),
        );
        harness.answer(operation, ok({ orders: at === startMs ? [] : orders }));
      }
    }
    expect(before.slice(0, 3)).toEqual([undefined, startMs + 1, startMs]);
    expect(order.state).toBe('unknown');
    expect(harness.exposure.ordersOpen()).toBe(1);
  });

  test('RD7: it is found behind a full millisecond of closed orders', () => {
    const { harness, order } = unknownOrder();
    missUntil(harness, 119.9);
    while (order.state === 'unknown') {
      const [call] = harness.calls;
      if (call === undefined) {
        harness.advance(50);
        continue;
      }
      const { operation, parameters } = call;
      if (operation === 'getOrderV3') harness.answer(operation, harness.stamped(notFound));
      else if (parameters['closed'] !== true) harness.answer(operation, ok(empty));
      else {
        const own = recordOf(order, { status: 'COMPLETE', creation_timestamp: startMs });
        const others = Array.from({ length: 1000 }, (_, index) =>
          recordOf(order, {
            order_id: `X${index}`,
            client_order_id: 'other',
            creation_timestamp: startMs + 1,
          }),
        );
        const isBehind = parameters['created_before'] === startMs + 1;
        harness.answer(operation, ok({ orders: isBehind ? [own] : others }));
      }
    }
    expect(order.state).toBe('cancelled');
  });

  test('a fill that names it ends the search', () => {
    const { harness, order } = unknownOrder();
    book(harness.fills, tradeOf(order, 40));
    expect(order.state).toBe('open');
    expect(harness.incidents).toEqual([]);
    harness.advance(250);
    expect(harness.calls.map((call) => call.parameters)).toEqual([]);
    harness.advance(15_000);
    expect(harness.waiting('getOrderV3').parameters).toEqual({ id: idOf(order) });
  });

  test("C1: a cancel that waits for the order's id is sent as soon as it is found", () => {
    const { harness, order } = unknownOrder();
    harness.orders.cancel(order, 'not wanted any more');
    expect(harness.calls).toEqual([]);
    harness.advance(250);
    harness.answer('getOrderV3', ok(recordOf(order)));
    expect(harness.waiting('stoporder').parameters).toEqual({ order_id: 'BX1' });
    expect(harness.waiting('stoporder').priority).toBe('cancel');
  });

  test('A5: an ended order that is open is adopted, held, cancelled and stops its strategy, with one procedure', () => {
    const { harness, order } = unknownOrder();
    missUntil(harness, 125);
    expect(order.state).toBe('absent');
    book(harness.fills, tradeOf(order, 40));
    expect([order.state, order.cancelRequestedMs]).toEqual(['open', harness.nowMs]);
    expect(harness.incidents).toEqual(['ENDED_ORDER_OPEN']);
    expect(harness.tradingStates).toEqual(['strategy:mm HALTED']);
    expect(harness.exposure.ordersOpen()).toBe(1);
    harness.answer('stoporder', ok({ success: true }));
    harness.answer('getOrderV3', ok(recordOf(order, { lots: 40, status: 'COMPLETE' })));
    expect(order.state).toBe('cancelled');
    expect(harness.exposure.ordersOpen()).toBe(0);
    harness.advance(60_000);
    expect(harness.calls).toEqual([]);
  });
});
