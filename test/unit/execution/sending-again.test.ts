/** The same id is sent again when the attempt before it is past its fence, and only then (3.5). */
import { describe, expect, test } from 'vitest';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import type { Reply } from '../../../src/venues/luno/api/reply.ts';
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

function lost(reply: Reply = noAnswer): { harness: ExecutionFixture; order: TrackedOrder } {
  const harness = new ExecutionFixture();
  const order = harness.place();
  harness.answer('postorder', reply);
  return { harness, order };
}

/**
 * Finds nothing for `seconds`, and tells after how long an order request left that is not expired;
 * it waits then. `repeated` answers those that are.
 */
function missFor(
  harness: ExecutionFixture,
  seconds: number,
  repeated: () => Reply = () => noAnswer,
): number | undefined {
  const endMs = harness.nowMs + seconds * 1000;
  while (harness.nowMs < endMs) {
    const [call] = harness.calls;
    if (call === undefined) harness.advance(50);
    else if (call.operation === 'postorder') {
      if (!isExpired(call.parameters, harness.nowMs)) return harness.nowMs - startMs;
      harness.answer('postorder', repeated());
    } else {
      const reply = call.operation === 'getOrderV3' ? notFound : ok(empty);
      harness.answer(call.operation, harness.stamped(reply));
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
    const { harness, order } = lost();
    const afterMs = missFor(harness, 60) ?? Number.NaN;
    // The fence is 7 s; three misses after it are 4 s apart at least.
    expect(afterMs).toBeGreaterThanOrEqual(11_000);
    expect(afterMs).toBeLessThanOrEqual(15_000);
    const { parameters, priority } = harness.waiting('postorder');
    expect(priority).toBe('resolve');
    expect(parameters).toMatchObject({
      client_order_id: order.clientOrderId,
      timestamp: startMs + afterMs,
      ttl: 2_000,
    });
    expect([order.state, order.attempts]).toEqual(['sending', 2]);
    expect(harness.exposure.ordersOpen()).toBe(1);
    harness.answer('postorder', ok({ order_id: idOf(order) }));
    expect(order.state).toBe('open');
    expect(harness.records.filter((one) => one.kind === 'attempt')).toHaveLength(2);
  });

  test('each attempt has a fence of its own, there are at most three, then it is absent', () => {
    const { harness, order } = lost();
    const second = missFor(harness, 60) ?? Number.NaN;
    harness.answer('postorder', noAnswer);
    const third = missFor(harness, 60) ?? Number.NaN;
    expect(third - second).toBeGreaterThanOrEqual(11_000);
    harness.answer('postorder', noAnswer);
    expect(missFor(harness, 119)).toBeUndefined();
    expect(order.state).toBe('unknown');
    const timestamps = harness.records.flatMap((one) =>
      one.kind === 'attempt' ? [one.timestampMs] : [],
    );
    expect(new Set(timestamps).size).toBe(3);
    missFor(harness, 6);
    expect(order.state).toBe('absent');
  });

  test('no attempt could be taken after the intent is a minute old (I9)', () => {
    const { harness, order } = lost();
    harness.againRefused = ['COLLAR_MID'];
    missFor(harness, 57.9);
    harness.againRefused = [];
    expect(missFor(harness, 60)).toBeUndefined();
    expect(order.state).toBe('unknown');
    expect(order.validUntilMs).toBe(startMs + 60_000);
  });

  test('what the gate has against it now keeps it from being sent, and only so long', () => {
    const { harness } = lost();
    harness.againRefused = ['BOOK_UNUSABLE'];
    expect(missFor(harness, 20)).toBeUndefined();
    harness.againRefused = [];
    expect(missFor(harness, 5)).toBeDefined();
  });

  test('A33: a post-only order that would trade by now is not sent again, but proven absent', () => {
    const { harness, order } = lost();
    harness.isReached = true;
    const expired = () => refused(400, 'ErrDeadlineExceeded');
    while (order.state === 'unknown' && harness.nowMs < startMs + 60_000)
      missFor(harness, 0.1, expired);
    expect(order.state).toBe('absent');
    expect(harness.nowMs - startMs).toBeLessThanOrEqual(21_000);
    const attempts = harness.records.filter((one) => one.kind === 'attempt');
    expect(new Set(attempts.map(({ timestampMs }) => timestampMs))).toEqual(new Set([startMs]));
  });

  test('A33: it is sent again if the market leaves its price in time', () => {
    const { harness } = lost();
    harness.isReached = true;
    missFor(harness, 8.5);
    harness.isReached = false;
    expect(missFor(harness, 8)).toBeDefined();
  });

  test('answers whose times are whole seconds delay it by one second at most', () => {
    const { harness } = lost();
    const wholeSeconds = (): Reply => {
      const exchangeTimeMs = Math.floor((harness.nowMs - 1) / 1000) * 1000;
      return Object.assign({ exchangeTimeMs }, notFound);
    };
    while (harness.calls[0]?.operation !== 'postorder' && harness.nowMs < startMs + 30_000) {
      if (harness.calls.length === 0) harness.advance(50);
      else harness.answer('getOrderV3', wholeSeconds());
    }
    expect(harness.nowMs - startMs).toBeLessThanOrEqual(12_100);
  });

  test('C1: an order that is to be cancelled is resolved, never sent again', () => {
    const { harness, order } = lost();
    harness.orders.cancel(order, 'quote moved');
    expect(missFor(harness, 119)).toBeUndefined();
    missFor(harness, 6);
    expect(order.state).toBe('absent');
  });

  test.each(['ErrInsufficientBalance', 'ErrMarketUnavailable', 'ErrOrderCanceled'])(
    'A12: %s to a second attempt does not prove that the first failed, and no third is stamped',
    (code) => {
      const { harness, order } = lost();
      missFor(harness, 60);
      harness.answer('postorder', refused(400, code));
      expect([order.state, order.doubt]).toEqual(['unknown', 'refused-later']);
      expect(missFor(harness, 30)).toBeUndefined();
      harness.advance(2_000);
      harness.answer('getOrderV3', harness.stamped(ok(recordOf(order))));
      expect(order.state).toBe('open');
    },
  );

  test('A14: an id that is said to exist and is not shown is neither sent again nor given up for ten minutes', () => {
    const { harness, order } = lost(refused(409, 'ErrDuplicateClientOrderID'));
    expect(missFor(harness, 599)).toBeUndefined();
    expect(order.state).toBe('unknown');
    missFor(harness, 6);
    expect([order.state, harness.incidents]).toEqual(['absent', ['ORDER_MISSING']]);
  });

  test('a second attempt that did not leave leaves it unknown', () => {
    const { harness, order } = lost();
    missFor(harness, 60);
    harness.answer('postorder', { kind: 'not-sent', reason: 'ECONNREFUSED' });
    expect([order.state, order.attempts]).toEqual(['unknown', 2]);
  });

  test('a request that waits for the budget is withdrawn when the order is found meanwhile', () => {
    const { harness, order } = lost();
    harness.againRefused = ['NOT_RECONCILED'];
    missFor(harness, 14);
    const [read] = harness.calls.splice(0);
    if (read === undefined) harness.advance(2_000);
    harness.againRefused = [];
    harness.isBudgetFull = true;
    const waiting = read ?? harness.calls.splice(0)[0];
    waiting?.resume(harness.stamped(notFound));
    harness.orders.cancel(order, 'quote moved');
    harness.isBudgetFull = false;
    harness.release();
    expect([order.state, order.attempts]).toEqual(['unknown', 1]);
    expect(harness.calls.map((call) => call.operation)).not.toContain('postorder');
  });
});

