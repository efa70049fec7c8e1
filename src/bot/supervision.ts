/**
 * Connects a running bot with its supervisors: the control socket for commands, the lease for the
 * watchdog, and the service manager.
 */

import {
  type ControlAnswer,
  type ControlRequest,
  controlPathOf,
} from '../control/control-message.ts';
import { type ControlServer, openControl } from '../control/control-server.ts';
import { createLease, leaseEveryMs, leasePathOf } from '../control/lease.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Bot, Operated } from './bot.ts';
import { figuresOf } from './run-report.ts';
import { type ServiceState, waitingMsMax, watchService } from './service-manager.ts';

export type SupervisionOptions = {
  readonly bot: Bot;
  readonly baseUrl: string;
  readonly timers: Timers;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly stop: (reason: string) => void;
  readonly onProblem: (text: string) => void;
};

export type Supervision = {
  stopping(): void;
  /** Closes all of it. The lease stays if orders may be open, so that the watchdog stops them. */
  close(unproven: number): void;
};

/** Opens all of it. A control socket that cannot be opened is reported, and the bot runs on. */
export async function supervise(options: SupervisionOptions): Promise<Supervision> {
  const { bot, timers, environment, onProblem } = options;
  const lease = createLease(leasePathOf(bot.store.path), options.baseUrl);
  const cancelLease = timers.every(leaseEveryMs, () => {
    if (bot.waitingMs() <= waitingMsMax) lease.renew();
  });
  const service = watchService({ environment, timers, stateOf: () => stateOf(bot), onProblem });
  const control = await openControlOf(options);
  return {
    stopping: () => service.stopping(),
    close: (unproven) => {
      cancelLease();
      service.close();
      control?.close();
      if (unproven === 0) lease.remove();
    },
  };
}

async function openControlOf(options: SupervisionOptions): Promise<ControlServer | undefined> {
  const { bot, onProblem } = options;
  const path = controlPathOf(bot.store.path);
  const without = 'halt, resume and kill cannot reach this bot';
  if (path === undefined) {
    onProblem(`${without}: the path of ${bot.store.path} is too long for a socket next to it`);
    return undefined;
  }
  try {
    return await openControl(path, options.timers, (request, answer) =>
      execute(options, request, answer),
    );
  } catch (error) {
    onProblem(`${without}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function execute(
  { bot, stop }: SupervisionOptions,
  request: ControlRequest,
  answer: (given: ControlAnswer) => boolean,
): void {
  const { command, reason, scope, token } = request;
  if (command === 'status') {
    answer({ isDone: true, isRefused: false, text: stateOf(bot).text, status: statusOf(bot) });
    return;
  }
  const problem = scope === undefined ? undefined : scopeProblem(bot, scope);
  if (problem !== undefined) {
    answer({ isDone: true, isRefused: true, text: problem });
    return;
  }
  const details = {
    ...(scope === undefined ? {} : { scope }),
    ...(token === undefined ? {} : { token }),
  };
  bot.operate({ command, reason, ...details }, (operated) => {
    answer(answerOf(operated));
    if (operated.isDone && request.thenStop === true) stop(`killed: ${reason}`);
  });
}

function answerOf({ isDone, isRefused = false, text, remaining }: Operated): ControlAnswer {
  const answer = { isDone, isRefused, text };
  return remaining === undefined ? answer : { ...answer, remaining };
}

/** Returns what is wrong with a scope, or undefined. */
export function scopeProblem(
  { settings }: Pick<Bot, 'settings'>,
  scope: string,
): string | undefined {
  const scopes = [
    'bot',
    ...settings.strategies.map(({ id }) => `strategy:${id}`),
    ...new Set(settings.strategies.flatMap(({ pairs }) => pairs.map((pair) => `pair:${pair}`))),
  ];
  if (scopes.includes(scope)) return undefined;
  return `this bot has no ${scope}; it has ${scopes.join(', ')}`;
}

function stateOf({ engine, waitingMs }: Bot): ServiceState {
  const { tracker } = engine.orders;
  const lost = [...engine.markets.values()].filter((market) => !market.isUsable);
  const books = lost.map(({ market }) => market.pair).join(', ');
  const isReconciled = engine.reconciler.isBalanced;
  const waits = engine.waits.all().length;
  const facts = [
    isReconciled ? 'reconciled' : 'not reconciled',
    lost.length === 0 ? 'every book is usable' : `no usable book of ${books}`,
    `${tracker.liveCount} live orders, ${tracker.count('unknown')} unknown`,
    ...(waits === 0 ? [] : [`${waits} waiting for calls or the order rate`]),
  ];
  return {
    isReconciled,
    areBooksUsable: lost.length === 0,
    waitingMs: waitingMs(),
    text: facts.join('; '),
  };
}

function statusOf(bot: Bot): Readonly<Record<string, unknown>> {
  const { tracker } = bot.engine.orders;
  const { isReconciled, areBooksUsable, waitingMs } = stateOf(bot);
  return {
    pid: process.pid,
    run: bot.store.runId,
    configHash: bot.settings.hash,
    isReconciled,
    areBooksUsable,
    waitingMs,
    liveOrders: tracker.liveCount,
    unknownOrders: tracker.count('unknown'),
    waits: bot.engine.waits.all(),
    notTrading: bot.engine.tradingBlocks,
    positions: figuresOf(bot),
  };
}
