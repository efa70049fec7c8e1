/** Collects the facts that explain why a strategy does not trade on a pair. */
import type { Side } from '../../domain/market.ts';
import { sizeText } from '../../domain/market-order.ts';
import type { KeptAway } from '../../domain/trading-block.ts';
import type { OrderStates } from '../../execution/orders/order-states.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import type { Reconciler } from '../../execution/reconcile/reconciler.ts';
import { clockSkewMsMax } from '../../risk/checks/health-check.ts';
import { missingInputs } from '../../risk/missing-inputs.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineMarket } from '../engine-market.ts';
import type { EngineFeeds } from '../feeds/engine-feeds.ts';
import type { OperatorCommands } from '../operator-commands.ts';
import { idleTextOf, type QuoteTarget } from '../quoting/quote-target.ts';
import type { RiskEngine } from '../risk-engine.ts';
import type { StrategyInbox } from '../strategy-inbox.ts';
import type { RunnerStrategy } from '../strategy-runner.ts';
import { missingBooks } from '../strategy-starter.ts';
import type { RefusedOrder, TradingSituation } from './trading-situation.ts';

/** An order that has waited for less time is about to be sent. */
const waitingMsMin = 1_000;
/** A rejected level is placed again, and rejected again, within this time. */
const rejectionMsMax = 5_000;

export type TradingFactsOptions = {
  readonly context: EngineContext;
  readonly orders: OrderStates;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  /** Those that strategies only watch, too. */
  readonly seenMarkets: ReadonlyMap<string, EngineMarket>;
  readonly reconciler: Reconciler;
  readonly risk: RiskEngine;
  readonly inbox: StrategyInbox;
  readonly operator: OperatorCommands;
  readonly strategies: readonly RunnerStrategy[];
  readonly feeds: Pick<EngineFeeds, 'troubleOf'>;
};

export class TradingFacts {
  readonly #options: TradingFactsOptions;
  /** How long the process stood still; undefined once everything has been compared again. */
  #standstillMs: number | undefined;
  /** When each strategy was first seen running. */
  readonly #runningMs = new Map<string, number>();

  constructor(options: TradingFactsOptions) {
    this.#options = options;
  }

  /** Notes that the process stood still, so that everything must be compared again. */
  noteStandstill(forMs: number): void {
    this.#standstillMs = forMs;
  }

  /** Returns the facts about a strategy of the settings on one of its pairs, as of now. */
  situationOf(strategyId: string, pair: string): TradingSituation {
    const { context, markets, seenMarkets, reconciler, risk, operator } = this.#options;
    const facts = risk.facts();
    const market = markets.get(pair);
    const { settings, host } = this.#strategyOf(strategyId);
    const isReady = host.status === 'ready';
    if (!isReady && !this.#runningMs.has(strategyId))
      this.#runningMs.set(strategyId, context.nowMs);
    const live = this.#options.orders.tracker.live.filter(
      (order) => order.strategyId === strategyId && order.pair === pair,
    );
    const skewMs = facts.health.clockSkewMs;
    return {
      ...{ pair, nowMs: context.nowMs },
      stopping: operator.stopReason,
      ended: this.#endOf(host),
      missing: isReady
        ? [...missingInputs(settings.pairs, facts), ...missingBooks(settings, seenMarkets)]
        : undefined,
      closed: context.haltedScopes(['bot', `strategy:${strategyId}`, `pair:${pair}`]),
      standstillMs: this.#standstillNow(facts.health.reconciled),
      throttledUntilMs: context.calls.pausedUntilMs,
      clockSkewMs: skewMs !== undefined && Math.abs(skewMs) > clockSkewMsMax ? skewMs : undefined,
      book: market?.unusableReason,
      unreconciled: facts.health.reconciled ? undefined : reconciler.trouble,
      status: facts.pairs.get(pair)?.status,
      isPostOnly: settings.allow.postOnly === 'required' || this.#quotesPostOnly(strategyId, pair),
      unknown: live.filter(({ state }) => state === 'unknown').map(describe),
      waiting: live.filter((order) => this.#waits(order)).map(describe),
      feed: this.#options.feeds.troubleOf(settings.feeds),
      coolUntilMs: context.exposure.trades.coolUntilMs(strategyId, pair),
      ...this.#wantsOf(strategyId, pair, live),
    };
  }

  /** Why a strategy has ended before the bot stopped; undefined if it has not. */
  #endOf({ status, stopReason }: RunnerStrategy['host']): string | undefined {
    if (status !== 'stopped') return undefined;
    const { operator } = this.#options;
    const isByBot = operator.stopReason !== undefined && stopReason === operator.stopReason;
    return isByBot ? undefined : (stopReason ?? 'it was stopped');
  }

