/**
 * Stops a loop of crashes and restarts by a supervisor: after several runs that ended without
 * closing the store, the bot starts halted, and stays halted until a person resumes it.
 */
import type { RunRow } from '../../store/store-reports.ts';

/** This number of crashed runs in a row, begun within {@link crashWindowMs}, is a crash loop. */
const crashesMax = 3;
const crashWindowMs = 5 * 60_000;

/**
 * Returns why the run must begin halted, or undefined if it need not. `runs` are newest first,
 * beginning with the new run. Runs before one that was closed normally do not count, nor those
 * before `resumedMs`, when a person last resumed everything.
 */
export function crashLoopOf(
  runs: readonly RunRow[],
  nowMs: number,
  resumedMs: number,
): string | undefined {
  const [, ...earlier] = runs;
  const closedAt = earlier.findIndex((run) => run.closed);
  const crashed = (closedAt === -1 ? earlier : earlier.slice(0, closedAt)).filter(
    ({ startedMs }) => nowMs - startedMs <= crashWindowMs && startedMs > resumedMs,
  );
  if (crashed.length < crashesMax) return undefined;
  const minutes = crashWindowMs / 60_000;
  const what = `the last ${crashed.length} runs crashed, all begun within ${minutes} minutes`;
  return `crash loop: ${what}; find the cause in the log, then start with --resume REASON`;
}
