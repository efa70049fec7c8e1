/**
 * Runs the strategies: delivers changes to them, collects their intents, plans their quotes, and
 * submits their orders to the gate.
 *
 * Within one event, all views change first; then streams emit; then, when every strategy has run,
 * the gate judges their intents in order. The results are delivered in further rounds, at most 64.
 */
import { type StrategySettings, seesPair } from '../domain/bot-settings.ts';
import type { Intent } from '../domain/intent.ts';
import type { TradeCollector } from '../domain/market-view.ts';
import { isUnderPart } from '../domain/part-name.ts';
import { expiredRefusal } from '../domain/refusal-text.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import type { HostFault } from '../strategy/fault-text.ts';
import type { StrategyHost } from '../strategy/host.ts';
import type { MarketEvent } from '../strategy/market-streams.ts';
import type { EngineMarket } from './engine-market.ts';
import type { EngineServices } from './engine-services.ts';
import type { MissedFill, MissedFills } from './missed-fills.ts';
import type { OrderRouter } from './order-router.ts';
import { collectOutputs } from './outputs/collect-outputs.ts';
import { announceQuote } from './quoting/announce-quote.ts';
import {
  forgetAnswers,
  forgetIdle,
  forgetPlaces,
  isAtRest,
  isIdle,
  noteIdle,
  type PlaceIntent,
  type QuoteTarget,
} from './quoting/quote-target.ts';
import type { QuoteUpdater } from './quoting/quote-updater.ts';
import type { Delivery, StrategyInbox } from './strategy-inbox.ts';
import type { StrategyStarter } from './strategy-starter.ts';
import type { StrategyEnds } from './trading/strategy-ends.ts';
import { type UsedKey, UsedKeys } from './used-keys.ts';

const roundsMax = 64;
const noCollectors: readonly TradeCollector[] = [];

export type RunnerStrategy = { readonly settings: StrategySettings; readonly host: StrategyHost };

export type StrategyRunnerOptions = {
  readonly context: EngineServices;
  readonly orders: OrderStates;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly strategies: readonly RunnerStrategy[];
  readonly router: OrderRouter;
  readonly quotes: QuoteUpdater;
  readonly usedKeys: readonly UsedKey[];
  readonly inbox: StrategyInbox;
  readonly starter: StrategyStarter;
  readonly missed: MissedFills;
  readonly ends: StrategyEnds;
};

export class StrategyRunner {
  /** The first fault of each strategy that was stopped by a fault, by strategy id. */
  readonly faults = new Map<string, HostFault>();
  readonly ends: StrategyEnds;
  readonly #options: Omit<StrategyRunnerOptions, 'usedKeys'>;
  readonly #inbox: StrategyInbox;
  readonly #usedKeys: UsedKeys;
  #hasBegun = false;
  #isStopped = false;

  constructor({ usedKeys, ...options }: StrategyRunnerOptions) {
    this.#options = options;
    this.ends = options.ends;
    this.#inbox = options.inbox;
    this.#usedKeys = new UsedKeys(usedKeys);
  }

  /**
   * Starts each strategy as soon as its orders can be judged. If that takes longer than the
   * strategy allows a book to be unusable, the orders that an earlier run left are cancelled.
   */
  start(): void {
    const { context, starter, strategies, ends } = this.#options;
    this.#hasBegun = true;
    ends.begin();
    const waiting = strategies.filter(({ host }) => host.status === 'ready');
    starter.begin(waiting);
    for (const { settings, host } of waiting)
      context.wakeAfter(settings.onUnusableBook.withdrawAfterMs, () => {
        if (host.status !== 'ready') return;
        for (const pair of settings.pairs)
          this.withdraw(settings.id, pair, 'its strategy has not started');
      });
  }

