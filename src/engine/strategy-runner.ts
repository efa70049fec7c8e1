/**
 * Between strategies and execution: delivers what changed, collects the intents, plans quotes, asks
 * the gate, and hands what it lets through to the executor.
 *
 * Within one event all views change first; then streams emit; then, when every strategy has run,
 * their intents are judged in order; consequences are delivered in further rounds, at most 64.
 */
import type { StrategySettings } from '../domain/bot-settings.ts';
import type { Intent } from '../domain/intent.ts';
import { formatLots, formatTicks } from '../domain/market.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import type { OwnFill } from '../execution/requests/execution-context.ts';
import type { HostFault, StrategyHost } from '../strategy/host.ts';
import type { MarketEvent } from '../strategy/market-streams.ts';
import { planQuote } from '../strategy/quote-planner.ts';
import type { EngineMarket } from './engine-market.ts';
import type { EngineServices } from './engine-services.ts';
import { type OrderRouter, refusedRetryMs } from './order-router.ts';
import {
  emptyWish,
  forgetPlaces,
  planLater,
  type QuoteIntent,
  type QuoteTarget,
} from './quote-target.ts';
import { describeFill, ownOrderOf, strategyFillOf } from './strategy-order.ts';
import { type UsedKey, UsedKeys } from './used-keys.ts';

const roundsMax = 64;

export type RunnerStrategy = { readonly settings: StrategySettings; readonly host: StrategyHost };

export type StrategyRunnerOptions = {
  readonly context: EngineServices;
  readonly orders: OrderStates;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly strategies: readonly RunnerStrategy[];
  readonly router: OrderRouter;
  readonly usedKeys: readonly UsedKey[];
  /**
   * False until the start's comparison with the exchange is done: until then no quote is planned.
   */
  readonly isReady: () => boolean;
};

export class StrategyRunner {
  /** The first of each strategy that was stopped by one, by strategy id. */
  readonly faults = new Map<string, HostFault>();
  readonly #options: Omit<StrategyRunnerOptions, 'usedKeys'>;
  /** One for each strategy and pair. */
  readonly #wishes: QuoteTarget[] = [];
  readonly #usedKeys: UsedKeys;
  #deliveries: { readonly strategyId: string | undefined; readonly event: MarketEvent }[] = [];
  #isStopped = false;

  constructor({ usedKeys, ...options }: StrategyRunnerOptions) {
    this.#options = options;
    this.#usedKeys = new UsedKeys(usedKeys);
    for (const { settings } of options.strategies)
      for (const pair of settings.pairs) this.#wishes.push(emptyWish(settings.id, pair));
  }

