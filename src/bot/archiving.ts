/** Archives what has been settled for long, a little every minute, for as long as a bot runs. */
import type { Notice } from '../domain/notice.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { SqliteStore } from '../store/sqlite-store.ts';

/** What stays in the database unless the settings say otherwise. */
export const rowsMsDefault = 400 * 86_400_000;
const paceMs = 60_000;

/** Begins; the returned function ends it. What fails is told once and tried again. */
export function archiveSteadily(options: {
  readonly store: Pick<SqliteStore, 'archive'>;
  /** Undefined archives nothing. */
  readonly rowsMs: number | undefined;
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly onNotice: (notice: Notice) => void;
}): Cancel {
  const { store, rowsMs, clock, timers, onNotice } = options;
  if (rowsMs === undefined) return () => {};
  let isTold = false;
  return timers.every(paceMs, () => {
    try {
      store.archive(Math.floor(clock.nowMicros() / 1000) - rowsMs);
      isTold = false;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!isTold) onNotice({ level: 'warn', topic: 'state', text });
      isTold = true;
    }
  });
}
