/**
 * Creates the engine's parts from the bottom up: each receives the parts created before it. Calls
 * in the other direction, from a changed order to the strategies and the risk engine, go through
 * the context, which is connected last.
 *
 *     markets, context ─▶ calls ─▶ orders, executor, fills ─▶ readers
 *                     ─▶ inbox ─▶ risk ─▶ strategies ─▶ market data, user stream, operator
 */
import { storedBlockNames } from '../domain/trading-block.ts';
import { FillBook } from '../execution/fills/fill-book.ts';
import { driveOrder } from '../execution/orders/drive-order.ts';
import { Executor } from '../execution/orders/executor.ts';
import { OrderStates } from '../execution/orders/order-states.ts';
import type { RunResults } from '../execution/orders/run-results.ts';
import { assertServed } from '../execution/orders/served-venue.ts';
import { Demand } from '../execution/requests/demand.ts';
import { ReadPlan } from '../execution/requests/read-plan.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import { FillHistory } from './account/fill-history.ts';
import { EngineContext } from './engine-context.ts';
import { createListener } from './engine-listener.ts';
import { EngineMarket } from './engine-market.ts';
import type { EngineStart, MarketStart } from './engine-start.ts';
import { EngineFeeds } from './feeds/engine-feeds.ts';
import { createHosts } from './hosts.ts';
import { MarketDataHandler } from './market-data-handler.ts';
import { MissedFills } from './missed-fills.ts';
import { OperatorCommands } from './operator-commands.ts';
import { RunningParameters } from './parameters/running-parameters.ts';
import { CallWaits } from './quoting/call-waits.ts';
import { QuoteCoverage } from './quoting/quote-coverage.ts';
import { QuoteUpdater } from './quoting/quote-updater.ts';
import { WaitingMoves } from './quoting/waiting-moves.ts';
import { createReaders, type Readers } from './readers.ts';
import { Readiness } from './readiness.ts';
import { RequestQueue } from './request-queue.ts';
import { RiskEngine } from './risk-engine.ts';
import type { StepObserver } from './stepping/step-observer.ts';
import { StrategyInbox } from './strategy-inbox.ts';
import { type RunnerStrategy, StrategyRunner } from './strategy-runner.ts';
import { StrategyStarter } from './strategy-starter.ts';
import { StrategyEnds } from './trading/strategy-ends.ts';
import { TradingFacts } from './trading/trading-facts.ts';
import { TradingWatch } from './trading/trading-watch.ts';
import type { UsedKey } from './used-keys.ts';
import { UserStreamHandler } from './user-stream-handler.ts';

/** A market without limits, which is not traded, is not used after a longer silence. */
const watchedSilenceMsMax = 600_000;

export type EngineParts = {
  /** Those that are traded. */
  readonly markets: ReadonlyMap<string, EngineMarket>;
  /** Those that are traded, then those that strategies only watch. */
  readonly seenMarkets: ReadonlyMap<string, EngineMarket>;
  readonly context: EngineContext;
  readonly calls: RequestQueue;
  readonly orders: OrderStates;
  readonly executor: Executor;
  readonly fills: FillBook;
  readonly history: FillHistory;
  readonly readers: Readers;
  readonly inbox: StrategyInbox;
  readonly readiness: Readiness;
  readonly risk: RiskEngine;
  readonly hosts: readonly RunnerStrategy[];
  readonly strategies: StrategyRunner;
  readonly waits: CallWaits;
  readonly coverage: QuoteCoverage;
  readonly marketData: MarketDataHandler;
  readonly userStream: UserStreamHandler;
  readonly operator: OperatorCommands;
  readonly parameters: RunningParameters;
  readonly feeds: EngineFeeds;
  readonly trading: TradingFacts;
  readonly watch: TradingWatch | undefined;
};

/** Returns the parts of an engine that has not started; they keep `start` during the whole run. */
export function createEngineParts(
  start: EngineStart,
  plugins: ReadonlyMap<string, PreparedStrategy>,
  usedKeys: readonly UsedKey[],
  {
    results,
    observer,
  }: { readonly results: RunResults | undefined; readonly observer: StepObserver | undefined },
): EngineParts {
  const { settings } = start;
  assertServed(start.venue, settings.strategies);
  const markets = createMarkets(start, start.markets);
  const seenMarkets = new Map([...markets, ...createMarkets(start, start.watched ?? [])]);
  const context = new EngineContext(start, results, observer);
  for (const [id, { code }] of plugins) context.facts.strategyHashes.set(id, code.hash);
  const calls = new RequestQueue(context);
  const orderParts = createOrderParts({ start, context, markets, calls });
  const { orders, executor, fills, readers } = orderParts;
  const { reconciler, endChecks } = readers;

  const inbox = new StrategyInbox(context, settings.strategies);
  const readiness = new Readiness();
  const history = new FillHistory(settings.strategies);
  const risk = new RiskEngine({
    ...{ context, orders, executor, settings, markets, inbox, readiness, history },
  });
  const feeds = new EngineFeeds(context, settings.feeds);
  const { moves, hosts, strategies } = createStrategyParts({
    ...{ start, plugins, usedKeys, observer, context, markets, seenMarkets },
    ...{ orders, fills, inbox, history, risk, feeds },
  });

  const marketData = new MarketDataHandler({
    ...{ context, markets: seenMarkets, fills, inbox, strategies },
    settings: settings.strategies,
  });
  const userStream = new UserStreamHandler({ orders, fills, readers, markets });
  const parameters = new RunningParameters({
    ...{ context, start, plugins, strategies: hosts, markets, limits: risk.limits },
  });
  const operator = new OperatorCommands({
    ...{ start, context, calls, orders, fills, reconciler, endChecks, risk, inbox, strategies },
    parameters,
  });
  const trading = new TradingFacts({
    ...{ context, orders, markets, seenMarkets, reconciler, risk, inbox, operator, feeds },
    strategies: hosts,
  });
  context.connect(
    createListener({ context, markets, reconciler, inbox, risk, strategies, operator, history }),
  );
  return {
    ...orderParts,
    ...{ markets, seenMarkets, context, calls, history, inbox, readiness, risk, hosts, strategies },
    ...{ marketData, userStream, operator, parameters, feeds, trading },
    waits: new CallWaits({ context, calls: context.calls, orders, inbox, moves }),
    coverage: new QuoteCoverage(inbox.targets, orders.tracker),
    watch: start.watchesTrading === true ? watchOf(start, context, trading) : undefined,
  };
}

