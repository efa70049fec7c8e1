/**
 * `millrace halt`, `reduce`, `resume` and `kill`: sends the command to the running bot. If no bot
 * runs, it writes the command to the database, and for `kill` cancels the orders itself.
 */

import { existsSync } from 'node:fs';
import { haltedScopeLine, haltedScopes } from '../../bot/halted-scopes.ts';
import { panic } from '../../bot/panic/panic.ts';
import { targetOfConfig } from '../../bot/panic/panic-target.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import { scopeProblem } from '../../bot/supervision.ts';
import { BotEndedError } from '../../control/control-client.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { StoreRecord, TradingState } from '../../domain/records.ts';
import { relatedScopes } from '../../risk/related-scopes.ts';
import { type Resumed, resumedName } from '../../risk/resumed.ts';
import { createClock } from '../../runtime/clock.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { openStoreReports } from '../../store/sqlite-reports.ts';
import type { EnteredState } from '../../store/store-reports.ts';
import { writeOffline } from '../../store/write-offline.ts';
import { botCommand } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import { askRunningBot, operatorName } from '../ask-running.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

export type OperatorCommandOptions = BotCommandOptions & {
  readonly command: 'halt' | 'reduce' | 'resume' | 'kill';
  readonly reason: string;
  readonly scope: string | undefined;
  /** Whether the bot process ends after a kill. */
  readonly thenStop: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
};

const nextStart = {
  halt: 'will be halted',
  reduce: 'will only reduce positions, or stay halted if it is halted',
  resume: 'may trade',
} as const;

/** Runs the command; returns the exit code: 6 if orders may be open after a kill. */
export async function runOperatorCommand(options: OperatorCommandOptions): Promise<number> {
  const { command, config, reason, scope, thenStop, workspace, output } = options;
  const settings = loadBotSettings(config, options);
  const problem = scope === undefined ? undefined : scopeProblem({ settings }, scope);
  if (problem !== undefined) throw new ConfigError(`${config}: ${problem}`);
  const { store, home } = statePlaceOf(settings.store, options.home);
  const request = {
    command,
    reason,
    ...(scope === undefined ? {} : { scope }),
    ...(thenStop ? { thenStop } : {}),
  };
  const place = { config, home: options.home, workspace };
  const answer = await askRunningBot({ store, place, output }, request).catch((error: unknown) => {
    // The bot ended, but a kill still has to cancel its orders.
    if (command !== 'kill' || !(error instanceof BotEndedError)) throw error;
    output.line('the bot ended before it proved that its orders are closed');
    return undefined;
  });
  if (answer !== undefined) {
    if (answer.isRefused) throw new ConfigError(`the bot refused: ${answer.text}`);
    output.result({ ...answer, isRunning: true }, [answer.text]);
    return (answer.remaining ?? 0) > 0 ? exitCodes.ordersRemain : exitCodes.ok;
  }
  if (command === 'kill') return killWithoutBot(options, store, settings.namespace);
  const before = command === 'resume' && existsSync(store) ? closedOf(store) : [];
  writeStates(options, store, settings.namespace);
  // A resumed scope may still be blocked by another one, so the remaining halts are listed.
  const states =
    command === 'resume' ? haltedScopes(settings, { tradingStates: () => closedOf(store) }) : [];
  const what = scope === undefined ? 'its next start' : `at its next start ${scope}`;
  const blocking = scope === undefined ? [] : relatedScopes(scope, settings.strategies);
  const closed = states.filter((one) => blocking.includes(one.scope));
  const kill = botCommand('kill', place, "--reason 'orders of a run that has ended'");
  const orders =
    command === 'resume' ? '' : `. Orders of its last run stay open; to cancel them: ${kill}`;
  const next = closed.length === 0 ? nextStart[command] : blockedText(closed);
  const text = `the bot is not running; ${what} ${next}${orders}`;
  const opened = before.filter((one) => !states.some(({ scope: still }) => still === one.scope));
  output.result({ isDone: true, isRunning: false, text, states }, [
    text,
    ...opened.map((one) => `${one.scope} was ${one.state}: ${one.reason}`),
    ...states.map((one) => `! ${haltedScopeLine(one, { config, home, workspace })}`),
  ]);
  return exitCodes.ok;
}

