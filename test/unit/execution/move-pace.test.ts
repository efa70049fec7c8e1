/** Orders of a quote are replaced at once, spread over time, or later. */
import { describe, expect, test } from 'vitest';
import { CallBudget } from '../../../src/execution/requests/call-budget.ts';
import type { CallPriority } from '../../../src/execution/requests/procedure.ts';
import type { VenueReply } from '../../../src/venue/venue-reply.ts';
import { callOf } from './execution-fixture.ts';

const minute = 60_000;
const answer: VenueReply = { kind: 'ok', value: [] };
const throttled: VenueReply = {
  ...{ kind: 'refused', reason: 'throttled', code: '429 ErrTooManyRequests', text: '' },
};

function send(budget: CallBudget, priority: CallPriority, nowMs: number, count = 1): number {
  for (let i = 0; i < count; i++) budget.enqueue(callOf(priority));
  let left = 0;
  while (budget.take(nowMs) !== undefined) {
    budget.sent(nowMs);
    budget.answered(answer, nowMs);
    left++;
  }
  return left;
}

/** Replaces an order every `everyMs`, or as soon as possible after that; returns the begins. */
function replaceEvery(budget: CallBudget, everyMs: number, minutes: number): readonly number[] {
  const begun: number[] = [];
  let dueMs = 0;
  for (let nowMs = 0; nowMs < minutes * minute; nowMs += 5)
    while (dueMs <= nowMs && budget.beginMove(nowMs)) {
      begun.push(nowMs);
      dueMs += everyMs;
      for (const priority of ['place', 'cancel'] as const)
        expect(send(budget, priority, nowMs)).toBe(1);
    }
  return begun;
}

const largestPauseMs = (begun: readonly number[]): number =>
  Math.max(...begun.slice(1).map((atMs, index) => atMs - (begun[index] as number)));

/** Has every answer report a limit of 300 calls a minute, and none by others. */
function setReported(budget: CallBudget): void {
  const answered = budget.answered.bind(budget);
  const callLimit = { perMinute: 300, remaining: 299 };
  budget.answered = (reply, nowMs) =>
    answered(reply.kind === 'ok' ? { ...reply, callLimit } : reply, nowMs);
}

describe('replacements', () => {
  test('begin at once while few calls count', () => {
    const begun = replaceEvery(new CallBudget({ perMinute: 300 }), 0, 1);
    expect(begun.filter((atMs) => atMs === 0)).toHaveLength(31);
  });

  test('are spread over the rest of the minute, and never stop for long', () => {
    const begun = replaceEvery(new CallBudget({ perMinute: 300 }), 0, 10);
    expect(largestPauseMs(begun)).toBeLessThan(5_000);
    for (const fromMs of begun) {
      const within = begun.filter((atMs) => atMs >= fromMs && atMs < fromMs + minute);
      expect(within.length * 2).toBeLessThanOrEqual(170);
      // More than half of the calls that are meant for them are used, also after a burst.
      if (fromMs < 9 * minute) expect(within.length * 2).toBeGreaterThan(100);
    }
  });

  test.each([
    ['80 a minute without a report of the limit', 750, false],
    ['120 a minute where the exchange reports its limit', 500, true],
  ])('at an even pace are never delayed: %s', (_name, everyMs, isReported) => {
    const budget = new CallBudget({ perMinute: 300 });
    if (isReported) setReported(budget);
    const begun = replaceEvery(budget, everyMs, 5);
    expect(largestPauseMs(begun)).toBeLessThanOrEqual(everyMs + 5);
    expect(begun.length).toBe((5 * minute) / everyMs);
  });

  test('count from their begin, before their calls are sent', () => {
    const budget = new CallBudget({ perMinute: 300 });
    let begun = 0;
    while (budget.beginMove(0)) begun++;
    expect(begun).toBe(31);
    expect(send(budget, 'place', 0, begun)).toBe(begun);
    expect(budget.beginMove(0)).toBe(false);
  });

  test('follow orders that wait for a side that has none', () => {
    const budget = new CallBudget({ perMinute: 300 });
    expect(send(budget, 'place', 0, 191)).toBe(190);
    expect(budget.waiting('place')).toBe(1);
    expect(budget.beginMove(minute - 1)).toBe(false);
    expect(budget.beginMove(minute)).toBe(true);
    budget.enqueue(callOf('place'));
    expect(budget.take(minute)).toBeDefined();
    expect(budget.take(minute)?.resume).toBeDefined();
    expect(budget.waiting('place')).toBe(0);
  });

  test('wait while the calls in flight leave no room for both of theirs', () => {
    const budget = new CallBudget({ perMinute: 300 });
    for (let count = 0; count < 15; count++) budget.sent(0);
    expect([budget.beginMove(0), budget.moveAtMs(0)]).toEqual([false, 5]);
    budget.answered(answer, 1);
    expect(budget.beginMove(1)).toBe(true);
  });

  test('leave calls to orders that are missing, and to every cancel', () => {
    const budget = new CallBudget({ perMinute: 300 });
    send(budget, 'read', 0, 170);
    expect(budget.beginMove(1)).toBe(false);
    expect(budget.moveAtMs(1)).toBe(minute);
    expect(send(budget, 'place', 1, 20)).toBe(20);
    expect(budget.beginMove(1)).toBe(false);
    expect(send(budget, 'cancel', 1, 100)).toBe(100);
  });

  test('wait for the end of the pause after a 429', () => {
    const budget = new CallBudget({ perMinute: 300 });
    budget.sent(0);
    budget.answered(throttled, 0);
    expect([budget.beginMove(0), budget.moveAtMs(0)]).toEqual([false, 2_000]);
    expect(budget.beginMove(2_000)).toBe(true);
  });

  test('are not paced where calls are not limited', () => {
    const budget = new CallBudget('unlimited');
    for (let i = 0; i < 1_000; i++) expect(budget.beginMove(0)).toBe(true);
    send(budget, 'place', 0, 1_000);
    expect(budget.beginMove(0)).toBe(true);
  });

  test('wake the engine when the first of several calls no longer counts', () => {
    const budget = new CallBudget({ perMinute: 300 });
    send(budget, 'read', 0, 70);
    send(budget, 'read', 1_000, 30);
    expect(budget.forgetsAtMs).toBe(minute);
    expect(budget.moveAtMs(minute)).toBe(minute);
  });
});

describe('what is left of the calls', () => {
  test('is reduced by sent and waiting calls, and says when more may be sent', () => {
    const budget = new CallBudget({ perMinute: 300 });
    expect(budget.left(0)).toEqual({
      ...{ perMinute: 240, forOrders: 190, nextOrderMs: 0, nextMoveMs: 0 },
    });
    send(budget, 'place', 0, 192);
    expect(budget.left(5)).toEqual({
      ...{ perMinute: 240, forOrders: 0, nextOrderMs: minute, nextMoveMs: minute },
    });
    send(budget, 'read', minute, 10);
    expect(budget.left(minute)).toMatchObject({ forOrders: 178, nextOrderMs: minute });
  });

  test('is zero during a pause, and infinite without a limit', () => {
    const budget = new CallBudget('unlimited');
    const all = Number.POSITIVE_INFINITY;
    expect(budget.left(0)).toEqual({
      ...{ perMinute: all, forOrders: all, nextOrderMs: 0, nextMoveMs: 0 },
    });
    budget.sent(0);
    budget.answered(throttled, 0);
    expect(budget.left(1)).toMatchObject({ forOrders: 0, nextOrderMs: 2_000, nextMoveMs: 2_000 });
  });
});
