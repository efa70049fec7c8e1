/**
 * `millrace why`: the history of one order, or why the bot is not trading, from the database; a
 * running bot also reports which orders are waiting.
 */

import { idleOf } from '../../audit/idle-reasons.ts';
import { decisionText, orderStoryOf, storyLines, timeOf } from '../../audit/order-story.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import type { WaitingOrder } from '../../domain/bot-status.ts';
import { createClock } from '../../runtime/clock.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { nearestWord } from '../../settings/nearest-word.ts';
import { openStoreReports } from '../../store/sqlite-reports.ts';
import { isStoreLocked } from '../../store/store-lock.ts';
import type { OrdersCalled, StoreReports } from '../../store/store-reports.ts';
import { type BotPlace, botCommand, resumeCommand } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { BotCommandOptions } from '../bot-argument.ts';
import { runStateOf } from '../run-state.ts';
import { blockLines } from '../trading-block-lines.ts';
import { askStatus, waitLines, waitsOf } from '../waiting-orders.ts';

export type WhyOptions = BotCommandOptions & {
  /** An order's number, id, level or key; undefined asks why the bot does not trade. */
  readonly order: string | undefined;
  /** How far back refusals are counted, in milliseconds; undefined counts all. */
  readonly sinceMs: number | undefined;
};

const hourMs = 3_600_000;
const refusalsShownMax = 5;
const idsShownMax = 3;
/** How many of the newest orders are searched for a similar id. */
const ordersSearched = 10_000;

/** Prints the answer; returns the exit code: 4 if there is no such order. */
export async function runWhy(options: WhyOptions): Promise<number> {
  const settings = loadBotSettings(options.config, options);
  const path = statePlaceOf(settings.store, options.home).store;
  const reports = openStoreReports(path);
  try {
    const answer = await askStatus(path, options);
    const waits = waitsOf(answer);
    return options.order === undefined
      ? whyNothing(options, reports, { path, waits, answers: answer !== undefined })
      : whyOrder(options, reports, { id: options.order, waits });
  } finally {
    reports.close();
  }
}

function whyOrder(
  options: WhyOptions,
  reports: StoreReports,
  { id, waits }: { readonly id: string; readonly waits: readonly WaitingOrder[] },
): number {
  const found =
    reports.findOrder({ clientOrderId: id }) ??
    reports.findOrder({ orderId: id }) ??
    (/^\d{1,15}$/u.test(id) ? reports.findOrder({ intentId: Number.parseInt(id, 10) }) : undefined);
  const called = found === undefined ? reports.ordersCalled(id) : [];
  const intentId = found?.intentId ?? called[0]?.newest;
  const story = intentId === undefined ? undefined : orderStoryOf(reports, intentId);
  if (story === undefined)
    return notFound(options, `no order "${id}"`, fixesFor(options, reports, id));
  const own = waits.filter(({ clientOrderId }) => clientOrderId === story.order.clientOrderId);
  options.output.result({ ...story, called, waits: own }, [
    ...calledLines(id, called),
    ...storyLines(story),
    ...waitLines(own),
  ]);
  return exitCodes.ok;
}

/** Says how many orders have the name by which the shown one, the newest, was found. */
function calledLines(name: string, called: readonly OrdersCalled[]): readonly string[] {
  const [first, ...others] = called;
  if (first === undefined) return [];
  const total = called.reduce((sum, { count }) => sum + count, 0);
  if (total === 1) return [`called     "${name}": the only order of this name`];
  const each = called.map((one) => `${one.count} of ${one.strategyId}, the newest ${one.newest}`);
  const more = others.length === 0 ? '' : ` (${each.join('; ')})`;
  return [`called     "${name}": the newest of ${total} orders of this name${more}`];
}

