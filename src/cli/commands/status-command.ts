/** `millrace status`: a bot's state, from its database and, while it runs, from the bot itself. */

import {
  breakEvenFiguresOf,
  breakEvenLine,
  fillsLookedAt,
  pairsOf,
  quotesLookedAt,
} from '../../audit/break-even.ts';
import { idleOf } from '../../audit/idle-reasons.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { StrategySettings } from '../../domain/bot-settings.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { baseOf, counterOf, Positions } from '../../execution/fills/positions.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { openStoreReports } from '../../store/sqlite-reports.ts';
import { isStoreLocked } from '../../store/store-lock.ts';
import type { RunRow, StoreReports } from '../../store/store-reports.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { runStateOf } from '../run-state.ts';
import { blockLines } from '../trading-block-lines.ts';
import { askStatus, waitLines, waitsOf } from '../waiting-orders.ts';

const incidentsMax = 10;

export type StatusOptions = {
  readonly config: string;
  /** The folder that contains the database; undefined uses the path in the settings. */
  readonly home: string | undefined;
  readonly workspace: Workspace;
  readonly output: Output;
};

/** Prints orders, positions, incidents and reasons; returns the exit code. */
export async function runStatus(options: StatusOptions): Promise<number> {
  const settings = loadBotSettings(options.config, options);
  const path = statePlaceOf(settings.store, options.home).store;
  const reports = openStoreReports(path);
  try {
    const status = statusOf(reports, settings.strategies);
    const answer = await askStatus(path, options);
    const live = answer?.status ?? null;
    const { bot, hash } = settings;
    options.output.result({ bot, store: path, live, ...status }, [
      ...(answer === undefined ? [] : [`bot        ${answer.text}`]),
      ...waitLines(waitsOf(answer)),
      configLine(status.lastRun, hash),
      ...blockLines(status.notTrading, options, answer !== undefined || isStoreLocked(path)),
      ...linesOf(status, runStateOf(status.lastRun, answer !== undefined, isStoreLocked(path))),
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

type Status = ReturnType<typeof statusOf>;

function statusOf(reports: StoreReports, strategies: readonly StrategySettings[]) {
  const positions = new Positions();
  for (const totals of reports.fillTotals()) positions.restore(totals);
  const [lastRun] = reports.runs(1);
  return {
    lastRun,
    orders: reports.orderCounts(),
    openOrders: reports.openOrders().map((order) => ({
      strategy: order.strategyId,
      pair: order.pair,
      side: order.side,
      price: order.price,
      volume: order.volume,
      state: order.state,
      orderId: order.orderId ?? null,
      clientOrderId: order.clientOrderId,
    })),
    fills: reports.fillCount(),
    positions: positions.entries().map(({ strategyId, pair, holding }) => ({
      strategy: strategyId,
      pair,
      base: formatAmount(baseOf(holding)),
      counter: formatAmount(counterOf(holding)),
      fills: holding.fills,
    })),
    breakEven: breakEvenFiguresOf({
      strategies,
      feesOf: () => undefined,
      orders: reports.recentQuotes(quotesLookedAt),
      fills: pairsOf(strategies).flatMap((pair) => reports.recentFills(pair, fillsLookedAt)),
    }),
    balances: reports.ledgerLatest().map((row) => ({
      currency: row.currency,
      balance: row.balance,
      available: row.available,
      row: row.rowIndex,
    })),
    tradingStates: reports.tradingStates(),
    notTrading: reports.tradingBlocks(),
    idle: idleOf(reports),
    refusals: reports.refusalCounts(0),
    incidents: reports.incidents(incidentsMax),
  };
}

function linesOf(status: Status, runState: string): readonly string[] {
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
