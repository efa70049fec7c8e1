/**
 * Connects a running bot with its supervisors: the control socket for commands, the lease for the
 * watchdog, and the service manager.
 */

import {
  type ControlAnswer,
  type ControlRequest,
  controlPathOf,
} from '../control/control-message.ts';
import { type Answer, openControl } from '../control/control-server.ts';
import { createLease, leaseEveryMs, leasePathOf } from '../control/lease.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Bot } from './bot.ts';
import type { Operated } from './command-tickets.ts';
import { waitingMsMax, watchService } from './service-manager.ts';
import { healthOf } from './status/bot-health.ts';
import { scopesOf } from './status/compose-status.ts';
import { StatusWatch } from './status/status-watch.ts';

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
  const service = watchService({ environment, timers, stateOf: () => healthOf(bot), onProblem });
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

async function openControlOf(options: SupervisionOptions): Promise<{ close(): void } | undefined> {
  const { bot, timers, onProblem } = options;
  const path = controlPathOf(bot.store.path);
  const without = 'commands cannot reach this bot';
  if (path === undefined) {
    onProblem(`${without}: the path of ${bot.store.path} is too long for a socket next to it`);
    return undefined;
  }
  const watch = new StatusWatch({
    timers,
    compose: () => ({ text: healthOf(bot).text, status: bot.status() }),
    isBusy: () => bot.waitingMs() > 0,
  });
  try {
    const server = await openControl(path, timers, (request, answer, stream) => {
      const problem = request.command === 'watch' ? watch.add(stream) : undefined;
      if (problem !== undefined) answer({ isDone: true, isRefused: true, text: problem });
      execute(options, request, answer);
    });
    return {
      close: () => {
        watch.close();
        server.close();
      },
    };
  } catch (error) {
    onProblem(`${without}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function execute({ bot, stop }: SupervisionOptions, request: ControlRequest, answer: Answer): void {
  const { command, reason, by = '', scope, token, values } = request;
  if (command === 'watch') return;
  if (command === 'status') {
    answer({ isDone: true, isRefused: false, text: healthOf(bot).text, status: bot.status() });
    return;
  }
  if (command === 'stop') {
    const text = 'the bot stops: it cancels its orders as by Ctrl-C, and ends';
    bot.notes.beginCommand({ askedBy: by, command, reason, scope })(false, text);
    answer({ isDone: true, isRefused: false, text });
    stop(by === '' ? reason : `${reason} (${by})`);
    return;
  }
  // Of set, the engine names the strategies that there are.
  const isChecked = scope !== undefined && command !== 'set';
  const problem = isChecked ? scopeProblem(bot, scope) : undefined;
  if (problem !== undefined) {
    bot.notes.beginCommand({ askedBy: by, command, reason, scope })(true, problem);
    answer({ isDone: true, isRefused: true, text: problem });
    return;
  }
  const details = {
    ...(scope === undefined ? {} : { scope }),
    ...(token === undefined ? {} : { token }),
    ...(values === undefined ? {} : { values, by }),
  };
  bot.operate({ command, reason, ...details }, by, (operated) => {
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
  const scopes = scopesOf(settings);
  if (scopes.includes(scope)) return undefined;
  return `this bot has no ${scope}; it has ${scopes.join(', ')}`;
}
