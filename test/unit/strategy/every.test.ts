/** `every` behaves as RxJS's `interval` on the same virtual time. */
import { interval, map, type Observable, take, takeUntil, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { every } from '../../../src/strategy/every.ts';
import { VirtualScheduler } from '../../../src/strategy/virtual-scheduler.ts';

type Timer = (intervalMs: number, scheduler: VirtualScheduler) => Observable<number>;

/** Returns what happens on a clock that moves in uneven steps. */
function heard(make: Timer, use: (values$: Observable<number>, now: VirtualScheduler) => unknown) {
  const scheduler = new VirtualScheduler(1_000);
  const lines: string[] = [];
  const note = (what: string) => lines.push(`${scheduler.now()} ${what}`);
  const values$ = make(100, scheduler);
  const result = use(values$.pipe(tap((value) => note(`emits ${value}`))), scheduler);
  const subscription = (result as Observable<unknown>).subscribe({
    next: (value) => note(`next ${value}`),
    error: (error) => note(`error ${error}`),
    complete: () => note('complete'),
  });
  for (const step of [99, 1, 100, 50, 250, 7, 1_000, 93, 1]) {
    scheduler.moveTo(scheduler.now() + step);
    scheduler.runDue();
    note(`${scheduler.size} waiting, due ${scheduler.nextDueMs}`);
  }
  subscription.unsubscribe();
  note(`${scheduler.size} waiting`);
  return lines;
}

describe('every', () => {
  it.each<[string, Parameters<typeof heard>[1]]>([
    ['runs on', (values$) => values$],
    ['ends after some values', (values$) => values$.pipe(take(3))],
    ['ends at once', (values$) => values$.pipe(take(0))],
    ['is ended by another timer', (values$, now) => values$.pipe(takeUntil(timer(300, now)))],
    [
      'ends with an error',
      (values$) =>
        values$.pipe(
          map((value) => {
            if (value === 2) throw new Error('two');
            return value;
          }),
        ),
    ],
  ])('%s', (_name, use) => {
    const lines = heard(every, use);
    expect(lines).toEqual(heard(interval, use));
    expect(lines.length).toBeGreaterThan(9);
  });

  it.each([0, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d ms', (intervalMs) => {
    expect(() => every(intervalMs, new VirtualScheduler(0))).toThrow(/must be at least 1 ms/);
  });
});
