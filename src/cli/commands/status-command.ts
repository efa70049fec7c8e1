/** `millrace status`: a bot's state, from its database and, while it runs, from the bot itself. */

import { breakEvenLine } from '../../audit/break-even.ts';
import { type StoredStatus, storedStatusOf } from '../../audit/stored-status.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { openStoreReports } from '../../store/sqlite-reports.ts';
import { isStoreLocked } from '../../store/store-lock.ts';
import type { RunRow } from '../../store/store-reports.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { BotCommandOptions } from '../bot-argument.ts';
import { runStateOf } from '../run-state.ts';
import { runningLines } from '../running-lines.ts';
import { blockLines } from '../trading-block-lines.ts';
import { askStatus, statusIn, waitLines, waitsOf } from '../waiting-orders.ts';

/** Prints orders, positions, incidents and reasons; returns the exit code. */
export async function runStatus(options: BotCommandOptions): Promise<number> {
  const settings = loadBotSettings(options.config, options);
  const path = statePlaceOf(settings.store, options.home).store;
  const reports = openStoreReports(path);
  try {
    const status = storedStatusOf(reports, settings.strategies);
    const answer = await askStatus(path, options);
    const live = statusIn(answer);
    const isLocked = isStoreLocked(path);
    const isRunning = answer !== undefined || isLocked;
    const { bot, hash } = settings;
    options.output.result({ bot, store: path, live: live ?? null, ...status }, [
      ...(answer === undefined ? [] : [`bot        ${answer.text}`]),
      ...waitLines(waitsOf(answer)),
      configLine(status.lastRun, hash),
      ...blockLines(live?.notTrading ?? status.notTrading, status.done, options, isRunning),
      ...(live === undefined ? [] : runningLines(live)),
      ...linesOf(status, runStateOf(status.lastRun, answer !== undefined, isLocked)),
    ]);
    return exitCodes.ok;
  } finally {
    reports.close();
  }
}

/** A bot reads its settings only when it starts, so a later edit has no effect yet. */
function configLine(run: RunRow | undefined, hash: string): string {
  const was = run?.configHash ?? hash;
  const changed =
    was === hash ? '' : '; the file has changed since, and the next start will use it';
  return `config     ${was.slice(0, 8)}${changed}`;
}

function linesOf(status: StoredStatus, runState: string): readonly string[] {
  const { lastRun } = status;
  const counts = Object.entries(status.orders).map(([state, count]) => `${count} ${state}`);
  return [
    lastRun === undefined
      ? 'run        none yet'
      : `run        ${lastRun.runId} from ${new Date(lastRun.startedMs).toISOString()}, ${runState}`,
    `orders     ${counts.join(', ') || 'none'}`,
    ...status.openOrders.map(
      (one) =>
        `  ${one.state.padEnd(10)} ${one.strategy} ${one.side} ${one.volume} at ${one.price} (${one.orderId ?? one.clientOrderId})`,
    ),
    `fills      ${status.fills}`,
    ...status.positions.map(
      (one) =>
        `  ${one.strategy} ${one.pair}: base ${one.base}, counter ${one.counter}, ${one.fills} fills`,
    ),
    ...status.breakEven.map((figures) => `fees       ${breakEvenLine(figures)}`),
    ...status.balances.map(
      (one) => `balance    ${one.currency} ${one.balance}, available ${one.available}`,
    ),
    ...status.tradingStates.map((one) => `state      ${one.scope} is ${one.state}: ${one.reason}`),
    ...status.refusals.map((one) => `refusals   ${one.strategyId} ${one.code} ${one.count} times`),
    ...status.incidents.map(
      (one) => `incident   ${new Date(one.atMs).toISOString()} ${one.code}: ${one.text}`,
    ),
  ];
}
