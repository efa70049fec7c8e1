/**
 * Runs a bot in the foreground until its time is up or it is asked to stop; then compares it with
 * the exchange and prints a summary. Used by `start`, which also runs a simulator, and by `run`.
 */

import { join } from 'node:path';
import { type Audit, audit } from '../audit/audit.ts';
import type { Notice } from '../domain/notice.ts';
import { clientOrderIdPrefix } from '../execution/orders/client-order-id.ts';
import { DeferredLines, flushDeferredLines, textOf } from '../runtime/deferred-lines.ts';
import { createLogger, type Logger } from '../runtime/log.ts';
import { openLogFile } from '../runtime/log-file.ts';
import { createSystemRandom } from '../runtime/system-random.ts';
import type { Cancel } from '../runtime/timers.ts';
import { remedyText } from '../terminal/command-hints.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { botNoticeLimits, NoticeLimiter } from '../terminal/notice-limiter.ts';
import { type Bot, startBot } from './bot.ts';
import type { RunBotOptions } from './bot-options.ts';
import { withExitGuard } from './guards/exit-guard.ts';
import { createFatalEnd } from './guards/fatal-end.ts';
import { withLoopGuard } from './guards/hang-guard.ts';
import { watchLauncher } from './guards/launcher-watch.ts';
import { type WatchedFile, watchSettings } from './guards/settings-watch.ts';
import { createShutdownDeadline } from './guards/shutdown-deadline.ts';
import { watchForStop } from './guards/stop-signals.ts';
import { haltedScopeLine, haltedScopes } from './halted-scopes.ts';
import { feeLinesAtStart, feeWarner, fundsWarner } from './money-warnings.ts';
import { openAtExit } from './open-at-exit.ts';
import { keepReports } from './report-files.ts';
import {
  type EndedRun,
  figureLines,
  figuresOf,
  followUpLines,
  isInOrder,
  type RunReport,
  reportLines,
  reportOf,
} from './run-report.ts';
import { noteRunningBot } from './running-bots.ts';
import { showView } from './show-view.ts';
import { type Supervision, supervise } from './supervision.ts';

const figuresEveryMs = 10_000;
/** How long routine lines may wait, to be written together. */
const linesWaitMs = 100;

/**
 * Runs the bot and returns the exit code: 0 if the run is in order (see `isInOrder`), 6 if orders
 * are or may be open, 3 if strategies have failed and none is left, otherwise 1. An uncaught
 * error ends the process with 6 or 1.
 */
export function runBot(options: RunBotOptions): Promise<number> {
  const { settings, output, timers } = options;
  const ids = settings.strategies.map(({ id }) => id);
  output.useTerminal(timers);
  output.deferNotices(timers, linesWaitMs);
  const run: Run = { bot: undefined };
  const ended = () => {
    // Also for a direct call of `reallyExit`, which emits no `exit` event.
    flushDeferredLines();
    output.endView();
    const { text, exitCode } = openAtExit(run.bot, options);
    return { lines: text === undefined ? [] : [text], exitCode };
  };
  return withExitGuard(
    `strategy ${ids.join(' or ')}`,
    (exit) => withLoopGuard(options, (guardLoop) => runGuarded(options, { run, exit, guardLoop })),
    ended,
  );
}

/** `bot` is undefined until it has started. */
type Run = { bot: Bot | undefined };

async function runGuarded(
  options: RunBotOptions,
  {
    run,
    exit,
    guardLoop,
  }: {
    readonly run: Run;
    readonly exit: (code: number) => never;
    readonly guardLoop: () => Cancel;
  },
): Promise<number> {
  const { clock, timers, output } = options;
  const { keyId: id, keySecret: secret } = options.credentials;
  const secrets = [{ id, secret }, ...(options.feeds?.secrets ?? [])];
  output.hide(secrets);
  const logFile = openLogFile(join(options.home, 'log', `${options.settings.bot}.log`));
  const log = new DeferredLines(timers, linesWaitMs, (lines) => logFile.append(textOf(lines)));
  const logger = createLogger({
    level: options.logLevel,
    secrets,
    destination: (line) => log.append(line),
    flush: () => log.flush(),
  }).child({ bot: options.settings.bot });
  const counted = countingNotices(options, logger);
  options.page.warnWith((text) => counted.notice({ level: 'warn', topic: 'state', text }));
  greet(options);
  const { fatal, failedStart } = createFatalEnd(options, { botOf: () => run.bot, logger, exit });
  const signals = watchForStop(output, { fatal: (error) => void fatal(error), exit });
  const startedMicros = clock.monotonicMicros();
  const bot = await startBot({
    ...options,
    random: createSystemRandom(),
    logger,
    onNotice: counted.notice,
    onFatal: (error) => void fatal(error),
  }).catch(failedStart);
  run.bot = bot;
  try {
    return await superviseRun(bot, options, {
      startedMicros,
      counted,
      signals,
      closeLog: () => {
        log.flush();
        logFile.close();
      },
      exit,
      guardLoop,
    });
  } catch (error) {
    // Otherwise the bot would continue to trade, and no signal would reach it.
    return await fatal(error);
  }
}

