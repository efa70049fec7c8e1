/** The same id is sent again when the attempt before it is past its fence, and only then (3.5). */
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/exchange-api/reply.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import {
  ExecutionFixture,
  idOf,
  noAnswer,
  notFound,
  ok,
  recordOf,
  refused,
  rowOf,
  startMs,
} from './execution-fixture.ts';

const empty = { orders: [], trades: [] };

function lost(reply: Reply = noAnswer): { desk: ExecutionFixture; order: TrackedOrder } {
  const desk = new ExecutionFixture();
  const order = desk.place();
  desk.answer('postorder', reply);
  return { desk, order };
}

/**
 * Finds nothing for `seconds`, and tells after how long an order request left that is not expired;
 * it waits then. `repeated` answers those that are.
 */
function missFor(
  desk: ExecutionFixture,
  seconds: number,
  repeated: () => Reply = () => noAnswer,
): number | undefined {
  const endMs = desk.nowMs + seconds * 1000;
  while (desk.nowMs < endMs) {
    const [call] = desk.calls;
    if (call === undefined) desk.advance(50);
    else if (call.operation === 'postorder') {
      if (!isExpired(call.parameters, desk.nowMs)) return desk.nowMs - startMs;
      desk.answer('postorder', repeated());
    } else {
      const reply = call.operation === 'getOrderV3' ? notFound : ok(empty);
      desk.answer(call.operation, desk.stamped(reply));
    }
  }
  return undefined;
}

function isExpired(parameters: unknown, nowMs: number): boolean {
  const { timestamp, ttl } = parameters as { readonly timestamp: number; readonly ttl: number };
  return nowMs > timestamp + ttl;
}

