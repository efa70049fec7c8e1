/**
 * The brake against a bot that crashes, is started again by its supervisor, and crashes again:
 * after a few lives that ended without closing the store it starts halted, and stays so until
 * somebody says otherwise.
 */
import type { RunRow } from '../../store/store-reports.ts';

/** So many runs in a row, within {@link crashWindowMs}, are a loop. */
export const crashesMax = 3;
export const crashWindowMs = 5 * 60_000;

/**
 * Returns why the run must begin halted, or undefined if it need not. `runs` are newest first; the
 * first is the run that begins. A run that was closed in order ends the count, and whoever resumed
 * everything at `resumedMs` has seen what was before.
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
  const what = `the last ${crashed.length} runs did not end in order, all begun within ${minutes} minutes`;
  return `crash loop: ${what}; look for the cause in the log, then start with --resume REASON`;
}