function blockedText(closed: readonly EnteredState[]): string {
  const names = closed.map(({ scope, state }) => `${scope} is ${state}`).join(', ');
  return `will be ACTIVE, but still does not trade: ${names}`;
}

async function killWithoutBot(
  options: OperatorCommandOptions,
  store: string,
  namespace: string,
): Promise<number> {
  const { output, config, home, workspace } = options;
  output.line('the bot is not running: cancelling its orders from this process');
  try {
    writeStates(options, store, namespace);
    const live = liveIn(store);
    const settles = live === 0 ? '' : `, and settles ${live} orders that the database has as live`;
    output.line(`its next start will be halted${settles}`);
  } catch (error) {
    // Even if the halt cannot be stored, the orders must be cancelled.
    output.problem(error);
  }
  return panic(targetOfConfig(config, home, workspace), { ...options, isAll: false });
}

function writeStates(options: OperatorCommandOptions, store: string, namespace: string): void {
  const { command } = options;
  const atMs = Math.floor(createClock().nowMicros() / 1000);
  const closed = command === 'halt' || command === 'kill' ? [] : closedOf(store);
  writeOffline(store, namespace, [
    ...recordsFor(options, { atMs, closed }),
    commandRecord(options, atMs),
  ]);
}

function commandRecord(
  { command, scope, reason }: OperatorCommandOptions,
  atMs: number,
): StoreRecord {
  const text = 'the bot was not running; stored for its next start';
  const given = { askedBy: operatorName(), command, scope, reason };
  return { kind: 'operator-command', atMs, ...given, outcome: 'done', text };
}

/** Returns the records of a command for a stopped bot; `closed` has its states except ACTIVE. */
export function recordsFor(
  { command, reason, scope }: Pick<OperatorCommandOptions, 'command' | 'reason' | 'scope'>,
  known: {
    readonly atMs: number;
    readonly closed: readonly { readonly scope: string; readonly state: string }[];
  },
): readonly StoreRecord[] {
  const { atMs, closed } = known;
  const enter = (one: string, state: TradingState): StoreRecord => {
    return { kind: 'trading-state', atMs, scope: one, state, reason };
  };
  if (command === 'halt' || command === 'kill') return [enter(scope ?? 'bot', 'HALTED')];
  if (command === 'reduce') {
    const isHalted = closed.some((one) => one.scope === (scope ?? 'bot') && one.state === 'HALTED');
    return isHalted ? [] : [enter(scope ?? 'bot', 'REDUCING')];
  }
  // Someone has seen what happened, so the circuit breakers start counting again.
  const resumedRecord = (strategyId: string | undefined, resumed: Resumed): StoreRecord => {
    return { kind: 'risk-state', name: resumedName(strategyId), state: JSON.stringify(resumed) };
  };
  if (scope === undefined) {
    const opened = closed.map((one) => enter(one.scope, 'ACTIVE'));
    return [...opened, resumedRecord(undefined, { atMs, isToForgive: true })];
  }
  const strategyId = /^strategy:(.+)$/u.exec(scope)?.[1];
  const ofStrategy = strategyId === undefined ? [] : [resumedRecord(strategyId, { atMs })];
  return [enter(scope, 'ACTIVE'), ...ofStrategy];
}

function liveIn(store: string): number {
  const reports = openStoreReports(store);
  try {
    return reports.openOrders().length;
  } finally {
    reports.close();
  }
}

function closedOf(store: string): readonly EnteredState[] {
  const reports = openStoreReports(store);
  try {
    return reports.tradingStates().filter(({ state }) => state !== 'ACTIVE');
  } finally {
    reports.close();
  }
}