describe('an expired request that is repeated', () => {
  const deadline = refused(400, 'ErrDeadlineExceeded');

  function unwanted(): { harness: ExecutionFixture; order: TrackedOrder } {
    const made = lost();
    made.harness.orders.cancel(made.order, 'quote moved');
    return made;
  }

  test('ends the quarantine when it is refused for its time to live twice', () => {
    const { harness, order } = unwanted();
    while (order.state === 'unknown' && harness.nowMs < startMs + 60_000)
      missFor(harness, 0.1, () => deadline);
    expect(order.state).toBe('absent');
    // The fence of 7 s, two refusals, the lag of 5 s, and three misses with their pauses.
    expect(harness.nowMs - startMs).toBeGreaterThanOrEqual(16_000);
    expect(harness.nowMs - startMs).toBeLessThanOrEqual(25_000);
    const attempts = harness.records.filter((one) => one.kind === 'attempt');
    expect(attempts.map(({ number, timestampMs }) => [number, timestampMs])).toEqual([
      [1, startMs],
      [2, startMs],
      [3, startMs],
    ]);
    expect(harness.exposure.ordersOpen()).toBe(0);
  });

  test('also ends it after a second attempt that the exchange refused', () => {
    const { harness, order } = lost();
    missFor(harness, 60);
    const secondMs = harness.nowMs;
    harness.answer('postorder', refused(400, 'ErrOrderCanceled'));
    while (order.state === 'unknown' && harness.nowMs < secondMs + 60_000)
      missFor(harness, 0.1, () => deadline);
    expect(order.state).toBe('absent');
    expect(harness.nowMs - secondMs).toBeGreaterThanOrEqual(16_000);
    expect(harness.nowMs - secondMs).toBeLessThanOrEqual(25_000);
    const attempts = harness.records.filter((one) => one.kind === 'attempt');
    expect(attempts.map(({ timestampMs }) => timestampMs - startMs)).toEqual([
      0,
      ...[secondMs, secondMs, secondMs].map((ms) => ms - startMs),
    ]);
  });

  test.each<[string, Reply]>([
    ['no answer', noAnswer],
    ['a failure of the server that names a deadline', refused(503, 'ErrDeadlineExceeded')],
    ['another refusal', refused(400, 'ErrInsufficientBalance')],
  ])('proves nothing by %s', (_name, reply) => {
    const { harness, order } = unwanted();
    missFor(harness, 115, () => reply);
    expect(order.state).toBe('unknown');
  });

  test('proves nothing by one refusal alone', () => {
    const { harness, order } = unwanted();
    let count = 0;
    missFor(harness, 115, () => (++count === 1 ? deadline : noAnswer));
    expect([order.state, count]).toEqual(['unknown', 7]);
  });

  test('is followed when the exchange takes it, since it ignores the time to live', () => {
    const { harness, order } = unwanted();
    while (order.attempts === 1) missFor(harness, 0.1, () => ok({ order_id: idOf(order) }));
    expect([order.state, order.orderId]).toEqual(['open', idOf(order)]);
    expect(order.cancelRequestedMs).toBeDefined();
  });

  test('whose refusal was a lie is found by the reads that come after the lag', () => {
    const { harness, order } = unwanted();
    while (order.attempts < 3) missFor(harness, 0.1, () => deadline);
    missFor(harness, 5);
    expect(order.state).toBe('unknown');
    while (harness.calls.length === 0) harness.advance(50);
    harness.answer('getOrderV3', harness.stamped(ok(recordOf(order))));
    expect(order.state).toBe('open');
  });

  test('does not leave while the gate has something against it, nor for an order of an earlier run', () => {
    const { harness, order } = unwanted();
    harness.againRefused = ['TRADING_STATE'];
    missFor(harness, 100, () => deadline);
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
    const { harness, order } = unwanted();
    while (harness.nowMs < startMs + 6_500) {
      if (harness.calls.length > 0)
        harness.answer(
          'getOrderV3',
          Object.assign({ exchangeTimeMs: harness.nowMs + 10_800_000 }, notFound),
        );
      else harness.advance(50);
    }
    expect([order.state, order.attempts]).toEqual(['unknown', 1]);
  });
});

