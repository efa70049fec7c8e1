/**
 * Carries out the commands of an operator: stop, halt, reduce, resume, kill, approve and set. Each
 * is an event of the journal. Its answer is an effect, so it is given after the commit that makes
 * the command durable.
 *
 * Invariant: a halt is stored before any of its effects is released, and cancels every order of its
 * scope, including orders that wait to be sent.
 */

import type { FillBook } from '../execution/fills/fill-book.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import { unknownText } from '../execution/orders/resolve-unknown.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { CancelProgress } from '../execution/reconcile/cancel-progress.ts';
import type { EndChecks } from '../execution/reconcile/end-checks.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { Procedure } from '../execution/requests/procedure.ts';
import { relatedScopes } from '../risk/related-scopes.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStart } from './engine-start.ts';
import type { OperatorCommand } from './event.ts';
import { killOrders } from './kill-switch.ts';
import type { RunningParameters } from './parameters/running-parameters.ts';
import type { RequestQueue } from './request-queue.ts';
import type { RiskEngine } from './risk-engine.ts';
import { stopOrders } from './shutdown.ts';
import type { StrategyInbox } from './strategy-inbox.ts';
import type { StrategyRunner } from './strategy-runner.ts';

const reportEveryMs = 2_000;

export type OperatorCommandsOptions = {
  readonly start: EngineStart;
  readonly context: EngineContext;
  readonly calls: RequestQueue;
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly reconciler: Reconciler;
  readonly endChecks: EndChecks;
  readonly risk: RiskEngine;
  readonly inbox: StrategyInbox;
  readonly strategies: StrategyRunner;
  readonly parameters: RunningParameters;
};

export class OperatorCommands {
  readonly #options: OperatorCommandsOptions;
  #stopReason: string | undefined;
  #isKilling = false;
  /** Tickets of the commands that wait for the end of the kill in progress. */
  #killTickets: number[] = [];

  constructor(options: OperatorCommandsOptions) {
    this.#options = options;
  }

  /** Whether the bot has been asked to stop. */
  get isStopping(): boolean {
    return this.#stopReason !== undefined;
  }

  /** Why the bot has been asked to stop; undefined if it has not. */
  get stopReason(): string | undefined {
    return this.#stopReason;
  }

  /** Carries out a command, and answers its ticket. */
  execute(given: OperatorCommand): void {
    const { command, reason, scope, token, ticket } = given;
    switch (command) {
      case 'set':
        this.#set(given);
        return;
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

  #set({ scope = '', values = {}, reason, by = '', ticket }: OperatorCommand): void {
    const strategyId = scope.replace(/^strategy:/u, '');
    const { isRefused, text } = this.isStopping
      ? { isRefused: true, text: 'the bot is stopping' }
      : this.#options.parameters.set({ strategyId, values, reason, by });
    if (isRefused) this.#refuse(ticket, text);
    else this.#answer(ticket, true, text);
  }

  #approve(token: string, reason: string, ticket: number | undefined): void {
    const { risk, inbox } = this.#options;
    const text = risk.approve(token, reason);
    if (text === undefined) {
      const problem = `no order asked for approval with the token "${token}"`;
      this.#refuse(ticket, problem);
      return;
    }
    inbox.noteApproval(token);
    this.#answer(ticket, true, text);
  }

  #resume(scope: string | undefined, reason: string, ticket: number | undefined): void {
    const { context, inbox, reconciler, start } = this.#options;
    if (scope === undefined && start.lost?.mayResume === false) {
      const { found, remedies } = start.lost;
      const text = `the position would be wrong: ${found}. ${remedies}`;
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

  /** Names the other scopes that must be resumed before this one can trade. */
  #resumedText(scope: string | undefined): string {
    const { context, start } = this.#options;
    if (scope === undefined) return 'everything may trade again';
    const closed = relatedScopes(scope, start.settings.strategies).flatMap((other) => {
      const state = context.tradingStateOf(other);
      return state === 'ACTIVE' || state === undefined ? [] : [`${other} is ${state}`];
    });
    if (closed.length === 0) return `${scope} may trade again`;
    return `${scope} is ACTIVE, but cannot trade while ${closed.join(' and ')}; resume without a scope to resume all`;
  }

