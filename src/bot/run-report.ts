/** The figures of one run, and its summary for a person. */

import type { Audit } from '../audit/audit.ts';
import {
  type BreakEvenFigures,
  breakEvenFiguresOf,
  breakEvenLine,
  fillsLookedAt,
  pairsOf,
  quotesLookedAt,
} from '../audit/break-even.ts';
import { differenceLine } from '../audit/difference.ts';
import { formatAmount } from '../domain/amount.ts';
import type { StrategyState } from '../domain/bot-status.ts';
import { Decimal } from '../domain/money.ts';
import type { Gap } from '../engine/quoting/quote-coverage.ts';
import type { EnteredState } from '../store/store-reports.ts';
import { faultText } from '../strategy/fault-text.ts';
import { type BotPlace, botCommand } from '../terminal/command-hints.ts';
import type { Bot } from './bot.ts';
import { type PaperFigures, paperLines } from './paper/paper-figures.ts';
import { tradedFiguresOf } from './status/traded-figures.ts';

export type RunReport = {
  readonly mode: string;
  readonly seconds: number;
  /** From process start to the first order that the exchange accepted; null if there was none. */
  readonly firstQuoteMs: number | null;
  readonly ordersAccepted: number;
  readonly ordersRejected: number;
  /** Why the exchange rejected orders: its code and text, and how many orders got it. */
  readonly rejections: readonly { readonly reason: string; readonly orders: number }[];
  /**
   * The longest time after its first quote in which a side that a strategy wants quoted had no
   * order resting at the exchange, in seconds; null if no strategy quoted.
   */
  readonly secondsWithoutOrdersMax: number | null;
  /** The side and the start of that time, or why there is no such time. */
  readonly withoutOrders: string;
  readonly fills: number;
  // From the comparison with the exchange; null if it failed.
  readonly fillsAtExchange: number | null;
  readonly positionDifference: string | null;
  readonly balanceDifference: string | null;
  /** The number of fills and balances that differ from the exchange's. */
  readonly differences: number | null;
  readonly openOrdersAtExit: number | null;
  /** Why the comparison failed; null if it did not. */
  readonly auditFailed: string | null;
  /** Orders that are not known to have ended. */
  readonly unprovenAtExit: number;
  readonly incidents: number;
  /** For each strategy that failed: which, when and why. */
  readonly failedStrategies: readonly string[];
  /** The state of each scope that is not ACTIVE; the next run starts with it. */
  readonly states: readonly EnteredState[];
  readonly positions: readonly StrategyFigures[];
  readonly breakEven: readonly BreakEvenFigures[];
  /** The figures of paper trading; null in other modes. */
  readonly paper: PaperFigures | null;
  readonly journal: string;
};

export type StrategyFigures = Pick<
  StrategyState,
  'pair' | 'base' | 'counter' | 'position' | 'profit' | 'fees' | 'fills'
> & { readonly strategy: string };

export type EndedRun = Pick<RunReport, 'seconds' | 'incidents' | 'states'> & {
  readonly processStartedMs: number;
  readonly unproven: number;
};

/** Returns the summary of a run that has ended; `found` is the audit, or why it failed. */
export function reportOf(bot: Bot, run: EndedRun, found: Audit | string): RunReport {
  const { firstAcceptedMs, accepted } = bot.engine.orders.counts;
  const audit = typeof found === 'string' ? undefined : found;
  return {
    mode: bot.settings.mode,
    seconds: run.seconds,
    firstQuoteMs:
      firstAcceptedMs === undefined ? null : Math.round(firstAcceptedMs - run.processStartedMs),
    ordersAccepted: accepted,
    ...rejectionsOf(bot),
    ...withoutOrdersOf(bot.engine.coverage.longest),
    fills: audit?.fills ?? bot.store.reports.fillCount(),
    fillsAtExchange: audit?.fillsAtExchange ?? null,
    positionDifference: audit?.positionDifference ?? null,
    balanceDifference: audit?.balanceDifference ?? null,
    differences: audit?.differences.length ?? null,
    openOrdersAtExit: audit?.openOrders ?? null,
    auditFailed: typeof found === 'string' ? found : null,
    unprovenAtExit: run.unproven,
    incidents: run.incidents,
    failedStrategies: [...bot.engine.strategies.faults.values()].map(faultText),
    states: run.states,
    positions: figuresOf(bot),
    breakEven: breakEvenFiguresNow(bot),
    paper: bot.paper?.figures() ?? null,
    journal: bot.journal,
  };
}

function rejectionsOf({ engine }: Bot): Pick<RunReport, 'ordersRejected' | 'rejections'> {
  const rejections = [...engine.orders.rejections].map(([reason, orders]) => ({ reason, orders }));
  return { ordersRejected: rejections.reduce((sum, { orders }) => sum + orders, 0), rejections };
}

