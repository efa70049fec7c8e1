/** Whether a breaker has tripped: more events happened within its span than it allows. */
import type { Breaker } from '../domain/bot-settings.ts';
import { type Refuse, textOf } from './check.ts';
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
    window,
    breaker,
    nowMs,
  }: {
    readonly window: TimeWindow;
    readonly breaker: Breaker | undefined;
    readonly nowMs: number;
  },
): void {
  if (breaker !== undefined && !isTripped(breaker, window, nowMs)) return;
  const observed = breaker === undefined ? undefined : window.count(nowMs, breaker.withinMs);
  refuse(code, textOf(observed), textOf(breaker?.max), unit);
}