function createOrderParts(
  parts: Pick<EngineParts, 'context' | 'markets' | 'calls'> & { readonly start: EngineStart },
): Pick<EngineParts, 'orders' | 'executor' | 'fills' | 'readers'> {
  const { start, context, markets, calls } = parts;
  const { venue, restored, identity = '' } = start;
  const { namespace } = start.settings;
  const tradeDemands = new Map([...markets.keys()].map((pair) => [pair, new Demand()]));
  const orders = new OrderStates({
    context,
    drive: driveOrder,
    requestTrades: (pair) => tradeDemands.get(pair)?.ask(),
    venue,
    reads: new ReadPlan({
      losesMessages: venue.reports.mayBeLost,
      delaysMessages: start.delaysMessages === true,
      time: context,
      calls: context.calls,
    }),
    endChecks: {
      mayAdd: () => readers.endChecks.mayAdd,
      add: (order) => readers.endChecks.add(order),
    },
  });
  context.calls.reserveCancels(() => orders.tracker.liveCount);
  const executor = new Executor({
    ...{ orders, namespace, identity, intentIdNext: restored.intentIdNext },
    numbersIds: start.numbersOrderIds,
  });
  const fills = new FillBook(orders, namespace);
  const readers = createReaders({ start, orders, fills, markets, tradeDemands, calls });
  return { orders, executor, fills, readers };
}

type StrategyPartsNeeds = Pick<
  EngineParts,
  | 'context'
  | 'markets'
  | 'seenMarkets'
  | 'orders'
  | 'fills'
  | 'inbox'
  | 'history'
  | 'risk'
  | 'feeds'
> & {
  readonly start: EngineStart;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly usedKeys: readonly UsedKey[];
  readonly observer: StepObserver | undefined;
};

/** Creates what runs the strategies and places what they want. */
function createStrategyParts(
  needs: StrategyPartsNeeds,
): Pick<EngineParts, 'hosts' | 'strategies'> & { readonly moves: WaitingMoves } {
  const { start, plugins, usedKeys, observer, context, markets, seenMarkets } = needs;
  const { orders, fills, inbox, history, risk, feeds } = needs;
  const { settings, restored } = start;
  const missed = new MissedFills(context, restored.riskStates);
  const facts = () => risk.facts();
  const starter = new StrategyStarter({
    ...{ context, inbox, markets: seenMarkets, facts, missed, feeds },
  });
  const { exposure } = context;
  const { router } = risk;
  const callsLeft = () => context.calls.left(context.nowMs);
  const rateAtMs = (strategyId: string) => risk.replacesAtMs(strategyId);
  const moves = new WaitingMoves(context, context.calls, rateAtMs);
  const cancelsFirst = new Set(
    settings.strategies.filter(({ onMove }) => onMove === 'cancel').map(({ id }) => id),
  );
  const quotes = new QuoteUpdater({ context, orders, router, moves, cancelsFirst });
  const hosts = createHosts({
    ...{ start, plugins, markets: seenMarkets, orders, exposure, callsLeft, observer, feeds },
    ...{ limits: risk.limits, positions: fills.positions, fills: history },
  });
  feeds.connect(hosts);
  const ends = new StrategyEnds({
    ...{ context, orders, inbox, strategies: hosts, stored: restored.riskStates },
    again: start.again ?? [],
  });
  const strategies = new StrategyRunner({
    ...{ context, orders, markets, inbox, starter, missed, usedKeys, router, quotes, ends },
    strategies: hosts,
  });
  return { moves, hosts, strategies };
}

function watchOf(
  { settings, restored }: EngineStart,
  context: EngineContext,
  trading: TradingFacts,
) {
  const { strategies } = settings;
  const situationOf = (strategyId: string, pair: string) => trading.situationOf(strategyId, pair);
  const storedNames = storedBlockNames(restored.riskStates);
  return new TradingWatch({ context, strategies, situationOf, storedNames });
}

/** Returns the markets by pair, in the order of the start. */
function createMarkets(
  { settings, startedMicros, venue }: EngineStart,
  markets: readonly MarketStart[],
): ReadonlyMap<string, EngineMarket> {
  const startedMs = Math.floor(startedMicros / 1000);
  const { tradeAgeMsMax } = venue.checks;
  const tradesMs = tradeAgeMsMax === 'never' ? undefined : tradeAgeMsMax;
  return new Map(
    markets.map((market) => {
      const { pair } = market.market;
      const silenceMsMax = settings.limits.pairs[pair]?.bookAgeMsMax ?? watchedSilenceMsMax;
      return [pair, new EngineMarket(market, startedMs, silenceMsMax, tradesMs)];
    }),
  );
}
