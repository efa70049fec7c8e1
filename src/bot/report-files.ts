/**
 * Keeps a report of each UTC day in `reports/` of a bot's home, written when the day is over; where
 * no bot ran at that time, by the next one that runs on the day after. A day in which none ran has
 * no report; `millrace report --day` makes one at any time.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dailyReportOf, dayMs, dayOf } from '../audit/daily-report.ts';
import type { SystemClock } from '../runtime/clock.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { StoreReports } from '../store/store-reports.ts';

const lookEveryMs = 60_000;
/** Trades of the last minutes may be booked a little later. */
const settleMs = 5 * 60_000;
export const reportsMax = 400;

export type ReportFilesOptions = {
  readonly home: string;
  readonly bot: string;
  readonly reports: StoreReports;
  readonly clock: Pick<SystemClock, 'nowMicros'>;
  readonly timers: Pick<Timers, 'every'>;
  readonly onWritten: (path: string) => void;
  readonly onProblem: (text: string) => void;
};

/** Writes each day's report when it is over, until cancelled. */
export function keepReports(options: ReportFilesOptions): Cancel {
  const { clock, timers } = options;
  const overMs = (): number => Math.floor((clock.nowMicros() / 1000 - settleMs) / dayMs) * dayMs;
  let writtenMs = overMs();
  let isLate = !existsSync(pathOf(options, writtenMs - dayMs));
  return timers.every(lookEveryMs, () => {
    const endedMs = overMs();
    if (isLate) {
      isLate = false;
      const missedMs = writtenMs - dayMs;
      if (hasTraded(options.reports, missedMs)) writeReport(options, missedMs);
    }
    if (endedMs <= writtenMs) return;
    writtenMs = endedMs;
    writeReport(options, endedMs - dayMs);
  });
}

function pathOf({ home, bot }: ReportFilesOptions, startMs: number): string {
  return join(home, 'reports', `${bot}-${dayOf(startMs)}.json`);
}

/** Whether anything was decided on the day. */
function hasTraded(reports: StoreReports, startMs: number): boolean {
  for (const _decision of reports.decisionsBetween(startMs, startMs + dayMs)) return true;
  return false;
}

function writeReport(options: ReportFilesOptions, startMs: number): void {
  const { bot, reports, onWritten, onProblem } = options;
  const path = pathOf(options, startMs);
  const folder = dirname(path);
  try {
    makeFolder(folder, 0o700);
    const text = JSON.stringify({ bot, ...dailyReportOf(reports, startMs) }, null, 1);
    writeFileSync(`${path}.partial`, `${text}\n`, { mode: 0o600 });
    renameSync(`${path}.partial`, path);
    for (const old of reportsOf(folder, bot).slice(0, -reportsMax)) rmSync(join(folder, old));
    onWritten(path);
  } catch (error) {
    // A report that cannot be written is no reason to stop trading; it can be made again.
    onProblem(`no report of ${dayOf(startMs)}: ${error instanceof Error ? error.message : error}`);
  }
}

function reportsOf(folder: string, bot: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${bot}-`) && /-\d{4}-\d\d-\d\d\.json$/u.test(name))
    .sort();
}
