/**
 * Starts each strategy when its orders can be judged, says until then what is missing, and keeps
 * for it what it must hear of: changes of its orders, fills, and the trades of its pairs.
 *
 * Invariant: a strategy that waits has no orders on their way but those of an earlier run, so what
 * is kept is bounded by those, and the trades by {@link tradesMax} a strategy.
 */
import type { StrategySettings } from '../domain/bot-settings.ts';
import type { GateFacts } from '../risk/gate-facts.ts';
import { missingInputs } from '../risk/missing-inputs.ts';
import type { SeenTrade } from '../strategy/candle-stream.ts';
import type { StrategyHost } from '../strategy/host.ts';
import type { MarketEvent } from '../strategy/market-streams.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import type { MissedFills } from './missed-fills.ts';
import type { StrategyInbox } from './strategy-inbox.ts';

/** Trades that are kept for the first candles; beyond them the oldest are dropped. */
const tradesMax = 10_000;
/** The line on what is missing is printed at most so often. */
const announceEveryMs = 1_000;

export type StrategyStarterOptions = {
  readonly context: EngineContext;
  readonly inbox: StrategyInbox;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  /** The facts of the gate as of now. */
  readonly facts: () => GateFacts;
  readonly missed: MissedFills;
};

type Waiting = {
  readonly settings: StrategySettings;
  readonly host: StrategyHost;
  readonly events: MarketEvent[];
  readonly trades: SeenTrade[];
  /** Since when all trades are known. */
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

  /** Has the strategies wait for what they need. */
  begin(strategies: readonly Pick<Waiting, 'settings' | 'host'>[]): void {
    const sinceMs = this.#options.context.nowMs;
    this.#waiting = strategies.map((one) => ({ ...one, events: [], trades: [], sinceMs }));
  }

  /** Takes an event that came before its strategy has started. */
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

  /** Starts the strategies for which nothing is missing any more; returns whether any was. */
  startReady(): boolean {
    const { context } = this.#options;
    const facts = this.#options.facts();
    const missing = new Set<string>();
    const left: Waiting[] = [];
    let hasStarted = false;
    for (const waiting of this.#waiting) {
      if (waiting.host.status !== 'ready') continue;
      const lacks = missingInputs(waiting.settings.pairs, facts);
      for (const text of lacks) missing.add(text);
      if (lacks.length === 0) {
        this.#start(waiting);
        hasStarted = true;
      } else left.push(waiting);
    }
    this.#waiting = left;
    if (left.length > 0 && context.tellsInfo) this.#announce(left, [...missing]);
    return hasStarted;
  }

  #start({ settings, host, events, trades, sinceMs }: Waiting): void {
    const { context, inbox, markets, missed } = this.#options;
    const { nowMs } = context;
    host.start(nowMs, { sinceMs, trades });
    for (const event of events) inbox.send(settings.id, event);
    for (const { pair, fill } of missed.take(settings.id))
      inbox.send(settings.id, { kind: 'fill', pair, fill });
    for (const pair of settings.pairs) {
      const top = markets.get(pair)?.top;
      if (top === undefined) continue;
      inbox.send(settings.id, { kind: 'usable', pair, usable: true });
      inbox.send(settings.id, { kind: 'top', pair, top });
    }
    if (this.#announced === '') return;
    context.notice({ level: 'info', topic: 'strategy', text: `${settings.id} starts` });
    this.#noteIdle(settings, 'started, and has asked for nothing yet');
  }

  /** So that `millrace why` can say it. */
  #noteIdle({ id: strategyId, pairs }: StrategySettings, reason: string): void {
    const { context } = this.#options;
    for (const pair of pairs)
      context.record({ kind: 'idle', atMs: context.nowMs, strategyId, pair, reason });
  }

  #announce(left: readonly Waiting[], missing: readonly string[]): void {
    const { context } = this.#options;
    const text = missing.join(', ');
    if (text === this.#announced || context.nowMs < this.#announceAtMs) return;
    this.#announced = text;
    this.#announceAtMs = context.nowMs + announceEveryMs;
    // What changes meanwhile is said then.
    context.wakeAfter(announceEveryMs, () => {});
    const ids = left.map(({ settings }) => settings.id).join(', ');
    const waits = left.length === 1 ? 'waits' : 'wait';
    context.notice({ level: 'info', topic: 'strategy', text: `${ids} ${waits} for ${text}` });
    for (const { settings } of left) this.#noteIdle(settings, `not started: it waits for ${text}`);
  }
}
