/**
 * How strategies end. One that has finished its task is stored as done: the next start does not
 * begin it again unless `--again` names it. When the last strategy has ended, the bot stops.
 */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { type Done, doneName, storedDoneStrategies } from '../../domain/done-strategy.ts';
import type { OrderStates } from '../../execution/orders/order-states.ts';
import type { StrategyHost } from '../../strategy/host.ts';
import type { EngineContext } from '../engine-context.ts';
import { forgetPlaces, noteIdle } from '../quoting/quote-target.ts';
import type { StrategyInbox } from '../strategy-inbox.ts';

type StoredState = { readonly name: string; readonly state: string };

/** Returns the strategies that are done, by id. */
export function storedDone(stored: readonly StoredState[]): Map<string, Done> {
  return new Map(storedDoneStrategies(stored).map((done) => [done.strategyId, done]));
}

export type StrategyEndsOptions = {
  readonly context: EngineContext;
  readonly orders: Pick<OrderStates, 'cancelAll'>;
  readonly inbox: StrategyInbox;
  readonly strategies: readonly {
    readonly settings: StrategySettings;
    readonly host: Pick<StrategyHost, 'status' | 'stop'>;
  }[];
  readonly stored: readonly StoredState[];
  /** Ids of strategies that begin their task again although they were done. */
  readonly again: readonly string[];
};

export class StrategyEnds {
  readonly #options: StrategyEndsOptions;
  readonly #done: Map<string, Done>;
  #hasBegun = false;
  #isOver = false;

  constructor(options: StrategyEndsOptions) {
    this.#options = options;
    this.#done = storedDone(options.stored);
  }

  /** Keeps the strategies that were done before this run from beginning again. */
  begin(): void {
    const { context, strategies, again } = this.#options;
    this.#hasBegun = true;
    for (const id of again) if (this.#done.delete(id)) this.#keep(id, null);
    for (const { settings, host } of strategies) {
      const { id } = settings;
      const done = this.#done.get(id);
      if (done === undefined) continue;
      host.stop(context.nowMs, doneText(done.reason));
      // An earlier run may have ended before it had cancelled them.
      this.#endOrders(settings, done.reason);
      const since = new Date(done.atMs).toISOString();
      const text = `${id} is done since ${since}: ${done.reason}; to let it begin again, start with --again ${id}`;
      context.notice({ level: 'info', topic: 'strategy', text });
    }
    this.noteEnd();
  }

  /** A strategy has finished its task. */
  finish(settings: StrategySettings, reason: string): void {
    const { context } = this.#options;
    const { id } = settings;
    const done = { atMs: context.nowMs, reason };
    this.#done.set(id, done);
    this.#keep(id, done);
    context.notice({ level: 'info', topic: 'strategy', text: `${id} is ${doneText(reason)}` });
    this.#endOrders(settings, reason);
    this.noteEnd();
  }

  /** The strategies that have finished their task, by id. */
  get done(): ReadonlyMap<string, Done> {
    return this.#done;
  }

  /** Whether no strategy runs any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reports that no strategy runs any more, so that the bot does not idle. */
  noteEnd(): void {
    const { context, strategies } = this.#options;
    if (!this.#hasBegun || this.#isOver) return;
    if (strategies.some(({ host }) => host.status !== 'stopped')) return;
    this.#isOver = true;
    const areDone = strategies.every(({ settings }) => this.#done.has(settings.id));
    const reason = areDone ? 'every strategy is done' : 'no strategy runs any more';
    context.effect({ kind: 'ended', reason });
  }

  #endOrders({ id, pairs, onStop }: StrategySettings, reason: string): void {
    const { context, inbox, orders } = this.#options;
    for (const pair of pairs) {
      const target = inbox.targetOf(id, pair);
      if (target === undefined) continue;
      target.quotes.end();
      forgetPlaces(target, () => true);
      noteIdle(context, target, doneText(reason));
      if (onStop === 'leave') continue;
      orders.cancelAll(doneText(reason), (order) => order.strategyId === id && order.pair === pair);
    }
  }

  #keep(strategyId: string, done: Done | null): void {
    this.#options.context.keepRiskState(doneName(strategyId), JSON.stringify(done));
  }
}

function doneText(reason: string): string {
  return `done: ${reason}`;
}
