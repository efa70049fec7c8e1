/** Which call may be sent now (I11, I12, A9). */
import { describe, expect, test } from 'vitest';
import { CallBudget } from '../../../src/execution/requests/call-budget.ts';
import type { CallPriority, QueuedCall } from '../../../src/execution/requests/procedure.ts';
import type { VenueReply } from '../../../src/venue/venue-reply.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { callOf } from './execution-fixture.ts';

const minute = 60_000;

function enqueue(budget: CallBudget, priority: CallPriority, count = 1): void {
  for (let i = 0; i < count; i++) budget.enqueue(callOf(priority));
}

const throttledFor = (retryAfterMs?: number): VenueReply => ({
  ...{ kind: 'refused', reason: 'throttled', code: '429 ErrTooManyRequests', text: '' },
  retryAfterMs,
});
const answer: VenueReply = { kind: 'ok', value: [] };

/** Takes, sends and answers the calls that may be sent; returns their priorities in order. */
function drain(budget: CallBudget, nowMs: number): CallPriority[] {
  const left: CallPriority[] = [];
  for (;;) {
    const queued = budget.take(nowMs);
    if (queued === undefined) return left;
    budget.sent(nowMs);
    budget.answered(answer, nowMs);
    left.push(queued.priority);
  }
}

describe('the call budget', () => {
  test('removes a withdrawn call that waits, answering it once, but not one that was sent', () => {
    const budget = new CallBudget({ perMinute: 300 });
    const replies: string[] = [];
    const calls = ['first', 'second', 'third'].map((name) =>
      callOf('place', (reply) => replies.push(`${name} ${reply.kind}`)),
    );
    for (const call of calls) budget.enqueue(call);
    const first = budget.take(0);
    for (const index of [0, 1, 1]) budget.withdraw(calls[index] as QueuedCall);
    expect(replies).toEqual(['second not-sent']);
    expect(budget.waiting('place')).toBe(1);
    expect(first).not.toBe(budget.take(0));
    expect([budget.isWaiting, budget.nextMs(0)]).toEqual([false, undefined]);
  });

  test('without a limit, all calls are sent at once, except in the pause after a 429', () => {
    const budget = new CallBudget('unlimited');
    enqueue(budget, 'place', 1_000);
    expect(drain(budget, 0)).toHaveLength(1_000);
    enqueue(budget, 'read', 100);
    while (budget.take(1) !== undefined) budget.sent(1);
    expect(budget.isWaiting).toBe(false);
    budget.answered(throttledFor(5_000), 2);
    enqueue(budget, 'place');
    expect([budget.take(3), budget.nextMs(3)]).toEqual([undefined, 5_002]);
    expect(drain(budget, 5_002)).toEqual(['place']);
  });

  test('serves cancel, resolve, place, read, each in order of arrival', () => {
    const budget = new CallBudget({ perMinute: 300 });
    for (const priority of ['read', 'place', 'resolve', 'cancel', 'read', 'cancel'] as const)
      enqueue(budget, priority);
    expect(drain(budget, 0)).toEqual(['cancel', 'cancel', 'resolve', 'place', 'read', 'read']);
  });

  test.each([
    ['cancel', 290],
    ['resolve', 240],
    ['read', 210],
    ['place', 190],
  ] as const)('allows %s calls up to %i a minute', (priority, count) => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, priority, 400);
    expect(drain(budget, 0)).toHaveLength(count);
    expect(budget.nextMs(0)).toBe(minute);
    expect(drain(budget, minute - 1)).toHaveLength(0);
    expect(drain(budget, minute)).toHaveLength(Math.min(count, 400 - count));
  });

  test('reserves calls for reads against a burst of orders, and for cancels against both', () => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, 'place', 400);
    enqueue(budget, 'read', 400);
    const first = drain(budget, 0);
    expect(first.filter((priority) => priority === 'read')).toHaveLength(20);
    enqueue(budget, 'cancel', 60);
    expect(drain(budget, 1)).toEqual(Array.from({ length: 60 }, () => 'cancel'));
  });

  test('knows when a priority is free although a higher one is not', () => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, 'place', 190);
    drain(budget, 0);
    enqueue(budget, 'read', 20);
    drain(budget, 1_000);
    enqueue(budget, 'place', 1);
    expect(budget.nextMs(2_000)).toBe(minute + 1_000 - 1_000 + 0);
    enqueue(budget, 'cancel', 1);
    expect(budget.nextMs(2_000)).toBe(2_000);
  });

  test('never sends more than the limit in any minute, whatever is requested', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = new SeededRandom(seed);
      const budget = new CallBudget({ perMinute: 300 });
      const sent: { readonly atMs: number; readonly priority: CallPriority }[] = [];
      for (let nowMs = 0; nowMs < 4 * minute; nowMs += random.integer(1, 800)) {
        enqueue(budget, random.pick(['cancel', 'resolve', 'place', 'read'] as const), 4);
        for (const priority of drain(budget, nowMs)) sent.push({ atMs: nowMs, priority });
      }
      for (const [i, { atMs, priority }] of sent.entries()) {
        const isWithin = (one: { atMs: number }): boolean => one.atMs > atMs - minute;
        const within = sent.slice(0, i + 1).filter(isWithin).length;
        if (within > (priority === 'cancel' ? 290 : 240))
          throw new Error(`seed ${seed}: ${within} calls at call ${i}`);
      }
      expect(sent.length).toBeGreaterThan(900);
    }
  });

  test('allows at most 16 calls in flight', () => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, 'read', 40);
    for (let i = 0; i < 16; i++) {
      expect(budget.take(0)).toBeDefined();
      budget.sent(0);
    }
    expect(budget.take(0)).toBeUndefined();
    expect(budget.nextMs(0)).toBeUndefined();
    budget.answered(answer, 0);
    expect(budget.take(0)).toBeDefined();
  });

  test('I11: cancels wait neither for lookups that used up the budget nor for their answers', () => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, 'resolve', 300);
    expect(drain(budget, 0)).toHaveLength(240);
    enqueue(budget, 'cancel', 50);
    expect(drain(budget, 1)).toHaveLength(50);

    const busy = new CallBudget({ perMinute: 300 });
    enqueue(busy, 'resolve', 40);
    for (let i = 0; i < 16; i++) {
      expect(busy.take(0)).toBeDefined();
      busy.sent(0);
    }
    enqueue(busy, 'cancel', 48);
    expect(busy.nextMs(0)).toBe(0);
    for (let i = 0; i < 48; i++) {
      expect(busy.take(0)?.priority).toBe('cancel');
      busy.sent(0);
    }
    expect(busy.take(0)).toBeUndefined();
  });

  test('A9: pauses after a 429, longer each time, and starts over after a success', () => {
    const budget = new CallBudget({ perMinute: 300 });
    const refuse = (nowMs: number): void => {
      budget.sent(nowMs);
      budget.answered(throttledFor(), nowMs);
    };
    enqueue(budget, 'read', 100);
    const pauses: number[] = [];
    let nowMs = 0;
    for (let i = 0; i < 7; i++) {
      refuse(nowMs);
      expect(budget.take(nowMs)).toBeUndefined();
      const next = budget.nextMs(nowMs) ?? Number.NaN;
      pauses.push(next - nowMs);
      nowMs = next;
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    drain(budget, nowMs);
    enqueue(budget, 'read');
    refuse(nowMs + 1);
    expect(budget.nextMs(nowMs + 1)).toBe(nowMs + 2_001);
  });

  test('counts the answers of calls that were in flight together as one refusal', () => {
    const budget = new CallBudget({ perMinute: 300 });
    for (let i = 0; i < 5; i++) budget.sent(0);
    for (let i = 0; i < 5; i++) budget.answered(throttledFor(), i);
    enqueue(budget, 'read');
    expect(budget.nextMs(5)).toBe(2_000);
  });

  test('waits as long as the exchange demands', () => {
    const budget = new CallBudget({ perMinute: 300 });
    budget.sent(0);
    budget.answered(throttledFor(30_000), 0);
    enqueue(budget, 'resolve');
    expect(budget.nextMs(0)).toBe(30_000);
  });

  test('A9: never waits for more than a minute, whatever a 429 demands', () => {
    const budget = new CallBudget({ perMinute: 300 });
    budget.sent(0);
    expect(budget.answered(throttledFor(3_600_000), 0)).toBe(minute);
    enqueue(budget, 'read');
    expect(drain(budget, minute - 1)).toEqual([]);
    expect(drain(budget, minute)).toEqual(['read']);
  });

  test('I11 C6 sends a cancel within a second of a 429, and then one a second', () => {
    const budget = new CallBudget({ perMinute: 300 });
    budget.sent(0);
    budget.answered(throttledFor(60_000), 0);
    enqueue(budget, 'cancel', 3);
    enqueue(budget, 'resolve', 3);
    const left: number[] = [];
    for (let nowMs = 0; nowMs < 5_000; nowMs += 100)
      for (const priority of drain(budget, nowMs)) {
        expect(priority).toBe('cancel');
        left.push(nowMs);
      }
    expect(left).toEqual([1_000, 2_000, 3_000]);
  });

  /** Calls of an earlier run, spread over the minute. */
  const before = (count: number): number[] =>
    Array.from({ length: count }, (_, index) => ((index + 1) * minute) / count);

  test('counts the calls of an earlier run until they are a minute old', () => {
    const budget = new CallBudget({ perMinute: 300 });
    budget.countOtherCalls(before(120));
    enqueue(budget, 'read', 400);
    expect(drain(budget, minute)).toHaveLength(90);
    expect(drain(budget, minute + 30_000)).toHaveLength(60);
    enqueue(budget, 'cancel', 120);
    expect(drain(budget, minute + 30_000)).toHaveLength(80);
  });

  test('K3: still counts calls from before a gap that may have been a step of our clock', () => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, 'cancel', 300);
    expect(drain(budget, 0)).toHaveLength(290);
    const hourMs = 60 * minute;
    budget.noteGap(hourMs);
    expect(drain(budget, hourMs + 1_000)).toHaveLength(0);
    expect(drain(budget, hourMs + minute)).toHaveLength(10);
  });

  test('a gap of the clock does not bring back calls that no longer counted', () => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, 'cancel', 290);
    drain(budget, 0);
    // Nothing waits when the minute is over, and then the clock jumps.
    drain(budget, minute);
    budget.noteGap(minute);
    enqueue(budget, 'cancel', 290);
    expect(drain(budget, minute + 1_000)).toHaveLength(290);
  });

  test('after several restarts within a minute sends only as many calls as expire (I12)', () => {
    const budget = new CallBudget({ perMinute: 300 });
    budget.countOtherCalls(before(290));
    enqueue(budget, 'cancel', 400);
    expect(drain(budget, minute)).toHaveLength(0);
    expect(drain(budget, minute + 1_000)).toHaveLength(4);
  });

  test('counts skipped reads at their own times, whenever they are reported', () => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, 'read', 90);
    drain(budget, 0);
    expect(budget.hasRoomForReads(30_000)).toBe(true);
    budget.countOtherCalls([10_000, 20_000]);
    expect(budget.hasRoomForReads(30_000)).toBe(false);
    enqueue(budget, 'cancel', 290);
    expect(drain(budget, 30_000)).toHaveLength(290 - 92);
    // They leave the window at their own times.
    expect(drain(budget, minute)).toHaveLength(90);
    expect(drain(budget, minute + 10_000)).toHaveLength(1);
    expect(drain(budget, minute + 20_000)).toHaveLength(1);
  });

  test('gives reads all calls once no order is placed any more', () => {
    const budget = new CallBudget({ perMinute: 300 });
    enqueue(budget, 'read', 400);
    drain(budget, 0);
    budget.liftReserve();
    expect(drain(budget, 1)).toHaveLength(80);
  });
});
