/** Builds the host of each strategy with the engine's live views. */

import type { CallsLeft } from '../domain/calls-left.ts';
import { assert } from '../domain/errors.ts';
import type { Positions } from '../execution/fills/positions.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { Exposure } from '../risk/exposure.ts';
import type { GateLimits } from '../risk/gate-limits.ts';
import { createSeededRandom } from '../runtime/seeded-random.ts';
import { StrategyHost } from '../strategy/host.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import type { WatchedAccess } from '../strategy/market/watched-context.ts';
import type { FillHistory } from './account/fill-history.ts';
import type { EngineMarket } from './engine-market.ts';
import type { EngineStart } from './engine-start.ts';
import type { EngineFeeds } from './feeds/engine-feeds.ts';
import type { StepObserver } from './stepping/step-observer.ts';
import { StrategyReads } from './strategy-reads.ts';
import type { RunnerStrategy } from './strategy-runner.ts';
import { storedDone } from './trading/strategy-ends.ts';

/** Returns a host per configured strategy, in the order of the settings. */
export function createHosts(parts: {
  readonly start: EngineStart;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly orders: OrderStates;
  readonly exposure: Exposure;
  readonly positions: Positions;
  readonly fills: FillHistory;
  readonly limits: GateLimits;
  readonly callsLeft: () => CallsLeft;
  readonly observer: StepObserver | undefined;
  readonly feeds: EngineFeeds;
}): readonly RunnerStrategy[] {
  const { start, plugins, callsLeft, observer } = parts;
  const done = storedDone(start.restored.riskStates);
  return start.settings.strategies.map((settings) => {
    const plugin = plugins.get(settings.id);
    assert(plugin !== undefined, `strategy ${settings.id} has no plugin`);
    const isAgain = start.again?.includes(settings.id) === true && done.has(settings.id);
    const stored = start.restored.strategyStates.find(
      ({ strategyId }) => strategyId === settings.id && !isAgain,
    );
    const counters = new Set(
      settings.pairs.flatMap((pair) => parts.markets.get(pair)?.market.counter ?? []),
    );
    const reads = settings.pairs.map(
      (pair) => [pair, readsOf(pair, settings, parts, counters)] as const,
    );
    const watched = (settings.watch ?? []).map(
      (pair) => [pair, watchedOf(pair, settings, parts)] as const,
    );
    const random = createSeededRandom(`${start.seed} ${settings.id}`);
    const host = new StrategyHost({
      settings,
      strategy: plugin.strategy,
      parameters: plugin.parameters,
      markets: new Map(reads),
      feeds: parts.feeds.viewsOf(settings.feeds),
      watched: new Map(watched),
      random: () => random.next(),
      callsLeft,
      state: stored === undefined ? undefined : JSON.parse(stored.state),
      startMs: Math.floor(start.startedMicros / 1000),
      observer,
    });
    return { settings, host };
  });
}

function readsOf(
  pair: string,
  settings: RunnerStrategy['settings'],
  parts: Parameters<typeof createHosts>[0],
  counters: ReadonlySet<string>,
): StrategyReads {
  return new StrategyReads({
    strategyId: settings.id,
    budget: settings.budget,
    ...marketOf(pair, settings, parts),
    tracker: parts.orders.tracker,
    exposure: parts.exposure,
    positions: parts.positions,
    fills: parts.fills,
    feeBuffer: parts.limits.feeBuffer,
    pairLimits: parts.limits.pairs.get(pair),
    counters,
  });
}

/** Returns what a strategy reads of a pair that it only watches. */
function watchedOf(
  pair: string,
  settings: RunnerStrategy['settings'],
  parts: Parameters<typeof createHosts>[0],
): WatchedAccess {
  const { market, history } = marketOf(pair, settings, parts);
  const { fees } = market;
  return { market: market.market, fees, top: () => market.top, book: () => market.prices, history };
}

function marketOf(
  pair: string,
  settings: RunnerStrategy['settings'],
  { markets, start }: Parameters<typeof createHosts>[0],
) {
  const market = markets.get(pair);
  assert(market !== undefined, `strategy ${settings.id} sees ${pair}, which has no market`);
  const own = start.history?.find((one) => one.strategyId === settings.id && one.pair === pair);
  return { market, history: own?.candles ?? [] };
}