  #halt(scope: string, reason: string): string {
    const { context, orders } = this.#options;
    // Counted first: the halt ends orders that wait to be sent.
    const count = [...orders.tracker.live].filter((order) => isWithin(order, scope)).length;
    context.setTradingState(scope, 'HALTED', reason);
    orders.cancelAll(`halted: ${reason}`, (order) => isWithin(order, scope));
    return `${scope} is HALTED until it is resumed, also after a restart; its ${count} live orders are cancelled${this.#alsoUnknown()}`;
  }

  /** Allows only orders that bring positions nearer to 0; a halted scope stays halted. */
  #reduce(scope: string, reason: string): string {
    const { context, orders, inbox } = this.#options;
    if (context.tradingStateOf(scope) === 'HALTED')
      return `${scope} is HALTED, which is stricter, and stays HALTED until it is resumed`;
    context.setTradingState(scope, 'REDUCING', reason);
    // An open order may increase a position.
    const count = orders.cancelAll(`reducing: ${reason}`, (order) => isWithin(order, scope));
    inbox.planAll();
    return `${scope} is REDUCING until it is resumed, also after a restart; its ${count} live orders are cancelled`;
  }

  #kill(reason: string, ticket: number | undefined): void {
    const { context, orders, start } = this.#options;
    const count = orders.tracker.liveCount;
    // Set before the halt, so that the kill sends the cancels instead of each order's procedure.
    orders.isCancellingAll = true;
    this.#halt('bot', `killed: ${reason}`);
    this.#answer(
      ticket,
      false,
      `the bot is HALTED until it is resumed, also after a restart; ${count} live orders are being cancelled`,
    );
    if (ticket !== undefined) this.#killTickets.push(ticket);
    if (this.#isKilling) return;
    this.#isKilling = true;
    const { namespace } = start.settings;
    context.spawn(this.#runKill(orders, namespace));
  }

  *#runKill(orders: OrderStates, namespace: string): Procedure {
    const { context } = this.#options;
    const progress = new CancelProgress(reportEveryMs);
    const cleared = yield* killOrders({
      orders,
      namespace,
      isHalted: () => context.facts.tradingState.global === 'HALTED',
      onProgress: (now) => {
        const line = progress.lineOf(now, context.nowMs);
        const unknown = orders.tracker.count('unknown');
        const also = unknown === 0 ? '' : `; the outcome of ${unknown} is unknown`;
        if (line !== undefined) this.#reportKill(`${line}${also}`);
      },
    });
    this.#isKilling = false;
    const remaining = cleared.open ?? orders.tracker.liveCount;
    const text = cleared.isClean
      ? `no order of ours is open: two lists in a row show none; ${cleared.stopsSent} cancels were sent${this.#alsoUnknown()}`
      : `the kill ended early because the bot was resumed; ${remaining} orders were still open`;
    context.notice({ level: 'alarm', topic: 'state', text });
    for (const ticket of this.#killTickets.splice(0)) this.#answer(ticket, true, text, remaining);
  }

  /** The lists of open orders do not show what became of an order of unknown outcome. */
  #alsoUnknown(): string {
    const unknown = unknownText(this.#options.orders);
    return unknown === undefined ? '' : `; ${unknown}`;
  }

  #reportKill(text: string): void {
    this.#options.context.notice({ level: 'warn', topic: 'state', text: `kill: ${text}` });
    for (const ticket of this.#killTickets) this.#answer(ticket, false, text);
  }

  #stop(reason: string): void {
    if (this.isStopping) return;
    this.#stopReason = reason;
    const { context, calls, orders, fills, reconciler, endChecks } = this.#options;
    const { strategies, start } = this.#options;
    calls.liftReserve();
    strategies.stop(reason);
    context.notice({ level: 'info', topic: 'state', text: `stopping: ${reason}` });
    const { settings, venue } = start;
    const provesFills = venue.reports.mayBeLost;
    const leaves = settings.strategies
      .filter(({ onStop }) => onStop === 'leave')
      .map(({ id }) => id);
    const { namespace } = settings;
    const readers = { fills, reconciler, endChecks };
    const stopping = { orders, ...readers, namespace, leaves: new Set(leaves), provesFills };
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

/** Whether an order belongs to a scope: `bot`, `pair:<pair>` or `strategy:<id>`. */
function isWithin(order: TrackedOrder, scope: string): boolean {
  return (
    scope === 'bot' || scope === `pair:${order.pair}` || scope === `strategy:${order.strategyId}`
  );
}
