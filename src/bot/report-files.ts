/**
 * Writes a report of each UTC day into `reports/` of a bot's home when the day is over. If the bot
 * was not running then, its next start on the following day writes the report. A day without
 * decisions has no late report; `millrace report --day` makes one at any time.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dailyReportOf, dayMs, dayOf } from '../audit/daily-report.ts';
import type { SystemClock } from '../runtime/clock.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { StoreReports } from '../store/store-reports.ts';

const checkEveryMs = 60_000;
/** Waits five minutes after midnight, because the last trades may be booked late. */
const settleMs = 5 * 60_000;
const reportsMax = 400;

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
  const latestEndMs = (): number =>
    Math.floor((clock.nowMicros() / 1000 - settleMs) / dayMs) * dayMs;
  let writtenMs = latestEndMs();
  let isLate = !existsSync(pathOf(options, writtenMs - dayMs));
  return timers.every(checkEveryMs, () => {
    const endedMs = latestEndMs();
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

/** Whether the day has any decision. */
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
    // A failed report must not stop trading; it can be made later.
    onProblem(
      `the report of ${dayOf(startMs)} cannot be written: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function reportsOf(folder: string, bot: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${bot}-`) && /-\d{4}-\d\d-\d\d\.json$/u.test(name))
    .sort();
}
