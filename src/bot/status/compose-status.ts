/**
 * Composes the status of a running bot: the only place that does. Page, terminal view, `status` and
 * JSON show what this returns.
 *
 * Invariant: it only reads. It asks the parts of the engine for their state at the time of the
 * engine's last step, since a later time would let them drop what the next step still counts.
 */
import { formatAmount } from '../../domain/amount.ts';
import type { BotSettings } from '../../domain/bot-settings.ts';
import type { BotStatus, CallBudgetState, StrategyState } from '../../domain/bot-status.ts';
import { formatDecimal } from '../../domain/money.ts';
import type { Engine } from '../../engine/engine.ts';
import { idleTextOf, type QuoteTarget } from '../../engine/quoting/quote-target.ts';
import type { RunnerStrategy } from '../../engine/strategy-runner.ts';
import { limitUsesOf } from '../../risk/limit-uses.ts';
import { healthOf } from './bot-health.ts';
import { type AheadOf, marketStateOf } from './market-state.ts';
import type { OrderLatency } from './order-latency.ts';
import type { PresenceSamples } from './presence-samples.ts';
import type { RunHistory } from './run-history.ts';
import type { RunNotes } from './run-notes.ts';
import type { SeriesHistory } from './series-history.ts';
import { profitPartsOf, tradedFiguresOf } from './traded-figures.ts';

export type StatusSources = {
  readonly settings: BotSettings;
  readonly engine: Engine;
  readonly runId: number;
  readonly startedMs: number;
  readonly pid: number;
  readonly history: RunHistory;
  readonly latency: OrderLatency;
  readonly presence: PresenceSamples;
  readonly notes: RunNotes;
  readonly series: SeriesHistory;
  readonly waitingMs: () => number;
  /** In paper trading, whose orders are in no book. */
  readonly aheadOf?: AheadOf | undefined;
};

/** Returns the status as of now; `nowMs` is the time by the bot's clock. */
export function composeStatus(sources: StatusSources, nowMs: number): BotStatus {
  const { settings, engine, history } = sources;
  const { context, risk, operator } = engine.parts;
  history.catchUp();
  const facts = risk.facts();
  const { tracker, counts, rejections } = engine.orders;
  const { isReconciled, areBooksUsable, waitingMs } = healthOf(sources);
  return {
    bot: settings.bot,
    mode: settings.mode,
    ordersGoTo: facts.environment.ordersGoTo,
    pid: sources.pid,
    run: sources.runId,
    startedMs: sources.startedMs,
    atMs: nowMs,
    configHash: settings.hash,
    state: facts.tradingState.global ?? 'HALTED',
    states: context
      .haltedScopes(scopesOf(settings))
      .map(({ scope, state, reason, atMs }) => ({ scope, state, reason, sinceMs: atMs })),
    notTrading: engine.tradingBlocks,
    stopping: operator.stopReason ?? null,
    isReconciled,
    areBooksUsable,
    waitingMs: Math.round(waitingMs),
    markets: [...engine.markets.values()].map((market) =>
      marketStateOf(
        market,
        tracker.live.filter(({ pair }) => pair === market.market.pair),
        nowMs,
        sources.aheadOf,
      ),
    ),
    strategies: strategyStatesOf(sources),
    parameters: engine.parts.parameters.states(),
    series: sources.series.states,
    feeds: engine.parts.feeds.states(),
    limits: limitUsesOf(settings, facts),
    calls: callsOf(engine),
    orders: {
      live: tracker.liveCount,
      unknown: tracker.count('unknown'),
      accepted: counts.accepted,
      rejected: [...rejections.values()].reduce((sum, count) => sum + count, 0),
    },
    latency: sources.latency.figures,
    refusals: history.refusals,
    balances: history.balances,
    fills: history.fills,
    notices: history.notices,
  };
}

/** Returns every scope that can be halted. */
export function scopesOf({ strategies }: Pick<BotSettings, 'strategies'>): readonly string[] {
  return [
    'bot',
    ...strategies.map(({ id }) => `strategy:${id}`),
    ...new Set(strategies.flatMap(({ pairs }) => pairs.map((pair) => `pair:${pair}`))),
  ];
}

function callsOf({ parts, waits }: Engine): CallBudgetState {
  const { perMinute, forOrders } = parts.context.calls.left(parts.context.nowMs);
  return {
    perMinute: Number.isFinite(perMinute) ? perMinute : null,
    forOrders: Number.isFinite(forOrders) ? forOrders : null,
    waits: waits.all(),
  };
}

function strategyStatesOf(sources: StatusSources): readonly StrategyState[] {
  const { hosts } = sources.engine.parts;
  return hosts.flatMap((strategy) => {
    const { pairs, watch = [] } = strategy.settings;
    const shown = pairs.length > 0 ? pairs : watch;
    return shown.map((pair) => strategyStateOf(sources, strategy, pair));
  });
}

function strategyStateOf(
  { engine, presence, notes }: StatusSources,
  { settings, host }: RunnerStrategy,
  pair: string,
): StrategyState {
  const { id, plugin } = settings;
  const market = engine.markets.get(pair)?.market;
  const figures = tradedFiguresOf(engine, id, pair);
  const { position, value, fills } = figures;
  return {
    ...(settings.pairs.length === 0 ? { onlyWatches: true } : {}),
    strategyId: id,
    plugin,
    pair,
    base: market?.base ?? '',
    counter: market?.counter ?? '',
    status: statusOf(engine, id, host),
    note: noteOf(engine.parts.inbox.targetOf(id, pair)),
    position: formatAmount(position),
    profit: value === undefined ? null : formatDecimal(value.profit),
    fees: value === undefined ? null : formatDecimal(value.fees),
    fills,
    profitParts: profitPartsOf(figures, notes.spreadOf(id, pair)),
    presence: presence.of(id, pair),
  };
}

function statusOf(
  { strategies }: Engine,
  id: string,
  { status }: RunnerStrategy['host'],
): StrategyState['status'] {
  if (status === 'ready') return 'starting';
  if (status === 'running') return 'running';
  if (strategies.ends.done.has(id)) return 'done';
  return strategies.faults.has(id) ? 'failed' : 'ended';
}

/** What the strategy said with its newest intent: why it idles, or what its quote is for. */
function noteOf(target: QuoteTarget | undefined): string | null {
  if (target === undefined) return null;
  const { idleReason, quotes } = target;
  return idleReason ?? quotes.wanted?.reason ?? idleTextOf(target) ?? null;
}