  #strategyOf(strategyId: string): RunnerStrategy {
    const found = this.#options.strategies.find(({ settings }) => settings.id === strategyId);
    if (found === undefined) throw new RangeError(`there is no strategy ${strategyId}`);
    return found;
  }

  #standstillNow(isReconciled: boolean): number | undefined {
    const areUsable = [...this.#options.markets.values()].every(({ isUsable }) => isUsable);
    if (isReconciled && areUsable) this.#standstillMs = undefined;
    return this.#standstillMs;
  }

  /** Why strategies want no orders, each with its strategy and pair. */
  get idleReasons(): readonly string[] {
    return this.#options.inbox.targets.flatMap(({ strategyId, pair }) => {
      const { idle } = this.situationOf(strategyId, pair);
      return idle === undefined ? [] : [`${strategyId} ${pair}: ${idle}`];
    });
  }

  #waits({ state, createdMs }: TrackedOrder): boolean {
    return state === 'waiting' && this.#options.context.nowMs - createdMs >= waitingMsMin;
  }

  /** Whether the strategy quotes post-only orders alone, which more markets accept. */
  #quotesPostOnly(strategyId: string, pair: string): boolean {
    const orders = this.#options.inbox.targetOf(strategyId, pair)?.quotes.wanted?.orders ?? [];
    return orders.length > 0 && orders.every(({ postOnly }) => postOnly === true);
  }

  /** What the strategy requests, and how that was answered. */
  #wantsOf(strategyId: string, pair: string, live: readonly TrackedOrder[]) {
    const target = this.#options.inbox.targetOf(strategyId, pair);
    const { nowMs } = this.#options.context;
    const rejected = [...(target?.rejectedMs ?? [])].filter(
      ([, atMs]) => nowMs - atMs < rejectionMsMax,
    );
    const quote = target?.quotes.wanted;
    const hasAsked = target !== undefined && target.askedMs !== Number.NEGATIVE_INFINITY;
    const wantsNothing = quote !== undefined && quote.orders.length === 0;
    return {
      refused: target === undefined ? [] : refusedOf(target),
      rejected: rejected.map(([level]) => (level === '' ? 'its last order' : level)),
      only: target && keptAway(target, new Set(rejected.map(([level]) => level)), live),
      idle: idleReasonOf(target),
      wantsOrders: live.length > 0 || (quote !== undefined && !wantsNothing),
      askedMs: hasAsked ? target.askedMs : (this.#runningMs.get(strategyId) ?? nowMs),
      hasAsked,
    };
  }
}

/** Why it wants no orders; undefined while a quote of it wants some. */
function idleReasonOf(target: QuoteTarget | undefined): string | undefined {
  const quote = target?.quotes.wanted;
  if (quote === undefined) return target && idleTextOf(target);
  return quote.orders.length === 0 ? `it quotes nothing: ${quote.reason}` : undefined;
}

/**
 * The current refusals: of levels of the quote, and of the newest intent. An approval can help only
 * if nothing else refuses the order.
 */
function refusedOf({ refused, quotes, askedMs }: QuoteTarget): readonly RefusedOrder[] {
  const wanted = new Set(quotes.wanted?.orders.map(({ level }) => level));
  for (const { order } of quotes.crossed) wanted.add(order.level);
  return [...refused]
    .filter(([level, { atMs }]) => (level === '' ? atMs >= askedMs : wanted.has(level)))
    .map(([level, { key, codes, text, token }]) => ({
      ...{ what: level === '' ? key : level, codes, text },
      token: codes.every((code) => code === 'APPROVAL') ? token : undefined,
    }));
}

/**
 * Which orders are kept away while others rest or may be placed; undefined if there are no others.
 * The side of a refused order by key is not known.
 */
function keptAway(
  { quotes, refused }: QuoteTarget,
  rejected: ReadonlySet<string>,
  live: readonly TrackedOrder[],
): KeptAway | undefined {
  const isAway = (level: string) => refused.has(level) || rejected.has(level);
  const away = new Set<Side | undefined>(isAway('') ? [undefined] : []);
  const free = new Set<Side>();
  for (const { level, terms } of live) if (level === undefined) free.add(terms.side);
  for (const { level, side } of quotes.wanted?.orders ?? []) {
    // One that is on its way may be rejected like the last.
    const hasOrder = live.some(
      (order) => order.level === level && order.state === 'open' && !order.cancelling,
    );
    if (isAway(level) && !hasOrder) away.add(side);
    else free.add(side);
  }
  for (const { order } of quotes.crossed) away.add(order.side);
  if (free.size === 0) return undefined;
  const [side, ...others] = away;
  return side === undefined || others.length > 0 || free.has(side) ? 'some' : side;
}

function describe({ terms, market }: TrackedOrder): string {
  return sizeText(terms, market);
}