describe('an order that was cancelled before it could trade', () => {
  test('A15: is read once for its order id, and is over', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', refused(400, 'ErrOrderCanceled'));
    harness.answer('getOrderV3', harness.stamped(notFound));
    expect(order.state).toBe('rejected');
    expect(harness.exposure.ordersOpen()).toBe(0);
    harness.advance(600_000);
    expect(harness.calls).toEqual([]);
  });

  test('A15: keeps the order id when the exchange shows its record', () => {
    const harness = new ExecutionFixture();
    const order = harness.place();
    harness.answer('postorder', refused(400, 'ErrOrderCanceled'));
    harness.answer('getOrderV3', ok(recordOf(order, { status: 'COMPLETE' })));
    expect([order.state, order.orderId]).toEqual(['cancelled', idOf(order)]);
  });
});

describe('the lag of reads', () => {
  /** Places an order, has it accepted, and lets reads find it after `seconds`. */
  function accepted(seconds: number): ExecutionFixture {
    const harness = new ExecutionFixture({ measuresReadLag: true });
    const order = harness.place();
    harness.answer('postorder', ok({ order_id: idOf(order) }));
    while (harness.nowMs < startMs + 12_000) {
      const [call] = harness.calls;
      if (call === undefined) harness.advance(50);
      else
        harness.answer(
          'getOrderV3',
          harness.nowMs < startMs + seconds * 1000 ? notFound : ok(recordOf(order)),
        );
    }
    return harness;
  }

  test('is none where the first read finds the order; the fence keeps its floor of 5 s', () => {
    const { orders, incidents } = accepted(0);
    expect(orders.readLag.allowanceMs).toBe(5_000);
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
    const harness = new ExecutionFixture({ measuresReadLag: true });
    const order = harness.place();
    harness.calls.length = 0;
    let reads = 0;
    for (let i = 0; i < 105; i++) {
      harness.orders.readLag.noteAccepted(order);
      if (harness.calls.length > 0) {
        reads++;
        harness.answer('getOrderV3', ok(recordOf(order)));
      }
    }
    expect(reads).toBe(7);
  });
});