  /** Starts every strategy. */
  start(): void {
    for (const { host } of this.#options.strategies) host.start(this.#options.context.nowMs);
  }

  /** Stops every strategy for good; their orders stay until somebody cancels them. */
  stop(reason: string): void {
    this.#isStopped = true;
    for (const { host } of this.#options.strategies) host.stop(this.#options.context.nowMs, reason);
    for (const wish of this.#wishes) wish.quote = undefined;
  }

  /** Returns whether any strategy listens to `kind` of `pair`; if not, nobody need be told. */
  isObserved(pair: string, kind: MarketEvent['kind']): boolean {
    for (const { host } of this.#options.strategies) if (host.isObserved(pair, kind)) return true;
    return false;
  }

  /** Whether {@link settle} has nothing to do until a strategy's timer is due. */
  get isIdle(): boolean {
    return this.#deliveries.length === 0 && !this.#hasDirty();
  }

  /** Whether {@link settle} has nothing to do at `nowMs`. */
  isIdleAt(nowMs: number): boolean {
    if (!this.isIdle) return false;
    for (const { host } of this.#options.strategies)
      if (isDue(host, nowMs) || host.hasOutputs) return false;
    return true;
  }

  /** Queues something for all strategies of its pair. */
  publish(event: MarketEvent): void {
    this.#deliveries.push({ strategyId: undefined, event });
  }

  /** Queues a fill for its strategy. */
  noteFill(order: TrackedOrder, fill: OwnFill): void {
    const { strategyId, pair } = order;
    const { context } = this.#options;
    if (fill.isNews && context.tellsInfo)
      context.notice({ level: 'info', topic: 'fill', text: describeFill(order, fill) });
    this.tell(strategyId, { kind: 'fill', pair, fill: strategyFillOf(order, fill) });
  }

  /** Queues a change of an order for its strategy, and plans its quotes again. */
  noteOrder(order: TrackedOrder): void {
    const wish = this.#wishOf(order.strategyId, order.pair);
    if (wish !== undefined) {
      wish.isDirty = true;
      if (order.state === 'rejected' && order.level !== undefined) this.#pause(wish, order.level);
    }
    this.tell(order.strategyId, { kind: 'order', pair: order.pair, order: ownOrderOf(order) });
  }

  // What was rejected a moment ago would be rejected again, at the price of two calls.
  #pause(wish: QuoteTarget, level: string): void {
    const { context } = this.#options;
    wish.pausedUntilMs.set(level, context.nowMs + refusedRetryMs);
    planLater(wish, context, refusedRetryMs);
  }

  /** Queues something for one strategy. */
  tell(strategyId: string, event: MarketEvent): void {
    this.#deliveries.push({ strategyId, event });
  }

  /** A person approved an order: what waits for it is judged again, and quotes are planned. */
  approved(token: string): void {
    for (const wish of this.#wishes) {
      wish.isDirty = true;
      const place = wish.awaiting.get(token);
      if (place === undefined) continue;
      wish.awaiting.delete(token);
      // The person's word is younger than the wish.
      wish.places.push({ ...place, createdMs: this.#options.context.nowMs });
    }
  }

  /** Plans every quote again, for example when trading opens. */
  planAll(): void {
    for (const wish of this.#wishes) wish.isDirty = true;
  }

  /** Withdraws what is quoted on a pair, by a strategy's policy for an unusable book. */
  withdraw(strategyId: string, pair: string, reason: string): void {
    const wish = this.#wishOf(strategyId, pair);
    if (wish === undefined) return;
    wish.quote = undefined;
    this.#cancelOrders(strategyId, pair, reason);
  }

  /** When a strategy has something to do next, in milliseconds; undefined if none waits. */
  get nextWakeMs(): number | undefined {
    let next: number | undefined;
    for (const { host } of this.#options.strategies) {
      const wake = host.nextWakeMs();
      if (wake !== undefined) next = Math.min(next ?? wake, wake);
    }
    return next;
  }

  /** Runs strategies and their consequences until nothing is left to do. */
  settle(): void {
    // Most steps are of answers and timers that no strategy hears of.
    if (this.isIdleAt(this.#options.context.nowMs)) return;
    for (let round = 0; ; round++) {
      const deliveries = this.#deliveries;
      this.#deliveries = [];
      if (round > 0 && deliveries.length === 0 && !this.#hasDirty()) return;
      if (round === roundsMax) {
        this.#options.context.incident(
          'ROUNDS',
          `strategies answer each other for more than ${roundsMax} rounds; the rest is dropped`,
        );
        return;
      }
      this.#deliver(deliveries);
      this.#collect();
      this.#plan();
    }
  }

  #wishOf(strategyId: string, pair: string): QuoteTarget | undefined {
    return this.#wishes.find((wish) => wish.strategyId === strategyId && wish.pair === pair);
  }

  #hasDirty(): boolean {
    if (!this.#options.isReady()) return false;
    for (const wish of this.#wishes) if (wish.isDirty) return true;
    return false;
  }

  #deliver(deliveries: readonly { strategyId: string | undefined; event: MarketEvent }[]): void {
    const { context, strategies } = this.#options;
    for (const { strategyId, event } of deliveries)
      for (const { settings, host } of strategies) {
        if (strategyId !== undefined && strategyId !== settings.id) continue;
        if (settings.pairs.includes(event.pair)) host.deliver(context.nowMs, event);
      }
    for (const { host } of strategies) if (isDue(host, context.nowMs)) host.advance(context.nowMs);
  }

  #collect(): void {
    const { context, strategies } = this.#options;
    for (const { settings, host } of strategies) {
      if (!host.hasOutputs) continue;
      for (const intent of host.takeIntents()) this.#accept(settings.id, intent);
      for (const fault of host.takeFaults()) {
        if (!this.faults.has(settings.id)) this.faults.set(settings.id, fault);
        context.incident('STRATEGY_STOPPED', `${settings.id}: ${fault.kind}: ${fault.message}`);
        for (const pair of settings.pairs) {
          const wish = this.#wishOf(settings.id, pair);
          if (wish !== undefined) wish.quote = undefined;
          // Nobody looks after them any more; `onStop` speaks of an end in order.
          this.withdraw(settings.id, pair, `strategy stopped: ${fault.kind}`);
        }
      }
    }
  }

  #accept(strategyId: string, intent: Intent): void {
    const { context } = this.#options;
    if (intent.kind === 'remember') {
      context.record({ kind: 'strategy-state', strategyId, state: JSON.stringify(intent.state) });
      return;
    }
    const wish = this.#wishOf(strategyId, intent.pair);
    if (wish === undefined || this.#isStopped) return;
    switch (intent.kind) {
      case 'quote':
        // What was read last is not that it quotes.
        if (wish.quote === undefined) wish.quoteTold = '';
        wish.quote = intent;
        wish.isDirty = true;
        wish.refused.clear();
        wish.pausedUntilMs.clear();
        this.#noteIdle(wish, undefined);
        if (context.tellsInfo) this.#tellQuote(wish, intent);
        return;
      case 'idle':
        wish.quote = undefined;
        // Its resting orders stay: a quote of nothing withdraws them, and so does the policy for a
        // book that cannot be used.
        this.#noteIdle(wish, intent.reason);
        return;
      case 'place':
        this.#place(wish, intent);
        return;
      case 'cancel':
        forgetPlaces(wish, (one) => one.key === intent.key);
        this.#cancelOrders(strategyId, intent.pair, intent.reason, (one) => one.key === intent.key);
        return;
      case 'cancelAll':
        wish.quote = undefined;
        forgetPlaces(wish, () => true);
        this.#cancelOrders(strategyId, intent.pair, intent.reason);
        return;
    }
  }

  #noteIdle(wish: QuoteTarget, reason: string | undefined): void {
    if (wish.idleReason === reason) return;
    wish.idleReason = reason;
    if (reason === undefined) return;
    const { context } = this.#options;
    const { strategyId, pair } = wish;
    context.record({ kind: 'idle', atMs: context.nowMs, strategyId, pair, reason });
    context.notice({
      level: 'info',
      topic: 'idle',
      text: `${strategyId} ${pair} idles: ${reason}`,
    });
  }

  #place(wish: QuoteTarget, intent: Extract<Intent, { kind: 'place' }>): void {
    if (!this.#usedKeys.add({ strategyId: wish.strategyId, key: intent.key })) return;
    // Before the start's comparison the gate would refuse it, and its key would be spent.
    const place = { ...intent, createdMs: this.#options.context.nowMs };
    if (!this.#options.isReady()) wish.places.push(place);
    else this.#options.router.submit(wish, { ...place, level: undefined });
  }

  #plan(): void {
    if (!this.#options.isReady()) return;
    if (this.#isStopped) {
      for (const wish of this.#wishes) wish.isDirty = false;
      return;
    }
    for (const wish of this.#wishes) {
      if (!wish.isDirty) continue;
      wish.isDirty = false;
      for (const place of wish.places.splice(0))
        this.#options.router.submit(wish, { ...place, level: undefined });
      if (wish.quote !== undefined) this.#planQuote(wish, wish.quote);
    }
  }

  #planQuote(wish: QuoteTarget, quote: QuoteIntent): void {
    const { context, orders, router } = this.#options;
    const own: TrackedOrder[] = [];
    for (const order of orders.tracker.live)
      if (order.strategyId === wish.strategyId && order.pair === wish.pair) own.push(order);
    const plan = planQuote({
      wanted: quote.orders,
      toleranceTicks: quote.toleranceTicks ?? 0,
      own: own.map(ownOrderOf),
    });
    for (const order of own)
      if (plan.cancels.includes(order.key))
        orders.cancelAtTurn(order, `quote moved: ${quote.reason}`);
    for (const wanted of plan.places) {
      if ((wish.pausedUntilMs.get(wanted.level) ?? 0) > context.nowMs) continue;
      const { level, ...terms } = wanted;
      // A quote is wished for until the strategy says otherwise, so it is never old.
      const createdMs = context.nowMs;
      router.submit(wish, { key: undefined, level, terms, reason: quote.reason, createdMs });
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

  #tellQuote(wish: QuoteTarget, quote: QuoteIntent): void {
    const text = `${wish.strategyId} ${wish.pair} quotes ${this.#describe(quote)} (${quote.reason})`;
    if (text === wish.quoteTold) return;
    wish.quoteTold = text;
    this.#options.context.notice({ level: 'info', topic: 'quote', text });
  }

  #describe(quote: QuoteIntent): string {
    const market = this.#options.markets.get(quote.pair)?.market;
    if (market === undefined || quote.orders.length === 0) return 'nothing';
    return quote.orders
      .map(
        ({ side, price, volume }) =>
          `${side} ${formatLots(volume, market)} at ${formatTicks(price, market)}`,
      )
      .join(', ');
  }
}

/** Whether a timer of the strategy is due. */
function isDue(host: StrategyHost, nowMs: number): boolean {
  const wakeMs = host.nextWakeMs();
  return wakeMs !== undefined && wakeMs <= nowMs;
}
