/** Whether a breaker has tripped: more events happened within its span than it allows. */
import type { Breaker } from '../domain/declared-limits.ts';
import { type CheckInput, type Refuse, textOf } from './check.ts';
import type { TimeWindow } from './time-window.ts';

/** Returns whether more than `breaker.max` events happened within its span. */
export function isTripped(breaker: Breaker, window: TimeWindow, nowMs: number): boolean {
  return window.hasAtLeast(breaker.max + 1, nowMs, breaker.withinMs);
}

/** Refuses if the breaker has tripped or is missing. */
export function refuseTripped(
  refuse: Refuse,
  code: string,
  unit: string,
  {
    passed,
    window,
    breaker,
    nowMs,
  }: Pick<CheckInput, 'passed'> & {
    readonly window: TimeWindow;
    readonly breaker: Breaker | undefined;
    readonly nowMs: number;
  },
): void {
  const tell = breaker !== undefined && !isTripped(breaker, window, nowMs) ? passed : refuse;
  if (tell === undefined) return;
  const observed = breaker === undefined ? undefined : window.count(nowMs, breaker.withinMs);
  tell(code, textOf(observed), textOf(breaker?.max), unit);
}
