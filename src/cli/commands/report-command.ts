/** `millrace report`: reports one UTC day of a bot from its database, also while it runs. */

import { dailyReportLines, dailyReportOf, dayMs, dayOf } from '../../audit/daily-report.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import { ConfigError } from '../../domain/errors.ts';
import { createClock } from '../../runtime/clock.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { openStoreReports } from '../../store/sqlite-reports.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

/** Prints the report; returns the exit code. */
export async function runReport(
  options: BotCommandOptions & {
    /** The day, like 2026-11-20; undefined means today. */
    readonly day: string | undefined;
  },
): Promise<number> {
  const settings = loadBotSettings(options.config, options);
  const nowMs = createClock().nowMicros() / 1000;
  const startMs =
    options.day === undefined ? Math.floor(nowMs / dayMs) * dayMs : startOfDay(options.day);
  const reports = openStoreReports(statePlaceOf(settings.store, options.home).store);
  try {
    const report = dailyReportOf(reports, startMs);
    options.output.result({ bot: settings.bot, ...report }, dailyReportLines(report));
    return exitCodes.ok;
  } finally {
    reports.close();
  }
}

function startOfDay(day: string): number {
  const startMs = /^\d{4}-\d\d-\d\d$/u.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (!Number.isSafeInteger(startMs) || dayOf(startMs) !== day)
    throw new ConfigError(`--day must be a date like 2026-11-20, was "${day}"`);
  return startMs;
}
