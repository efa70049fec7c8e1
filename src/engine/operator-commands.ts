/**
 * What an operator may tell a running bot: stop, halt, reduce, resume, kill, approve. Each is an
 * event of the journal; its answer is an effect, so that it is given after the commit that makes it
 * last.
 *
 * Invariant: a halt is stored before anything that follows from it leaves, and asks for the cancel
 * of every order of its scope, also of those that wait to be sent.
 */

import type { FillBook } from '../execution/fills/fill-book.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { CancelProgress } from '../execution/reconcile/cancel-progress.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { Procedure } from '../execution/requests/procedure.ts';
import { relatedScopes } from '../risk/related-scopes.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStart } from './engine-start.ts';
import type { OperatorCommand } from './event.ts';
import { killOrders } from './kill-switch.ts';
import type { RequestQueue } from './request-queue.ts';
import type { RiskEngine } from './risk-engine.ts';
import { stopOrders } from './shutdown.ts';
import type { StrategyInbox } from './strategy-inbox.ts';
import type { StrategyRunner } from './strategy-runner.ts';

const tellEveryMs = 2_000;

export type OperatorCommandsOptions = {
  readonly start: EngineStart;
  readonly context: EngineContext;
  readonly calls: RequestQueue;
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly reconciler: Reconciler;
  readonly risk: RiskEngine;
  readonly inbox: StrategyInbox;
  readonly strategies: StrategyRunner;
};

export class OperatorCommands {
  readonly #options: OperatorCommandsOptions;
  #stopReason: string | undefined;
  #isKilling = false;
  /** Who waits for the end of the kill that runs. */
  #killTickets: number[] = [];

  constructor(options: OperatorCommandsOptions) {
    this.#options = options;
  }

  /** The bot has been asked to end. */
  get isStopping(): boolean {
    return this.#stopReason !== undefined;
  }

  /** Why it has been asked to end; undefined if it has not. */
  get stopReason(): string | undefined {
    return this.#stopReason;
  }

  /** Does what the command says; a ticket is answered. */
  obey({ command, reason, scope, token, ticket }: OperatorCommand): void {
    switch (command) {
      case 'resume':
        this.#resume(scope, reason, ticket);
        return;
      case 'halt':
        this.#answer(ticket, true, this.#halt(scope ?? 'bot', reason));
        return;
      case 'reduce':
        this.#answer(ticket, true, this.#reduce(scope ?? 'bot', reason));
        return;
      case 'kill':
        this.#kill(reason, ticket);
        return;
      case 'approve':
        this.#approve(token ?? '', reason, ticket);
        return;
      case 'stop':
        this.#stop(reason);
        this.#answer(ticket, true, 'stopping');
        return;
    }
  }

