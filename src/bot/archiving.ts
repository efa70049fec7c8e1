/** Archives old settled rows every minute while a bot runs, a few at a time. */
import type { Notice } from '../domain/notice.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { SqliteStore } from '../store/sqlite-store.ts';

/** How long rows stay in the database by default: 400 days, in milliseconds. */
export const rowsMsDefault = 400 * 86_400_000;
const archiveEveryMs = 60_000;

/**
 * Starts archiving; the returned function stops it. A failure is reported once and tried again a
 * minute later.
 */
export function startArchiving(options: {
  readonly store: Pick<SqliteStore, 'archive'>;
  /** Age of the rows to archive, in milliseconds; undefined archives nothing. */
  readonly rowsMs: number | undefined;
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly onNotice: (notice: Notice) => void;
}): Cancel {
  const { store, rowsMs, clock, timers, onNotice } = options;
  if (rowsMs === undefined) return () => {};
  let isReported = false;
  return timers.every(archiveEveryMs, () => {
    try {
      store.archive(Math.floor(clock.nowMicros() / 1000) - rowsMs);
      isReported = false;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!isReported) onNotice({ level: 'warn', topic: 'state', text });
      isReported = true;
    }
  });
}
