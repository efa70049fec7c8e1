/**
 * Runs a bot in the foreground until its time is over or somebody asks it to stop, then cancels,
 * audits and reports. Shared by `start`, which brings its own simulator, and `run`.
 */
import { join } from 'node:path';
import type { Credentials } from '../client/credentials.ts';
import type { BotSettings, VenueSettings } from '../domain/bot-settings.ts';
import type { SystemClock } from '../runtime/clock.ts';
import { createLogger, type LogLevel } from '../runtime/log.ts';
import { openLogFile } from '../runtime/log-file.ts';
import { createSystemRandom } from '../runtime/random.ts';
import { watchSignals } from '../runtime/signals.ts';
import type { Timers } from '../runtime/timers.ts';
import { audit } from './audit.ts';
import { type Bot, startBot } from './bot.ts';
import { watchNpm } from './npm-watch.ts';
import type { Output } from './output.ts';
import { figureLines, figuresOf, type RunReport, reportLines } from './run-report.ts';

export type RunBotOptions = {
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly credentials: Credentials;
  readonly ordersGoTo: 'simulator' | 'exchange';
  readonly liveFlag: boolean;
  readonly home: string;
  readonly strategiesFolder: string;
  /** Undefined runs until a signal. */
  readonly forMs: number | undefined;
  readonly resumeReason: string | undefined;
  readonly clock: SystemClock;
  readonly timers: Timers;
  /** Of the log file in `home`; what is printed does not depend on it. */
  readonly logLevel: LogLevel;
  readonly output: Output;
};

const figuresEveryMs = 10_000;

/** Runs the bot; returns the exit code: 0 if all is equal and nothing is open. */
export async function runBot(options: RunBotOptions): Promise<number> {
  const { clock, timers, output, settings } = options;
  const nowMs = (): number => Math.floor(clock.nowMicros() / 1000);
  const { keyId: id, keySecret: secret } = options.credentials;
  output.hide([{ id, secret }]);
  const logFile = openLogFile(join(options.home, 'log', `${settings.bot}.log`));
  const logger = createLogger({
    level: options.logLevel,
    secrets: [{ id, secret }],
    destination: (line) => logFile.append(line),
  }).child({ bot: settings.bot });
  output.line(`bot ${settings.bot}, mode ${settings.mode}, namespace ${settings.namespace}`);
  output.line(
    'Ctrl-C ends it: every order is cancelled, checked to be gone, and a summary printed',
  );
  let stop = (reason: string): void => {
    output.line(`stopped while starting (${reason}): nothing was sent`);
    process.exit(1);
  };
  const fatal = (error: unknown): void => {
    logger.fatal('the run ends', { err: error });
    output.problem(error);
    process.exit(1);
  };
  const unwatch = watchSignals({
    stop: (signal) => stop(signal),
    force: (signal) => {
      output.line(
        `forced to end (${signal}): orders may still be open; the next start takes them over`,
      );
      process.exit(1);
    },
    fatal,
  });
  const startedMicros = clock.monotonicMicros();
  // The monotonic clock begins with the process.
  const processStartedMs = (clock.nowMicros() - startedMicros) / 1000;
  let incidents = 0;
  const bot = await startBot({
    ...options,
    random: createSystemRandom(),
    logger,
    onNotice: (notice) => {
      if (notice.topic === 'incident') incidents++;
      const level = notice.level === 'alarm' ? 'error' : notice.level;
      logger[level](notice.text, { topic: notice.topic, atMs: nowMs() });
      output.notice(notice, nowMs());
    },
    onFatal: fatal,
  });
  stop = (reason) => bot.stop(reason);
  const cancels = [
    watchNpm(timers, () => bot.stop('npm has ended')),
    timers.every(figuresEveryMs, () => {
      for (const text of figureLines(figuresOf(bot))) output.line(`           = ${text}`);
    }),
  ];
  if (options.forMs !== undefined)
    cancels.push(timers.after(options.forMs, () => bot.stop('its time is over')));

  const open = await bot.stopped;
  if (open > 0)
    output.line(`! ${open} orders are not known to have ended; the next start looks them up`);
  for (const cancel of cancels) cancel();
  const seconds = Math.round((clock.monotonicMicros() - startedMicros) / 1e6);
  try {
    return await report(bot, { seconds, processStartedMs, incidents, output });
  } finally {
    await bot.close();
    logFile.close();
    unwatch();
  }
}

async function report(
  bot: Bot,
  run: {
    readonly seconds: number;
    readonly processStartedMs: number;
    readonly incidents: number;
    readonly output: Output;
  },
): Promise<number> {
  const { settings, engine, store, client } = bot;
  const found = await audit({
    client,
    reports: store.reports,
    namespace: settings.namespace,
    accounts: settings.accounts,
    pairs: new Map([...engine.markets].map(([pair, { market }]) => [pair, market])),
  });
  const { firstAcceptedMs, accepted } = engine.executor.counts;
  const summary: RunReport = {
    mode: settings.mode,
    seconds: run.seconds,
    firstQuoteMs:
      firstAcceptedMs === undefined ? null : Math.round(firstAcceptedMs - run.processStartedMs),
    ordersAccepted: accepted,
    fills: found.fills,
    fillsAtExchange: found.fillsAtExchange,
    positionDifference: found.positionDifference,
    balanceDifference: found.balanceDifference,
    differences: found.differences.length,
    openOrdersAtExit: found.openOrders,
    incidents: run.incidents,
    positions: figuresOf(bot),
    journal: bot.journal,
  };
  run.output.result(summary, reportLines(summary, found));
  const isEqual =
    found.fills === found.fillsAtExchange &&
    found.positionDifference === '0' &&
    found.balanceDifference === '0' &&
    found.differences.length === 0 &&
    found.openOrders === 0;
  return isEqual ? 0 : 1;
}
