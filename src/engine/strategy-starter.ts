/**
 * Starts each strategy when its orders can be judged. Until then it reports what is missing, and
 * keeps the strategy's events: changes of its orders, fills, and trades of its pairs.
 *
 * Invariant: the kept events are bounded. A strategy that has not started has only orders of an
 * earlier run, and at most {@link tradesMax} trades are kept for it.
 */
import { type StrategySettings, seenPairs } from '../domain/bot-settings.ts';
import type { GateFacts } from '../risk/gate-facts.ts';
import { hasAllInputs, missingInputs } from '../risk/missing-inputs.ts';
import type { SeenTrade } from '../strategy/candle-stream.ts';
import type { StrategyHost } from '../strategy/host.ts';
import type { MarketEvent } from '../strategy/market-streams.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import type { MissedFills } from './missed-fills.ts';
import type { StrategyInbox } from './strategy-inbox.ts';

/** Trades kept for a strategy's first candles; when there are more, the oldest are dropped. */
const tradesMax = 10_000;
/** The minimum time between two notices about missing inputs. */
const announceEveryMs = 1_000;

export type StrategyStarterOptions = {
  readonly context: EngineContext;
  readonly inbox: StrategyInbox;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  /** The facts of the gate as of now. */
  readonly facts: () => GateFacts;
  readonly missed: MissedFills;
  readonly feeds: {
    /** Tells a strategy that starts now what its feeds have said before. */
    tellLatest(strategy: Pick<Waiting, 'settings' | 'host'>): void;
  };
};

type Waiting = {
  readonly settings: StrategySettings;
  readonly host: StrategyHost;
  readonly events: MarketEvent[];
  readonly trades: SeenTrade[];
  /** All trades since this time are in `trades`. */
  sinceMs: number;
};

export class StrategyStarter {
  readonly #options: StrategyStarterOptions;
  #waiting: readonly Waiting[] = [];
  #announced = '';
  #announceAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: StrategyStarterOptions) {
    this.#options = options;
  }

  /** Whether a strategy has not started yet. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes the strategies of the run; each waits until its inputs are complete. */
  begin(strategies: readonly Pick<Waiting, 'settings' | 'host'>[]): void {
    const sinceMs = this.#options.context.nowMs;
    this.#waiting = strategies.map((strategy) => ({
      ...strategy,
      events: [],
      trades: [],
      sinceMs,
    }));
  }

  /** Keeps an event that arrived before its strategy started. */
  hold(strategyId: string, event: MarketEvent): void {
    const waiting = this.#waiting.find(({ settings }) => settings.id === strategyId);
    if (waiting === undefined) return;
    const { events, trades } = waiting;
    if (event.kind === 'order' || event.kind === 'refusal') events.push(event);
    if (event.kind === 'fill' && !event.fill.booked) events.push(event);
    if (event.kind !== 'trade') return;
    const { price, volume } = event.trade;
    trades.push({ pair: event.pair, atMs: this.#options.context.nowMs, price, volume });
    const dropped = trades.length > tradesMax ? trades.shift() : undefined;
    if (dropped !== undefined) waiting.sinceMs = dropped.atMs + 1;
  }

  /** Starts the strategies whose inputs are complete; returns whether any started. */
  startReady(): boolean {
    const facts = this.#options.facts();
    // This is asked in each step until the strategies have started.
    let isChanging = false;
    for (const { host, settings } of this.#waiting)
      if (host.status !== 'ready' || this.#isComplete(settings, facts)) isChanging = true;
    const hasStarted = isChanging && this.#startAll(facts);
    const waiting = this.#waiting;
    if (waiting.length > 0 && this.#options.context.reportsInfo) this.#announce(waiting, facts);
    return hasStarted;
  }

  /** Starts the strategies whose inputs are complete, and drops those that have ended. */
  #startAll(facts: GateFacts): boolean {
    const left: Waiting[] = [];
    let hasStarted = false;
    for (const waiting of this.#waiting) {
      if (waiting.host.status !== 'ready') continue;
      if (this.#isComplete(waiting.settings, facts)) {
        this.#start(waiting);
        hasStarted = true;
      } else left.push(waiting);
    }
    this.#waiting = left;
    return hasStarted;
  }

  #isComplete(settings: StrategySettings, facts: GateFacts): boolean {
    const { markets } = this.#options;
    return hasAllInputs(settings.pairs, facts) && missingBooks(settings, markets).length === 0;
  }

  #start({ settings, host, events, trades, sinceMs }: Waiting): void {
    const { context, inbox, markets, missed, feeds } = this.#options;
    const { nowMs } = context;
    host.start(nowMs, { sinceMs, trades });
    for (const event of events) inbox.send(settings.id, event);
    for (const { pair, fill } of missed.take(settings.id))
      inbox.send(settings.id, { kind: 'fill', pair, fill });
    for (const pair of seenPairs(settings)) {
      const top = markets.get(pair)?.top;
      if (top === undefined) continue;
      inbox.send(settings.id, { kind: 'usable', pair, usable: true });
      inbox.send(settings.id, { kind: 'top', pair, top });
      inbox.send(settings.id, { kind: 'topWithVolume', pair, top });
    }
    feeds.tellLatest({ settings, host });
    if (this.#announced === '') return;
    context.notice({ level: 'info', topic: 'strategy', text: `${settings.id} starts` });
    this.#noteIdle(settings, 'started, and has not requested an order yet');
  }

  /** Stores why the strategy does not trade, for `millrace why`. */
  #noteIdle({ id: strategyId, pairs }: StrategySettings, reason: string): void {
    const { context } = this.#options;
    for (const pair of pairs)
      context.record({ kind: 'idle', atMs: context.nowMs, strategyId, pair, reason });
  }

  #announce(left: readonly Waiting[], facts: GateFacts): void {
    const { context } = this.#options;
    const missing = left.flatMap(({ settings }) => [
      ...missingInputs(settings.pairs, facts),
      ...missingBooks(settings, this.#options.markets),
    ]);
    const text = [...new Set(missing)].join(', ');
    if (text === this.#announced || context.nowMs < this.#announceAtMs) return;
    this.#announced = text;
    this.#announceAtMs = context.nowMs + announceEveryMs;
    // A change in the meantime is announced at this wake-up.
    context.wakeAfter(announceEveryMs, () => {});
    const ids = left.map(({ settings }) => settings.id).join(', ');
    const waits = left.length === 1 ? 'waits' : 'wait';
    context.notice({ level: 'info', topic: 'strategy', text: `${ids} ${waits} for ${text}` });
    for (const { settings } of left) this.#noteIdle(settings, `not started: it waits for ${text}`);
  }
}

/** Returns the books that a strategy only watches and that cannot be used, as text. */
export function missingBooks(
  { watch = [] }: Pick<StrategySettings, 'watch'>,
  markets: ReadonlyMap<string, EngineMarket>,
): readonly string[] {
  return watch
    .filter((pair) => markets.get(pair)?.isUsable !== true)
    .map((pair) => `a usable order book of ${pair}`);
}
