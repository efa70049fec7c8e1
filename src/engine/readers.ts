/** Creates and connects the readers of the exchange: trades, ledgers, comparisons and markets. */
import { type Decimal, decimalOf } from '../domain/money.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import { TradesSync } from '../execution/fills/trades-sync.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import { EndChecks } from '../execution/reconcile/end-checks.ts';
import { LedgerSync } from '../execution/reconcile/ledger-sync.ts';
import { MarketWatch, marketReads } from '../execution/reconcile/market-watch.ts';
import { comparisonRead, Reconciler } from '../execution/reconcile/reconciler.ts';
import type { Demand } from '../execution/requests/demand.ts';
import type { ReadPlan } from '../execution/requests/read-plan.ts';
import type { EngineMarket } from './engine-market.ts';
import type { EngineStart } from './engine-start.ts';
import type { RequestQueue } from './request-queue.ts';

export type Readers = {
  /** By pair. */
  readonly trades: ReadonlyMap<string, TradesSync>;
  readonly ledger: LedgerSync;
  readonly reconciler: Reconciler;
  readonly marketWatch: MarketWatch;
  readonly endChecks: EndChecks;
};

export type ReaderParts = {
  readonly start: EngineStart;
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  /** Raised when the trades of a pair should be read soon, by pair. */
  readonly tradeDemands: ReadonlyMap<string, Demand>;
  readonly calls: RequestQueue;
};

/** Returns the readers of a run; none has started. */
export function createReaders({
  start,
  orders,
  fills,
  markets,
  tradeDemands,
  calls,
}: ReaderParts): Readers {
  const { settings, restored } = start;
  const rules = start.markets.map(({ market }) => market);
  const budgets = budgetsOf(settings.strategies);
  const ledger = new LedgerSync({
    budgets,
    orders,
    fills,
    markets: new Map(rules.map((market) => [market.pair, market])),
    accounts: settings.accounts,
    restored: restored.ledger,
    hasRoom: () => calls.hasRoomForReads,
  });
  const trades = new Map(
    [...tradeDemands].map(([pair, demand]) => {
      const completeBeforeMs = (): number | undefined => ledger.completeBeforeMs(pair);
      return [pair, new TradesSync({ orders, fills, pair, demand, completeBeforeMs })];
    }),
  );
  const reconciler = new Reconciler({
    orders,
    fills,
    ledger,
    trades: [...trades.values()],
    namespace: settings.namespace,
    budgets,
  });
  const marketWatch = new MarketWatch({
    orders,
    markets: rules,
    onRules: (pair, listed) => markets.get(pair)?.noteRules(listed),
    onFees: (pair, fees) => markets.get(pair)?.noteFees(fees),
  });
  const endChecks = new EndChecks(orders, () => calls.hasRoomForReads);
  return { trades, ledger, reconciler, marketWatch, endChecks };
}

/** Reads the ledger, and leaves out the comparisons, which find nothing in the same process. */
export function skipComparisons(
  { ledger }: Readers,
  reads: ReadPlan,
  { settings, markets }: Pick<EngineStart, 'settings' | 'markets'>,
): void {
  ledger.request();
  const [pairs, accounts] = [markets.length, Object.keys(settings.accounts).length];
  for (const read of [comparisonRead(pairs, accounts), ...marketReads(pairs)]) reads.skip(read);
}

/** Returns the sum of the strategies' budgets by currency. */
function budgetsOf(
  strategies: EngineStart['settings']['strategies'],
): Readonly<Record<string, Decimal>> {
  const budgets: Record<string, Decimal> = {};
  for (const { budget } of strategies)
    for (const [currency, amount] of Object.entries(budget))
      budgets[currency] = decimalOf(amount).plus(budgets[currency] ?? 0);
  return budgets;
}