type RunParts = {
  readonly startedMicros: number;
  readonly counted: ReturnType<typeof countingNotices>;
  readonly signals: ReturnType<typeof watchForStop>;
  readonly closeLog: () => void;
  readonly exit: (code: number) => never;
  readonly guardLoop: () => Cancel;
};

/** Prints notes about the start, supervises the bot until it has stopped, and reports. */
async function superviseRun(bot: Bot, options: RunBotOptions, parts: RunParts): Promise<number> {
  const { clock, output } = options;
  const { startedMicros, counted, signals, closeLog, exit, guardLoop } = parts;
  const unguardLoop = guardLoop();
  for (const text of feeLinesAtStart(bot, options.plugins)) output.line(text);
  for (const text of haltedAtStart(bot, options)) output.line(`! ${text}`);
  let supervision: Supervision | undefined;
  const { stop, proven, done } = createShutdownDeadline({
    ...options,
    place: options,
    stop: (reason) => {
      // What follows is read as lines, and stays on the terminal.
      output.endView();
      bot.stop(reason);
    },
    stopping: () => supervision?.stopping(),
    exit,
  });
  supervision = await supervise({
    bot,
    baseUrl: options.venue.baseUrl,
    timers: options.timers,
    environment: options.environment,
    stop,
    onProblem: (text) => counted.notice({ level: 'warn', topic: 'state', text }),
  });
  const forget = noteRunning(options);
  options.page.register(bot.startedMs);
  signals.stopWith(stop);
  const endView = showView(bot, options);
  const unproven = await untilStopped(bot, options, { stop, shown: counted.shown });
  endView();
  if (unproven === 0) proven();
  const endedMicros = clock.monotonicMicros();
  try {
    return await report(bot, options, {
      seconds: Math.round((endedMicros - startedMicros) / 1e6),
      // The monotonic clock begins with the process.
      processStartedMs: (clock.nowMicros() - endedMicros) / 1000,
      incidents: counted.incidents(),
      unproven,
    });
  } finally {
    unguardLoop();
    forget();
    await options.page.close();
    supervision.close(unproven);
    await bot.close();
    done();
    closeLog();
    signals.unwatch();
  }
}

/** Registers the bot, so that commands find it by name; if that fails, they need its settings. */
function noteRunning({ settings, config, home, workspace, output }: RunBotOptions): () => void {
  try {
    return noteRunningBot({ bot: settings.bot, config, home }, workspace);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    output.line(`commands find this bot only by its settings file, not by its name: ${why}`);
    return () => {};
  }
}

function greet({ settings, egressCaps, output }: RunBotOptions): void {
  const { bot, mode, namespace } = settings;
  output.line(`bot ${bot}, mode ${mode}, namespace ${namespace}`);
  output.line(
    `orders whose client order id begins with ${clientOrderIdPrefix(namespace)} belong to this bot; no other bot of the account may use this namespace`,
  );
  output.line(
    egressCaps === undefined
      ? 'no egress caps: each order is compared only with what was approved'
      : `egress caps ${egressCaps.file} (${egressCaps.hash.slice(0, 12)}), settings ${settings.hash.slice(0, 12)}; changes take effect at the next start`,
  );
  output.line(
    'Ctrl-C stops it: it cancels every order, checks that none is open, and prints a summary',
  );
}

