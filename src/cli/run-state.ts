/** Describes what the newest run of a database is doing. */
import type { RunRow } from '../store/store-reports.ts';

/**
 * Returns the description. `answers` is true if a bot answered on its control socket, `isLocked` if
 * a process has the database open.
 */
export function runStateOf(
  run: Pick<RunRow, 'closed'> | undefined,
  answers: boolean,
  isLocked: boolean,
): string {
  if (answers) return 'running';
  if (isLocked) return 'running, but does not answer';
  return run?.closed === true ? 'ended normally' : 'ended abnormally: killed, or by an error';
}