/** Returns suggestions for an id that was not found. */
function fixesFor(place: BotPlace, reports: StoreReports, id: string): readonly string[] {
  const orders = reports.recentOrders(ordersSearched);
  if (orders.length === 0)
    return [
      `this bot has not placed an order yet; to see why: ${botCommand('why', place, '--refused')}`,
    ];
  const ids = orders.flatMap(({ clientOrderId, orderId }) => {
    return orderId === undefined ? [clientOrderId] : [clientOrderId, orderId];
  });
  // The newest last, as the ids are.
  const names = [...new Set(orders.map(({ level, key }) => level ?? key).reverse())].reverse();
  const wanted = id.toLowerCase();
  const near = [...ids, ...names].filter(
    (one) => wanted !== '' && one.toLowerCase().includes(wanted),
  );
  const nearest = near.length > 0 ? near.slice(-idsShownMax) : [nearestWord(id, names)];
  const [first] = nearest;
  if (first !== undefined) return [`did you mean ${nearest.join(', ')}?`];
  const numbers = orders.slice(-idsShownMax).map(({ intentId }) => intentId);
  return [
    `the newest orders of this bot are ${numbers.join(', ')}, called ${names.slice(-idsShownMax).join(', ')}`,
    'for an order of another bot, give the name of that bot',
  ];
}

function notFound({ output }: WhyOptions, problem: string, fixes: readonly string[]): number {
  output.result({ found: false, problem, fixes }, [`${problem}: ${fixes.join('; ')}`]);
  return exitCodes.notFound;
}

function whyNothing(
  { output, sinceMs, ...place }: WhyOptions,
  reports: StoreReports,
  {
    path,
    waits,
    answers,
  }: {
    readonly path: string;
    readonly waits: readonly WaitingOrder[];
    readonly answers: boolean;
  },
): number {
  const nowMs = Math.floor(createClock().nowMicros() / 1000);
  const isLocked = isStoreLocked(path);
  const answer = {
    ...idleAnswerOf(reports, sinceMs === undefined ? 0 : nowMs - sinceMs, nowMs),
    runState: runStateOf(reports.runs(1)[0], answers, isLocked),
    isRunning: answers || isLocked,
    waits,
  };
  output.result(answer, idleLines(answer, place));
  return exitCodes.ok;
}

export type IdleAnswer = ReturnType<typeof idleAnswerOf> & {
  /** The state of the newest run. */
  readonly runState: string;
  readonly isRunning: boolean;
  /** The orders that are waiting for the call limit or for the order rate. */
  readonly waits: readonly WaitingOrder[];
};

/** Returns everything in the store that keeps the bot from trading. */
export function idleAnswerOf(reports: StoreReports, sinceMs: number, nowMs: number) {
  const lastOrderMs = lastOrderMsOf(reports);
  return {
    sinceMs,
    blocking: blockingOf(reports, lastOrderMs ?? 0),
    /** Refusals by code: in the last hour, in the last day, and in total. */
    refusalsOverTime: overTimeOf(reports, nowMs),
    lastOrderMs,
    tradingStates: reports.tradingStates(),
    refusals: reports.refusalCounts(sinceMs),
    lastRefused: reports.refused(sinceMs, refusalsShownMax).map((decision) => ({
      ...decision,
      refusals: JSON.parse(decision.refusals) as unknown,
      text: decisionText(decision),
    })),
    done: reports.doneStrategies(),
    notTrading: reports.tradingBlocks(),
    idle: idleOf(reports),
    incidents: reports.incidents(refusalsShownMax).filter(({ atMs }) => atMs >= sinceMs),
    openOrders: reports.openOrders().length,
    lastRun: reports.runs(1)[0],
  };
}