  #approve(token: string, reason: string, ticket: number | undefined): void {
    const { risk, inbox } = this.#options;
    const text = risk.approve(token, reason);
    if (text === undefined) {
      const problem = `no order asked for the approval "${token}"`;
      this.#refuse(ticket, problem);
      return;
    }
    inbox.noteApproval(token);
    this.#answer(ticket, true, text);
  }

  #resume(scope: string | undefined, reason: string, ticket: number | undefined): void {
    const { context, inbox, reconciler, start } = this.#options;
    if (scope === undefined && start.lost?.mayResume === false) {
      const { found, waysOut } = start.lost;
      const text = `the position would be wrong: ${found}. ${waysOut}`;
      context.notice({ level: 'alarm', topic: 'state', text: `not resumed: ${text}` });
      this.#refuse(ticket, text);
      return;
    }
    if (scope === undefined) context.resumeAll(reason);
    else context.resume(scope, reason);
    if (scope === undefined || scope === 'bot') reconciler.readAgain();
    inbox.planAll();
    this.#answer(ticket, true, this.#resumedText(scope));
  }

  /** Names what else must be open for the scope to trade, and is not. */
  #resumedText(scope: string | undefined): string {
    const { context, start } = this.#options;
    if (scope === undefined) return 'everything may trade again';
    const closed = relatedScopes(scope, start.settings.strategies).flatMap((other) => {
      const state = context.tradingStateOf(other);
      return state === 'ACTIVE' || state === undefined ? [] : [`${other} is ${state}`];
    });
    if (closed.length === 0) return `${scope} may trade again`;
    return `${scope} is ACTIVE, but ${closed.join(', ')} still; resume without a scope opens all`;
  }

  #halt(scope: string, reason: string): string {
    const { context, orders } = this.#options;
    // Before those that wait to be sent end.
    const count = [...orders.tracker.live].filter((order) => isWithin(order, scope)).length;
    context.setTradingState(scope, 'HALTED', reason);
    orders.cancelAll(`halted: ${reason}`, (order) => isWithin(order, scope));
    return `${scope} is HALTED, also after a restart; ${count} live orders of it are cancelled`;
  }

  /** Lets only orders pass that bring positions nearer to zero; never opens what is halted. */
  #reduce(scope: string, reason: string): string {
    const { context, orders, inbox } = this.#options;
    if (context.tradingStateOf(scope) === 'HALTED')
      return `${scope} is HALTED, which is stricter, and stays so until it is resumed`;
    context.setTradingState(scope, 'REDUCING', reason);
    // What is open may be on the side that makes a position larger.
    const count = orders.cancelAll(`reducing: ${reason}`, (order) => isWithin(order, scope));
    inbox.planAll();
    return `${scope} is REDUCING, also after a restart; ${count} live orders of it are cancelled`;
  }

  #kill(reason: string, ticket: number | undefined): void {
    const { context, orders, start } = this.#options;
    const count = orders.tracker.liveCount;
    // Before the cancels are asked for, so that they are the kill's and not each order's own.
    orders.isCancellingAll = true;
    this.#halt('bot', `killed: ${reason}`);
    this.#answer(
      ticket,
      false,
      `the bot is HALTED, also after a restart; ${count} live orders are being stopped`,
    );
    if (ticket !== undefined) this.#killTickets.push(ticket);
    if (this.#isKilling) return;
    this.#isKilling = true;
    const { namespace } = start.settings;
    context.spawn(this.#runKill(orders, namespace));
  }

  *#runKill(orders: OrderStates, namespace: string): Procedure {
    const { context } = this.#options;
    const progress = new CancelProgress(tellEveryMs);
    const cleared = yield* killOrders({
      orders,
      namespace,
      isHalted: () => context.facts.tradingState.global === 'HALTED',
      onProgress: (now) => {
        const line = progress.lineOf(now, context.nowMs);
        const unknown = orders.tracker.count('unknown');
        const doubt = unknown === 0 ? '' : `; ${unknown} whose outcome is unknown`;
        if (line !== undefined) this.#tellKill(`${line}${doubt}`);
      },
    });
    this.#isKilling = false;
    const remaining = cleared.open ?? orders.tracker.liveCount;
    const text = cleared.isClean
      ? `no order of ours is open: two lists in a row show none; ${cleared.stopsSent} stops were sent`
      : `the kill was given up since the bot may trade again; ${remaining} orders were open`;
    context.notice({ level: 'alarm', topic: 'state', text });
    for (const ticket of this.#killTickets.splice(0)) this.#answer(ticket, true, text, remaining);
  }

  #tellKill(text: string): void {
    this.#options.context.notice({ level: 'warn', topic: 'state', text: `kill: ${text}` });
    for (const ticket of this.#killTickets) this.#answer(ticket, false, text);
  }

  #stop(reason: string): void {
    if (this.isStopping) return;
    this.#stopReason = reason;
    const { context, calls, orders, fills, reconciler, strategies, start } = this.#options;
    calls.liftReserve();
    strategies.stop(reason);
    context.notice({ level: 'info', topic: 'state', text: `stopping: ${reason}` });
    const { settings, reconcile } = start;
    const leaves = settings.strategies.filter((one) => one.onStop === 'leave').map((one) => one.id);
    const { namespace } = settings;
    const stopping = { orders, fills, reconciler, namespace, leaves: new Set(leaves), reconcile };
    context.spawn(
      (function* () {
        context.effect({ kind: 'stopped', openOrders: yield* stopOrders(stopping) });
      })(),
    );
  }

  #refuse(ticket: number | undefined, text: string): void {
    if (ticket === undefined) return;
    this.#options.context.effect({
      kind: 'operated',
      ticket,
      isDone: true,
      isRefused: true,
      text,
    });
  }

  #answer(
    ticket: number | undefined,
    isDone: boolean,
    text: string,
    remaining?: number | undefined,
  ): void {
    if (ticket === undefined) return;
    const answer = { kind: 'operated', ticket, isDone, text } as const;
    this.#options.context.effect(remaining === undefined ? answer : { ...answer, remaining });
  }
}

/** Whether an order is of the scope `bot`, `pair:<pair>` or `strategy:<id>`. */
function isWithin(order: TrackedOrder, scope: string): boolean {
  return (
    scope === 'bot' || scope === `pair:${order.pair}` || scope === `strategy:${order.strategyId}`
  );
}