function countingNotices(options: RunBotOptions, logger: Logger) {
  const { clock, output } = options;
  let incidents = 0;
  const shown = new NoticeLimiter(output, botNoticeLimits);
  return {
    shown,
    incidents: () => incidents,
    notice: (given: Notice): void => {
      const { text, remedy, detail, logged } = given;
      const notice =
        remedy === undefined ? given : { ...given, text: `${text}${remedyText(remedy, options)}` };
      const nowMs = Math.floor(clock.nowMicros() / 1000);
      if (notice.topic === 'incident') incidents++;
      const level = notice.level === 'alarm' ? 'error' : notice.level;
      logger[level](detail === undefined ? notice.text : `${notice.text} [${detail}]`, {
        topic: notice.topic,
        atMs: nowMs,
        ...logged,
      });
      shown.note(notice, nowMs);
    },
  };
}

/** Resolves when the bot has stopped, with the number of orders not known to have ended. */
async function untilStopped(
  bot: Bot,
  options: RunBotOptions,
  { stop, shown }: { readonly stop: (reason: string) => void; readonly shown: NoticeLimiter },
): Promise<number> {
  const { clock, timers, output } = options;
  const warnOfFees = feeWarner(bot, output);
  const warnOfFunds = fundsWarner(bot, output);
  const cancels = [
    watchLauncher(options, (who) => stop(`the ${who} that started it has ended`)),
    keepReports({
      ...options,
      bot: options.settings.bot,
      reports: bot.store.reports,
      onWritten: (path) => output.line(`daily report: ${path}`),
      onProblem: (text) => output.line(`! ${text}`),
    }),
    watchSettings(timers, settingsFilesOf(options), (text) => output.line(`! ${text}`)),
    timers.every(figuresEveryMs, () => {
      shown.flush(clock.nowMicros() / 1000);
      warnOfFees();
      warnOfFunds();
      if (output.hasView) return;
      for (const text of figureLines(figuresOf(bot))) output.line(`           = ${text}`);
    }),
  ];
  if (options.forMs !== undefined)
    cancels.push(timers.after(options.forMs, () => stop('its time is up')));
  void bot.ended.then(stop);
  const unproven = await bot.stopped;
  shown.end();
  if (unproven > 0)
    output.line(`! ${unproven} orders are not known to have ended; the next start looks them up`);
  for (const cancel of cancels) cancel();
  return unproven;
}

function settingsFilesOf({ config, settings, egressCaps }: RunBotOptions): readonly WatchedFile[] {
  const bot = { path: config, hash: settings.hash };
  return egressCaps === undefined ? [bot] : [bot, { path: egressCaps.file, hash: egressCaps.hash }];
}

/** Returns lines about scopes that were halted before this run and that it does not resume. */
function haltedAtStart(bot: Bot, options: RunBotOptions): readonly string[] {
  if (options.resumeReason !== undefined) return [];
  const kept = haltedScopes(bot.settings, bot.store.reports);
  return kept
    .filter(({ atMs }) => atMs < bot.startedMs)
    .map((one) => haltedScopeLine(one, options));
}

async function report(
  bot: Bot,
  options: RunBotOptions,
  run: Omit<EndedRun, 'states'>,
): Promise<number> {
  const { output } = options;
  const found = await auditOf(bot).catch((error: unknown) => {
    output.problem(error);
    return error instanceof Error ? error.message : String(error);
  });
  const summary = reportOf(
    bot,
    { ...run, states: haltedScopes(bot.settings, bot.store.reports) },
    found,
  );
  output.result(summary, [
    ...reportLines(summary, typeof found === 'string' ? undefined : found),
    ...summary.states.map((one) => `! ${haltedScopeLine(one, options)}`),
    ...followUpLines(options),
  ]);
  return exitCodeOfRun(bot, summary);
}

function exitCodeOfRun({ engine, settings }: Bot, summary: RunReport): number {
  if (isInOrder(summary)) return exitCodes.ok;
  const mayRemain = summary.unprovenAtExit > 0 || (summary.openOrdersAtExit ?? 0) > 0;
  if (mayRemain) return exitCodes.ordersRemain;
  // A supervisor must not start it again and again: what has failed would fail again.
  const { size: done } = engine.strategies.ends.done;
  const failed = summary.failedStrategies.length;
  const isAnyLeft = failed === 0 || failed + done < settings.strategies.length;
  return isAnyLeft ? exitCodes.error : exitCodes.refusedBySafetyRule;
}

function auditOf({ settings, engine, store, reader }: Bot): Promise<Audit> {
  return audit({
    venue: reader,
    reports: store.reports,
    namespace: settings.namespace,
    accounts: settings.accounts,
    pairs: new Map([...engine.parts.markets].map(([pair, { market }]) => [pair, market])),
  });
}