function lastOrderMsOf(reports: StoreReports): number | undefined {
  const times = reports.lastPlaced().map(({ atMs }) => atMs);
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Returns what keeps the bot from trading now: a halt, otherwise a trading block of its last run,
 * otherwise the last refusal or idle reason since the last order.
 */
function blockingOf(reports: StoreReports, lastOrderMs: number): string | undefined {
  const halt = reports.tradingStates().find(({ state }) => state !== 'ACTIVE');
  if (halt !== undefined) return `${halt.scope} is ${halt.state}: ${halt.reason}`;
  const done = reports.doneStrategies();
  const [block] = reports
    .tradingBlocks()
    .filter(({ strategyId }) => !done.some((one) => one.strategyId === strategyId));
  if (block !== undefined) return `${block.strategyId} ${block.pair}: ${block.reason}`;
  const [refused] = reports.refused(lastOrderMs + 1, 1);
  if (refused !== undefined)
    return `${refused.strategyId} ${refused.pair}: ${decisionText(refused)}`;
  const idle = reports.idleReasons().find(({ atMs }) => atMs > lastOrderMs);
  return idle === undefined ? undefined : `${idle.strategyId} ${idle.pair}: ${idle.reason}`;
}

function overTimeOf(reports: StoreReports, nowMs: number) {
  const sum = (sinceMs: number) => {
    const counts: Record<string, number> = {};
    for (const { code, count } of reports.refusalCounts(sinceMs))
      counts[code] = (counts[code] ?? 0) + count;
    return counts;
  };
  return { hour: sum(nowMs - hourMs), day: sum(nowMs - 24 * hourMs), ever: sum(0) };
}

function overTimeLine({ hour, day, ever }: ReturnType<typeof overTimeOf>): readonly string[] {
  const codes = Object.entries(ever).sort(([, a], [, b]) => b - a);
  if (codes.length === 0) return [];
  const texts = codes.map(
    ([code, count]) =>
      `${code} ${hour[code] ?? 0} in the last hour, ${day[code] ?? 0} in the last day, ${count} in total`,
  );
  return [`counts     ${texts.join('; ')}`];
}

/** Returns the tokens of the approvals that the shown refusals ask for, without duplicates. */
function approvalsOf({ lastRefused }: IdleAnswer): readonly string[] {
  const found = lastRefused.map(({ text }) => /without approval ([0-9a-f]{16})/u.exec(text)?.[1]);
  return [...new Set(found.filter((token) => token !== undefined))];
}

/** Formats the answer for a person. What prevents trading comes first: it explains the rest. */
export function idleLines(answer: IdleAnswer, place: BotPlace): readonly string[] {
  const { lastRun, sinceMs, notTrading, isRunning } = answer;
  const hasBlocks = isRunning && notTrading.length > 0;
  const halts = answer.tradingStates.filter(({ state }) => state !== 'ACTIVE');
  return [
    ...(answer.blocking === undefined || hasBlocks ? [] : [`now        ${answer.blocking}`]),
    ...blockLines(notTrading, answer.done, place, isRunning),
    lastRun === undefined
      ? 'run        none yet'
      : `run        ${lastRun.runId} from ${timeOf(lastRun.startedMs)}, ${answer.runState}`,
    ...waitLines(answer.waits),
    ...(halts.length === 0 ? ['state      nothing is halted'] : []),
    ...halts.map(
      (one) =>
        `state      ${one.scope} has been ${one.state} since ${timeOf(one.atMs)}: ${one.reason}; to resume it: ${resumeCommand(one.scope, place)}`,
    ),
    ...(answer.refusals.length === 0
      ? [`refusals   none${sinceMs === 0 ? '' : ` since ${timeOf(sinceMs)}`}`]
      : []),
    ...answer.refusals.map(
      (one) =>
        `refusals   ${one.count} times ${one.code}, ${one.strategyId}, last ${timeOf(one.lastMs)}`,
    ),
    ...overTimeLine(answer.refusalsOverTime),
    ...answer.lastRefused.map(
      (one) => `  ${timeOf(one.atMs)} ${one.strategyId} ${one.pair} ${one.key}: ${one.text}`,
    ),
    ...approvalsOf(answer).map(
      (token) =>
        `approve    to let this one order pass, once: ${botCommand('approve', place, token, "--reason 'checked by hand'")}`,
    ),
    ...answer.incidents.map((one) => `incident   ${timeOf(one.atMs)} ${one.code}: ${one.text}`),
    `orders     ${answer.openOrders} not final; last order placed: ${answer.lastOrderMs === undefined ? 'never' : timeOf(answer.lastOrderMs)}`,
  ];
}