describe('sending again', () => {
  test('A1: a request that was lost is sent again under its id 11 to 15 s later, freshly stamped', () => {
    const { desk, order } = lost();
    const afterMs = missFor(desk, 60) ?? Number.NaN;
    // The fence is 7 s; three misses after it are 4 s apart at least.
    expect(afterMs).toBeGreaterThanOrEqual(11_000);
    expect(afterMs).toBeLessThanOrEqual(15_000);
    const { parameters, priority } = desk.waiting('postorder');
    expect(priority).toBe('resolve');
    expect(parameters).toMatchObject({
      client_order_id: order.clientOrderId,
      timestamp: startMs + afterMs,
      ttl: 2_000,
    });
    expect([order.state, order.attempts]).toEqual(['sending', 2]);
    expect(desk.exposure.ordersOpen()).toBe(1);
    desk.answer('postorder', ok({ order_id: idOf(order) }));
    expect(order.state).toBe('open');
    expect(desk.records.filter((one) => one.kind === 'attempt')).toHaveLength(2);
  });

  test('each attempt has a fence of its own, there are at most three, then it is absent', () => {
    const { desk, order } = lost();
    const second = missFor(desk, 60) ?? Number.NaN;
    desk.answer('postorder', noAnswer);
    const third = missFor(desk, 60) ?? Number.NaN;
    expect(third - second).toBeGreaterThanOrEqual(11_000);
    desk.answer('postorder', noAnswer);
    expect(missFor(desk, 119)).toBeUndefined();
    expect(order.state).toBe('unknown');
    const timestamps = desk.records.flatMap((one) =>
      one.kind === 'attempt' ? [one.timestampMs] : [],
    );
    expect(new Set(timestamps).size).toBe(3);
    missFor(desk, 6);
    expect(order.state).toBe('absent');
  });

  test('no attempt could be taken after the intent is a minute old (I9)', () => {
    const { desk, order } = lost();
    desk.againRefused = ['COLLAR_MID'];
    missFor(desk, 57.9);
    desk.againRefused = [];
    expect(missFor(desk, 60)).toBeUndefined();
    expect(order.state).toBe('unknown');
    expect(order.validUntilMs).toBe(startMs + 60_000);
  });

  test('what the gate has against it now keeps it from being sent, and only so long', () => {
    const { desk } = lost();
    desk.againRefused = ['BOOK_UNUSABLE'];
    expect(missFor(desk, 20)).toBeUndefined();
    desk.againRefused = [];
    expect(missFor(desk, 5)).toBeDefined();
  });

  test('C1: an order that is to be cancelled is resolved, never sent again', () => {
    const { desk, order } = lost();
    desk.orders.cancel(order, 'quote moved');
    expect(missFor(desk, 119)).toBeUndefined();
    missFor(desk, 6);
    expect(order.state).toBe('absent');
  });

  test.each(['ErrInsufficientBalance', 'ErrMarketUnavailable', 'ErrOrderCanceled'])(
    'A12: %s to a second attempt is not believed of the first, which is looked up only',
    (code) => {
      const { desk, order } = lost();
      missFor(desk, 60);
      desk.answer('postorder', refused(400, code));
      expect([order.state, order.doubt]).toEqual(['unknown', 'lookup-only']);
      expect(missFor(desk, 30)).toBeUndefined();
      desk.advance(2_000);
      desk.answer('getOrderV3', desk.stamped(ok(recordOf(order))));
      expect(order.state).toBe('open');
    },
  );

  test('A14: an id that is said to exist and is not shown is neither sent again nor given up for ten minutes', () => {
    const { desk, order } = lost(refused(409, 'ErrDuplicateClientOrderID'));
    expect(missFor(desk, 599)).toBeUndefined();
    expect(order.state).toBe('unknown');
    missFor(desk, 6);
    expect([order.state, desk.incidents]).toEqual(['absent', ['ORDER_MISSING']]);
  });

  test('a second attempt that did not leave leaves it unknown', () => {
    const { desk, order } = lost();
    missFor(desk, 60);
    desk.answer('postorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect([order.state, order.attempts]).toEqual(['unknown', 2]);
  });

  test('a request that waits for the budget is withdrawn when the order is found meanwhile', () => {
    const { desk, order } = lost();
    desk.againRefused = ['NOT_RECONCILED'];
    missFor(desk, 14);
    const [read] = desk.calls.splice(0);
    if (read === undefined) desk.advance(2_000);
    desk.againRefused = [];
    desk.isBudgetFull = true;
    const waiting = read ?? desk.calls.splice(0)[0];
    waiting?.resume(desk.stamped(notFound));
    desk.orders.cancel(order, 'quote moved');
    desk.isBudgetFull = false;
    desk.release();
    expect([order.state, order.attempts]).toEqual(['unknown', 1]);
    expect(desk.calls.map((call) => call.operation)).not.toContain('postorder');
  });
});

describe('an expired request that is repeated', () => {
  const deadline = refused(400, 'ErrDeadlineExceeded');

  function unwanted(): { desk: ExecutionFixture; order: TrackedOrder } {
    const made = lost();
    made.desk.orders.cancel(made.order, 'quote moved');
    return made;
  }

  test('ends the quarantine when it is refused for its time to live twice', () => {
    const { desk, order } = unwanted();
    while (order.state === 'unknown' && desk.nowMs < startMs + 60_000)
      missFor(desk, 0.1, () => deadline);
    expect(order.state).toBe('absent');
    // The fence of 7 s, two refusals, the lag of 5 s, and three misses with their pauses.
    expect(desk.nowMs - startMs).toBeGreaterThanOrEqual(16_000);
    expect(desk.nowMs - startMs).toBeLessThanOrEqual(25_000);
    const attempts = desk.records.filter((one) => one.kind === 'attempt');
    expect(attempts.map(({ number, timestampMs }) => [number, timestampMs])).toEqual([
      [1, startMs],
      [2, startMs],
      [3, startMs],
    ]);
    expect(desk.exposure.ordersOpen()).toBe(0);
  });

  test.each<[string, Reply]>([
    ['no answer', noAnswer],
    ['a failure of the server that names a deadline', refused(503, 'ErrDeadlineExceeded')],
    ['another refusal', refused(400, 'ErrInsufficientBalance')],
  ])('proves nothing by %s', (_name, reply) => {
    const { desk, order } = unwanted();
    missFor(desk, 115, () => reply);
    expect(order.state).toBe('unknown');
  });

  test('proves nothing by one refusal alone', () => {
    const { desk, order } = unwanted();
    let count = 0;
    missFor(desk, 115, () => (++count === 1 ? deadline : noAnswer));
    expect([order.state, count]).toEqual(['unknown', 7]);
  });

  test('is followed when the exchange takes it, since it ignores the time to live', () => {
    const { desk, order } = unwanted();
    while (order.attempts === 1) missFor(desk, 0.1, () => ok({ order_id: idOf(order) }));
    expect([order.state, order.orderId]).toEqual(['open', idOf(order)]);
    expect(order.cancelRequestedMs).toBeDefined();
  });

  test('whose refusal was a lie is found by the reads that come after the lag', () => {
    const { desk, order } = unwanted();
    while (order.attempts < 3) missFor(desk, 0.1, () => deadline);
    missFor(desk, 5);
    expect(order.state).toBe('unknown');
    while (desk.calls.length === 0) desk.advance(50);
    desk.answer('getOrderV3', desk.stamped(ok(recordOf(order))));
    expect(order.state).toBe('open');
  });

  test('does not leave while the gate has something against it, nor for an order of an earlier run', () => {
    const { desk, order } = unwanted();
    desk.againRefused = ['TRADING_STATE'];
    missFor(desk, 100, () => deadline);
    expect([order.state, order.attempts]).toEqual(['unknown', 1]);
    const restarted = new ExecutionFixture();
    const restored = restarted.executor.restore(
      rowOf({ state: 'unknown', ambiguous: true, orderId: undefined }),
      order.market,
    );
    restarted.executor.resume(restored);
    missFor(restarted, 60, () => deadline);
    expect(restored.attempts).toBe(1);
  });

  test('an exchange whose clock runs ahead ends no fence', () => {
    const { desk, order } = unwanted();
    while (desk.nowMs < startMs + 6_500) {
      if (desk.calls.length > 0)
        desk.answer(
          'getOrderV3',
          Object.assign({ exchangeTimeMs: desk.nowMs + 10_800_000 }, notFound),
        );
      else desk.advance(50);
    }
    expect([order.state, order.attempts]).toEqual(['unknown', 1]);
  });
});

describe('an order that was cancelled before it could trade', () => {
  test('A15: is read once for its order id, and is over', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', refused(400, 'ErrOrderCanceled'));
    desk.answer('getOrderV3', desk.stamped(notFound));
    expect(order.state).toBe('rejected');
    expect(desk.exposure.ordersOpen()).toBe(0);
    desk.advance(600_000);
    expect(desk.calls).toEqual([]);
  });

  test('A15: keeps the order id when the exchange shows its record', () => {
    const desk = new ExecutionFixture();
    const order = desk.place();
    desk.answer('postorder', refused(400, 'ErrOrderCanceled'));
    desk.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, order.orderId]).toEqual(['cancelled', idOf(order)]);
  });
});

