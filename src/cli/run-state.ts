/** What a database's newest run is doing, in words. */
import type { RunRow } from '../store/store-reports.ts';

/**
 * Returns it from what is known: `answers` if a bot answered at its socket, `isLocked` if a process
 * has the database open.
 */
export function runStateOf(
  run: Pick<RunRow, 'closed'> | undefined,
  answers: boolean,
  isLocked: boolean,
): string {
  if (answers) return 'running';
  if (isLocked) return 'running, and does not answer';
  return run?.closed === true ? 'ended in order' : 'ended without closing: killed, or by an error';
}