  /** Stops every strategy for good; their orders stay until they are cancelled. */
  stop(reason: string): void {
    this.#isStopped = true;
    for (const { host } of this.#options.strategies) host.stop(this.#options.context.nowMs, reason);
    for (const target of this.#inbox.targets) target.quotes.end();
  }

  /** Whether any strategy listens to `kind` events of `pair`. */
  isObserved(pair: string, kind: MarketEvent['kind']): boolean {
    if (this.#options.starter.isWaiting) return true;
    for (const { host } of this.#options.strategies) if (host.isObserved(pair, kind)) return true;
    return false;
  }

  /** Whether code of any strategy runs on market messages of `pair`, or may soon do so. */
  followsMarket(pair: string): boolean {
    if (this.#options.starter.isWaiting) return true;
    for (const { host } of this.#options.strategies) if (host.followsMarket(pair)) return true;
    return false;
  }

  /** What collects the trades of `pair` for candles. */
  collectorsOf(pair: string): readonly TradeCollector[] {
    let collectors = noCollectors;
    for (const { host } of this.#options.strategies) {
      const own = host.collectorsOf(pair);
      if (own.length > 0) collectors = collectors.length > 0 ? [...collectors, ...own] : own;
    }
    return collectors;
  }

  /**
   * As {@link collectorsOf} if trades of `pair` have no other use now, otherwise none: no timer is
   * due, which may close a candle before the trades, and no code of a strategy runs on them or on
   * what is delivered before them, where it may subscribe to candles that must have them.
   */
  collectorsAlone(pair: string): readonly TradeCollector[] {
    const { context, starter, strategies } = this.#options;
    const isFirst = this.#inbox.isEmpty && !starter.isWaiting && this.nextWakeMs > context.nowMs;
    if (!isFirst) return noCollectors;
    for (const { host } of strategies)
      if (host.followsMarket(pair) || host.hasSubscribers(pair, 'usable')) return noCollectors;
    return this.collectorsOf(pair);
  }

  /**
   * Whether a strategy listens to `kind` events of `pair`, or may do so when they are delivered:
   * the events of a start are queued before the strategies run.
   */
  mayListen(strategyId: string, pair: string, kind: MarketEvent['kind']): boolean {
    for (const { settings, host } of this.#options.strategies)
      if (settings.id === strategyId)
        return host.status !== 'running' || host.isObserved(pair, kind);
    return false;
  }

  /** Whether {@link settle} has nothing to do until a strategy's timer is due. */
  get isIdle(): boolean {
    return this.#inbox.isEmpty && !this.#options.starter.isWaiting && !this.#hasDirty();
  }

  /** Whether {@link settle} has nothing to do at `nowMs`. */
  isIdleAt(nowMs: number): boolean {
    if (!this.isIdle) return false;
    for (const { host } of this.#options.strategies)
      if (host.nextWakeMs() <= nowMs || host.hasOutputs) return false;
    return true;
  }

  /** Ends a strategy's quote on a pair and cancels all its orders on it. */
  withdraw(strategyId: string, pair: string, reason: string): void {
    const target = this.#inbox.targetOf(strategyId, pair);
    if (target === undefined) return;
    target.quotes.end();
    forgetPlaces(target, () => true);
    this.#cancelOrders(strategyId, pair, reason);
  }

  /** Whether a strategy has started and not stopped. */
  isRunning(strategyId: string): boolean {
    return this.#options.strategies.some(
      ({ settings, host }) => settings.id === strategyId && host.status === 'running',
    );
  }

  /** When the next timer of a strategy is due, in milliseconds; Infinity without timers. */
  get nextWakeMs(): number {
    let nextMs = Infinity;
    for (const { host } of this.#options.strategies) {
      const wakeMs = host.nextWakeMs();
      if (wakeMs < nextMs) nextMs = wakeMs;
    }
    return nextMs;
  }

  /** Runs strategies and their consequences until nothing is left to do. */
  settle(): void {
    if (this.isIdle) {
      this.#runTimers();
      this.#collect();
      // Most steps concern no strategy, or only close a candle, after which nothing follows.
      if (!this.isIdle) {
        this.#plan();
        this.#runRounds(1);
      }
    } else this.#runRounds(0);
    // A strategy that starts now sees the changes of this step in its views.
    const { starter } = this.#options;
    if (starter.isWaiting && starter.startReady()) this.#runRounds(0);
  }

  #runRounds(first: number): void {
    for (let round = first; ; round++) {
      const deliveries = this.#inbox.takeDeliveries();
      if (round > 0 && deliveries.length === 0 && !this.#hasDirty()) return;
      if (round === roundsMax) {
        this.#options.context.incident(
          'ROUNDS',
          `the strategies reacted to each other for more than ${roundsMax} rounds in one step; further reactions are dropped`,
        );
        return;
      }
      this.#deliver(deliveries);
      this.#collect();
      this.#plan();
    }
  }

  /** Runs the timers of strategies that are due. */
  #runTimers(): void {
    const { context, strategies } = this.#options;
    const { nowMs } = context;
    for (const { host } of strategies) if (host.nextWakeMs() <= nowMs) host.advance(nowMs);
  }

  #hasDirty(): boolean {
    for (const target of this.#inbox.targets) if (target.isDirty) return true;
    return false;
  }

  #deliver(deliveries: readonly Delivery[]): void {
    const { context, strategies, starter } = this.#options;
    for (const { strategyId, event } of deliveries)
      for (const { settings, host } of strategies) {
        if (strategyId !== undefined && strategyId !== settings.id) continue;
        if (!seesPair(settings, event.pair)) continue;
        if (host.status === 'ready') starter.hold(settings.id, event);
        host.deliver(context.nowMs, event);
      }
    this.#runTimers();
    for (const { strategyId, event } of deliveries)
      if (event.kind === 'fill') this.#noteMissed(strategyId, event);
  }

  /** A failing strategy loses its work of that round, so the round's fills count as not handled. */
  #noteMissed(strategyId: string | undefined, { pair, fill }: MissedFill): void {
    // In a run that only reads, no strategy waits for the fills.
    if (!this.#hasBegun) return;
    for (const { settings, host } of this.#options.strategies)
      if (settings.id === strategyId && host.status !== 'running')
        this.#options.missed.add(settings.id, { pair, fill });
  }

  #collect(): void {
    const { context, strategies, ends } = this.#options;
    for (const { settings, host } of strategies) {
      if (!host.hasOutputs) continue;
      collectOutputs(context, settings.id, host);
      for (const intent of host.takeIntents()) {
        context.observer?.emitted(settings.id, intent);
        if (intent.kind === 'done') ends.finish(settings, intent.reason);
        else this.#accept(settings.id, intent);
      }
      for (const { pair, key, code, problem } of host.takeInvalid()) {
        const refusal = { code, observed: problem, limit: 'valid', unit: 'intents' };
        const place = { strategyId: settings.id, pair };
        this.#options.router.refuseUnjudged(place, key, refusal);
      }
      for (const fault of host.takeFaults()) {
        if (!this.faults.has(settings.id)) this.faults.set(settings.id, fault);
        context.incident('STRATEGY_STOPPED', `${settings.id}: ${fault.kind}: ${fault.message}`);
        ends.noteEnd();
        // Nothing manages its orders any more; `onStop` applies only to a clean shutdown.
        for (const pair of settings.pairs)
          this.withdraw(settings.id, pair, `strategy stopped: ${fault.kind}`);
      }
    }
  }

  #accept(strategyId: string, intent: Exclude<Intent, { kind: 'done' }>): void {
    const { context, markets } = this.#options;
    if (intent.kind === 'remember') {
      context.record({ kind: 'strategy-state', strategyId, state: JSON.stringify(intent.state) });
      return;
    }
    const target = this.#inbox.targetOf(strategyId, intent.pair);
    if (target === undefined || this.#isStopped) return;
    target.askedMs = context.nowMs;
    switch (intent.kind) {
      case 'quote':
        // The host returns the same object for an equal quote.
        if (intent === target.quotes.of(intent.part ?? '') && !isIdle(target) && isAtRest(target))
          return;
        // After a notice about idling or a withdrawal, any quote is announced.
        if (target.quotes.wanted === undefined || target.idleReason !== undefined)
          target.quoteAnnounced = '';
        target.quotes.set(intent);
        target.isDirty = true;
        forgetAnswers(target, intent.part);
        noteIdle(context, target, undefined, intent.part);
        if (context.reportsInfo)
          announceQuote(context, target, intent.reason, markets.get(intent.pair)?.market);
        return;
      case 'idle':
        noteIdle(context, target, intent.reason, intent.part);
        return;
      case 'place':
        this.#place(target, intent);
        return;
      case 'cancel':
        forgetPlaces(target, ({ key }) => key === intent.key);
        this.#cancelOrders(strategyId, intent.pair, intent.reason, ({ key }) => key === intent.key);
        return;
      case 'cancelAll':
        this.#cancelAll(target, intent);
        return;
    }
  }

  #cancelAll(target: QuoteTarget, { part, reason }: Extract<Intent, { kind: 'cancelAll' }>): void {
    const isOfPart = ({ key }: { readonly key: string }): boolean =>
      part === undefined || isUnderPart(key, part);
    target.quotes.end(part);
    // Orders of another part may have waited for those of this one.
    if (part !== undefined) target.isDirty = true;
    forgetIdle(target, part);
    forgetPlaces(target, isOfPart);
    this.#cancelOrders(target.strategyId, target.pair, reason, isOfPart);
  }

  #place(target: QuoteTarget, intent: Extract<Intent, { kind: 'place' }>): void {
    const { key } = intent;
    if (!this.#usedKeys.add({ strategyId: target.strategyId, key })) {
      const refusal = { code: 'KEY_USED', observed: key, limit: 'a new', unit: 'key' };
      this.#options.router.refuseUnjudged(target, key, refusal);
      return;
    }
    this.#submit(target, { ...intent, createdMs: this.#options.context.nowMs });
  }

  /** Submits a place, now or after it has waited for an approval. */
  #submit(target: QuoteTarget, place: PlaceIntent): void {
    const { router, context } = this.#options;
    const { key, expiresMs } = place;
    if (expiresMs !== undefined && expiresMs <= context.nowMs)
      router.refuseUnjudged(target, key, expiredRefusal(expiresMs, context.nowMs));
    else router.submit(target, { ...place, level: undefined });
  }

  #plan(): void {
    if (this.#isStopped) {
      for (const target of this.#inbox.targets) target.isDirty = false;
      return;
    }
    for (const target of this.#inbox.targets) {
      if (!target.isDirty) continue;
      target.isDirty = false;
      if (target.places.length > 0)
        for (const place of target.places.splice(0)) this.#submit(target, place);
      if (target.quotes.wanted !== undefined)
        this.#options.quotes.update(target, target.quotes.wanted);
    }
  }

  #cancelOrders(
    strategyId: string,
    pair: string,
    reason: string,
    matches: (order: TrackedOrder) => boolean = () => true,
  ): void {
    this.#options.orders.cancelAll(
      reason,
      (order) => order.strategyId === strategyId && order.pair === pair && matches(order),
    );
  }
}
