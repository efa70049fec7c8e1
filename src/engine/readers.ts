/** What reads the exchange for the engine: trades, ledgers, comparisons and markets, connected. */
import { type Decimal, decimalOf } from '../domain/money.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import { TradesSync } from '../execution/fills/trades-sync.ts';
import type { Executor } from '../execution/orders/executor.ts';
import { LedgerSync } from '../execution/reconcile/ledger-sync.ts';
import { MarketWatch } from '../execution/reconcile/market-watch.ts';
import { Reconciler } from '../execution/reconcile/reconciler.ts';
import { ReadPauses } from '../execution/requests/read-pauses.ts';
import type { EngineMarket } from './engine-market.ts';
import type { EngineStart } from './engine-start.ts';
import type { RequestQueue } from './request-queue.ts';

export type Readers = {
  /** By pair. */
  readonly trades: ReadonlyMap<string, TradesSync>;
  readonly ledger: LedgerSync;
  readonly reconciler: Reconciler;
  readonly marketWatch: MarketWatch;
};

/** Returns the readers of a run; none of them runs yet. */
export function createReaders(parts: {
  readonly start: EngineStart;
  readonly executor: Executor;
  readonly fills: FillBook;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly calls: RequestQueue;
}): Readers {
  const { start, executor, fills, markets, calls } = parts;
  const { settings, restored, roundTripMicros } = start;
  const rules = start.markets.map(({ market }) => market);
  const budgets = budgetsOf(settings.strategies);
  const hasLiveOrders = (): boolean => executor.tracker.liveCount > 0;
  const pauses =
    roundTripMicros === undefined
      ? undefined
      : new ReadPauses({ roundTripMicros, calls, hasLiveOrders });
  const ledger = new LedgerSync({
    budgets,
    executor,
    fills,
    markets: new Map(rules.map((market) => [market.pair, market])),
    accounts: settings.accounts,
    restored: restored.ledger,
    pauses,
  });
  const trades = new Map(
    rules.map(({ pair }) => {
      const completeBeforeMs = (): number | undefined => ledger.completeBeforeMs(pair);
      return [pair, new TradesSync({ executor, fills, pair, completeBeforeMs, pauses })];
    }),
  );
  const reconciler = new Reconciler({
    executor,
    fills,
    ledger,
    trades: [...trades.values()],
    namespace: settings.namespace,
    budgets,
  });
  const marketWatch = new MarketWatch({
    executor,
    markets: rules,
    onRules: (pair, told) => markets.get(pair)?.noteRules(told),
    onFees: (pair, fees) => markets.get(pair)?.noteFees(fees),
  });
  return { trades, ledger, reconciler, marketWatch };
}

/** What the strategies may use of each currency, in all. */
function budgetsOf(
  strategies: EngineStart['settings']['strategies'],
): Readonly<Record<string, Decimal>> {
  const budgets: Record<string, Decimal> = {};
  for (const { budget } of strategies)
    for (const [currency, amount] of Object.entries(budget))
      budgets[currency] = decimalOf(amount).plus(budgets[currency] ?? 0);
  return budgets;
}