function withoutOrdersOf(
  gap: Gap | undefined,
): Pick<RunReport, 'secondsWithoutOrdersMax' | 'withoutOrders'> {
  if (gap === undefined)
    return { secondsWithoutOrdersMax: null, withoutOrders: 'no strategy quoted' };
  const { strategyId, pair, side, fromMs, ms } = gap;
  return {
    secondsWithoutOrdersMax: ms / 1000,
    withoutOrders: `${strategyId} ${pair} ${side} from ${new Date(fromMs).toISOString()}`,
  };
}

/** Whether nothing differs, every order is known to have ended, and no strategy failed. */
export function isInOrder(report: RunReport): boolean {
  return (
    report.fills === report.fillsAtExchange &&
    report.positionDifference === '0' &&
    report.balanceDifference === '0' &&
    report.differences === 0 &&
    report.openOrdersAtExit === 0 &&
    report.unprovenAtExit === 0 &&
    report.failedStrategies.length === 0
  );
}

/** Returns position, profit and fees of every strategy and pair that ever had a fill. */
export function figuresOf({ engine }: Pick<Bot, 'engine'>): readonly StrategyFigures[] {
  return engine.fills.positions.entries().map(({ strategyId, pair }) => {
    const market = engine.markets.get(pair)?.market;
    const { position, value, fills } = tradedFiguresOf(engine, strategyId, pair);
    return {
      strategy: strategyId,
      pair,
      base: market?.base ?? '',
      counter: market?.counter ?? '',
      position: formatAmount(position),
      profit: value === undefined ? null : value.profit.toFixed(2),
      fees: value === undefined ? null : value.fees.toFixed(2),
      fills,
    };
  });
}

export function breakEvenFiguresNow({
  settings,
  engine,
  store,
  startedMs,
}: Bot): readonly BreakEvenFigures[] {
  return breakEvenFiguresOf({
    strategies: settings.strategies,
    feesOf: (pair) => {
      const fees = engine.markets.get(pair)?.fees;
      return fees && { maker: new Decimal(fees.maker), taker: new Decimal(fees.taker) };
    },
    orders: store.reports.recentQuotes(quotesLookedAt).filter((one) => one.createdMs >= startedMs),
    fills: pairsOf(settings.strategies).flatMap((pair) =>
      store.reports.recentFills(pair, fillsLookedAt).filter((one) => one.tradedMs >= startedMs),
    ),
  });
}

/** Returns a line for each strategy and pair. */
export function figureLines(figures: readonly StrategyFigures[]): readonly string[] {
  return figures.map((one) => {
    const profit = `profit ${one.profit ?? '?'} ${one.counter} after fees of ${one.fees ?? '?'}`;
    return `${one.strategy}: position ${one.position} ${one.base}, ${profit}, ${one.fills} fills`;
  });
}

/** The audit compares only the newest fills of a long history. */
function comparedText(audit: Audit | undefined): string {
  const areAll = audit === undefined || audit.fillsInAll === audit.fills;
  return areAll ? '' : ` (only the newest of ${audit.fillsInAll} were compared)`;
}

function rejectionLines({ ordersRejected, rejections }: RunReport): readonly string[] {
  return [
    `orders rejected      ${ordersRejected} by the exchange`,
    ...rejections.map(({ reason, orders }) => `  ${orders} × ${reason}`),
  ];
}

export function reportLines(report: RunReport, audit: Audit | undefined): readonly string[] {
  return [
    '',
    `ran ${report.seconds} s in mode ${report.mode}; first quote after ${report.firstQuoteMs ?? '-'} ms`,
    `orders accepted      ${report.ordersAccepted}`,
    ...(report.rejections.length === 0 ? [] : rejectionLines(report)),
    `longest gap          ${report.secondsWithoutOrdersMax ?? '-'} s with a wanted quote but no order (${report.withoutOrders})`,
    `fills                ${report.fills} here, ${report.fillsAtExchange ?? '?'} at the exchange${comparedText(audit)}`,
    `position difference  ${report.positionDifference ?? '?'}`,
    `balance difference   ${report.balanceDifference ?? '?'}`,
    ...(audit?.balances ?? []).map(
      (one) =>
        `  ${one.currency.padEnd(5)} ${one.exchange} at the exchange, ${one.expected} expected`,
    ),
    ...(audit?.differences ?? []).map((one) => `  ! ${differenceLine(one)}`),
    `open orders          ${report.openOrdersAtExit ?? '?'}, ${report.unprovenAtExit} not known to have ended`,
    ...(report.auditFailed === null
      ? []
      : [`NOT COMPARED with the exchange: ${report.auditFailed}`]),
    `incidents            ${report.incidents}`,
    ...report.failedStrategies.map((text) => `! ${text}`),
    ...figureLines(report.positions),
    ...report.breakEven.map((figures) => `fees      ${breakEvenLine(figures)}`),
    ...(report.paper === null ? [] : paperLines(report.paper)),
    `journal              ${report.journal}`,
  ];
}

/** Returns the commands that show more about a run that has ended. */
export function followUpLines(place: BotPlace): readonly string[] {
  return [
    `look closer          ${botCommand('status', place)}`,
    `replay it            ${botCommand('replay', place)}`,
  ];
}