describe('the lag of reads', () => {
  /** Places an order, has it accepted, and lets reads find it after `seconds`. */
  function accepted(seconds: number): ExecutionFixture {
    const desk = new ExecutionFixture({ measuresReadLag: true });
    const order = desk.place();
    desk.answer('postorder', ok({ order_id: idOf(order) }));
    while (desk.nowMs < startMs + 12_000) {
      const [call] = desk.calls;
      if (call === undefined) desk.advance(50);
      else
        desk.answer(
          'getOrderV3',
          desk.nowMs < startMs + seconds * 1000 ? notFound : ok(recordOf(order)),
        );
    }
    return desk;
  }

  test('is none where the first read finds the order; the fence keeps its floor of 5 s', () => {
    const { orders, incidents } = accepted(0);
    expect([orders.readLag.sampleCount, orders.readLag.allowanceMs]).toEqual([1, 5_000]);
    expect(incidents).toEqual([]);
  });

  test('makes the fence five times as long as the longest lag', () => {
    expect(accepted(2).orders.readLag.allowanceMs).toBe(10_000);
  });

  test('halts the bot when the fence would be longer than 30 s', () => {
    const { incidents, tradingStates } = accepted(9);
    expect([incidents, tradingStates]).toEqual([['READS_LAG'], ['bot HALTED']]);
  });

  test('is measured by few reads: of the first acceptances and then now and then', () => {
    const desk = new ExecutionFixture({ measuresReadLag: true });
    const order = desk.place();
    desk.calls.length = 0;
    let reads = 0;
    for (let i = 0; i < 105; i++) {
      desk.orders.readLag.noteAccepted(order);
      if (desk.calls.length > 0) {
        reads++;
        desk.answer('getOrderV3', ok(recordOf(order)));
      }
    }
    expect(reads).toBe(9);
  });
});
