/** Creates and connects the readers of the exchange: trades, ledgers, comparisons and markets. */
import { type Decimal, decimalOf } from '../domain/money.ts';
import { DeliveredTrades } from '../execution/fills/delivered-trades.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import { TradesSync, wholePeriodMs } from '../execution/fills/trades-sync.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import { DeliveredLedger } from '../execution/reconcile/delivered-ledger.ts';
import { EndChecks } from '../execution/reconcile/end-checks.ts';
import { LedgerSync, spacingMs as ledgerSpacingMs } from '../execution/reconcile/ledger-sync.ts';
import { MarketWatch } from '../execution/reconcile/market-watch.ts';
import { Reconciler } from '../execution/reconcile/reconciler.ts';
import { DeliveredReads } from '../execution/requests/delivered-reads.ts';
import type { Demand } from '../execution/requests/demand.ts';
import { countSkippedReads } from '../execution/requests/skipped-reads.ts';
import type { EngineMarket } from './engine-market.ts';
import { deliveredRoundTripOf, type EngineStart } from './engine-start.ts';
import type { RequestQueue } from './request-queue.ts';

export type Readers = {
  /** By pair. */
  readonly trades: ReadonlyMap<string, TradesSync | DeliveredTrades>;
  readonly ledger: LedgerSync | DeliveredLedger;
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
export function createReaders(parts: ReaderParts): Readers {
  const { start, orders, fills, markets, tradeDemands, calls } = parts;
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
  const others = { reconciler, marketWatch, endChecks };
  const roundTripMicros = deliveredRoundTripOf(start);
  if (roundTripMicros === undefined) return { trades, ledger, ...others };
  return { ...deliveredTo(parts, roundTripMicros), ...others };
}

/**
 * Returns what takes the place of reads of trades and ledgers at an exchange in this process, which
 * delivers every trade and ledger row with its messages.
 */
function deliveredTo(
  { start, orders, fills, tradeDemands, calls }: ReaderParts,
  roundTripMicros: number,
): Pick<Readers, 'trades' | 'ledger'> {
  const { accounts } = start.settings;
  const isLimited = start.callLimit !== 'unlimited';
  if (isLimited)
    countSkippedReads(calls, start.startedMicros, [
      { periodMs: ledgerSpacingMs, calls: Object.keys(accounts).length, yields: true },
      { periodMs: wholePeriodMs, calls: tradeDemands.size, yields: false },
    ]);
  const reads = new DeliveredReads({ calls, isLimited, roundTripMicros });
  return {
    trades: new Map(
      [...tradeDemands].map(([pair, demand]) => [
        pair,
        new DeliveredTrades({ fills, reads, pair, demand }),
      ]),
    ),
    ledger: new DeliveredLedger({
      ...{ context: orders.context, fills, accounts },
      reads: new DeliveredReads({ calls, isLimited: false, roundTripMicros }),
      hasRoom: () => calls.hasRoomForReads,
      markets: new Map(start.markets.map(({ market }) => [market.pair, market])),
    }),
  };
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
