/** Orders of a quote are replaced at once, spread over time, or later. */
import { describe, expect, test } from 'vitest';
import { CallBudget } from '../../../src/execution/requests/call-budget.ts';
import { callsUnspaced, movesPerMinuteMax } from '../../../src/execution/requests/move-pace.ts';
import type { Call, CallPriority } from '../../../src/execution/requests/procedure.ts';
import { ok, refused } from './execution-fixture.ts';

const minute = 60_000;

function send(budget: CallBudget, priority: CallPriority, nowMs: number, count = 1): number {
  const call: Call = { priority, operation: 'balance', parameters: () => ({}) };
  for (let i = 0; i < count; i++) budget.enqueue({ call, resume: () => {} });
  let left = 0;
  while (budget.take(nowMs) !== undefined) {
    budget.sent(nowMs);
    budget.answered(ok({}), nowMs);
    left++;
  }
  return left;
}

/** Replaces an order whenever possible, for `minutes`; returns when each replacement began. */
function replaceAlways(budget: CallBudget, minutes: number): readonly number[] {
  const begun: number[] = [];
  for (let nowMs = 0; nowMs < minutes * minute; nowMs += 50)
    while (budget.beginMove(nowMs)) {
      begun.push(nowMs);
      for (const priority of ['cancel', 'resolve', 'place'] as const)
        expect(send(budget, priority, nowMs)).toBe(1);
    }
  return begun;
}

describe('replacements', () => {
  test('begin at once while few calls count', () => {
    const begun = replaceAlways(new CallBudget(), 1);
    expect(begun.filter((atMs) => atMs === 0)).toHaveLength(callsUnspaced / 3 + 1);
  });

  test('are spread over the rest of the minute, and never stop for long', () => {
    const begun = replaceAlways(new CallBudget(), 10);
    const pauses = begun.slice(1).map((atMs, index) => atMs - (begun[index] as number));
    expect(Math.max(...pauses)).toBeLessThan(10_000);
    for (const fromMs of begun) {
      const within = begun.filter((atMs) => atMs >= fromMs && atMs < fromMs + minute);
      expect(within.length * 3).toBeLessThanOrEqual(movesPerMinuteMax);
      // Most of the calls that are meant for them are used.
      if (fromMs < 9 * minute) expect(within.length * 3).toBeGreaterThan(callsUnspaced);
    }
  });

  test('count from their begin, before their calls are sent', () => {
    const budget = new CallBudget();
    let begun = 0;
    while (budget.beginMove(0)) begun++;
    expect(begun).toBe(callsUnspaced / 3 + 1);
    expect(send(budget, 'place', 0, begun)).toBe(begun);
    expect(budget.beginMove(0)).toBe(false);
  });

  test('do not begin while an order waits for a side that has none', () => {
    const budget = new CallBudget();
    expect(send(budget, 'place', 0, 151)).toBe(150);
    expect(budget.waiting('place')).toBe(1);
    expect(budget.beginMove(minute)).toBe(false);
    expect(send(budget, 'place', minute, 0)).toBe(1);
    expect(budget.beginMove(minute)).toBe(true);
  });

  test('leave calls to orders that are missing, and to every cancel', () => {
    const budget = new CallBudget();
    send(budget, 'read', 0, movesPerMinuteMax);
    expect(budget.beginMove(1)).toBe(false);
    expect(budget.moveAtMs(1)).toBe(minute);
    expect(send(budget, 'place', 1, 20)).toBe(20);
    expect(budget.beginMove(1)).toBe(false);
    expect(send(budget, 'cancel', 1, 100)).toBe(100);
  });

  test('wait for the end of the pause after a 429', () => {
    const budget = new CallBudget();
    budget.sent(0);
    budget.answered(refused(429, 'ErrTooManyRequests'), 0);
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
    const budget = new CallBudget();
    send(budget, 'read', 0, 70);
    send(budget, 'read', 1_000, 30);
    expect(budget.forgetsAtMs).toBe(minute);
    expect(budget.moveAtMs(minute)).toBe(minute);
  });
});

describe('what is left of the calls', () => {
  test('is reduced by sent and waiting calls, and says when more may be sent', () => {
    const budget = new CallBudget();
    expect(budget.left(0)).toEqual({
      ...{ perMinute: 240, forOrders: 150, nextOrderMs: 0, nextMoveMs: 0 },
    });
    send(budget, 'place', 0, 152);
    expect(budget.left(5)).toEqual({
      ...{ perMinute: 240, forOrders: 0, nextOrderMs: minute, nextMoveMs: minute },
    });
    send(budget, 'read', minute, 10);
    expect(budget.left(minute)).toMatchObject({ forOrders: 138, nextOrderMs: minute });
  });

  test('is zero during a pause, and infinite without a limit', () => {
    const budget = new CallBudget('unlimited');
    const all = Number.POSITIVE_INFINITY;
    expect(budget.left(0)).toEqual({
      ...{ perMinute: all, forOrders: all, nextOrderMs: 0, nextMoveMs: 0 },
    });
    budget.sent(0);
    budget.answered(refused(429, 'ErrTooManyRequests'), 0);
    expect(budget.left(1)).toMatchObject({ forOrders: 0, nextOrderMs: 2_000, nextMoveMs: 2_000 });
  });
});
