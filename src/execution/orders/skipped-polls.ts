/** The polls of an open order that a replay does not make, but counts in the call budget. */
import type { ExecutionContext } from '../requests/execution-context.ts';

/** How often an open order is read if no message wakes it. */
export const pollMs = 15_000;
/** The call budget counts the calls of this period. */
const countedMs = 60_000;

/** Counts the polls of the last minute that a live bot would have made since `sinceMs`. */
export function countSkippedPolls(
  context: Pick<ExecutionContext, 'nowMs' | 'countSkipped'>,
  sinceMs: number,
): void {
  const { nowMs } = context;
  let atMs = sinceMs + pollMs;
  if (atMs >= nowMs) return;
  const timesMs: number[] = [];
  atMs += Math.max(0, Math.ceil((nowMs - countedMs - atMs) / pollMs)) * pollMs;
  for (; atMs < nowMs; atMs += pollMs) timesMs.push(atMs);
  if (timesMs.length > 0) context.countSkipped(timesMs);
}
