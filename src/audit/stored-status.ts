/**
 * What the database alone knows of a bot, whether it runs or not. A running bot says more of
 * itself, see `BotStatus`.
 */
import { formatAmount } from '../domain/amount.ts';
import type { StrategySettings } from '../domain/bot-settings.ts';
import { baseOf, counterOf, Positions } from '../execution/fills/positions.ts';
import type { StoreReports } from '../store/store-reports.ts';
import { breakEvenFiguresOf, fillsLookedAt, pairsOf, quotesLookedAt } from './break-even.ts';
import { idleOf } from './idle-reasons.ts';

const incidentsMax = 10;

export type StoredStatus = ReturnType<typeof storedStatusOf>;

/** Returns the summary; also of a bot that runs, whose newest commits it includes. */
export function storedStatusOf(reports: StoreReports, strategies: readonly StrategySettings[]) {
  const positions = new Positions();
  for (const totals of reports.fillTotals()) positions.restore(totals);
  const [lastRun] = reports.runs(1);
  return {
    lastRun,
    orders: reports.orderCounts(),
    openOrders: reports.openOrders().map((order) => ({
      strategy: order.strategyId,
      pair: order.pair,
      side: order.side,
      price: order.price,
      volume: order.volume,
      state: order.state,
      orderId: order.orderId ?? null,
      clientOrderId: order.clientOrderId,
    })),
    fills: reports.fillCount(),
    positions: positions.entries().map(({ strategyId, pair, holding }) => ({
      strategy: strategyId,
      pair,
      base: formatAmount(baseOf(holding)),
      counter: formatAmount(counterOf(holding)),
      fills: holding.fills,
    })),
    breakEven: breakEvenFiguresOf({
      strategies,
      feesOf: () => undefined,
      orders: reports.recentQuotes(quotesLookedAt),
      fills: pairsOf(strategies).flatMap((pair) => reports.recentFills(pair, fillsLookedAt)),
    }),
    balances: reports.ledgerLatest().map((row) => ({
      currency: row.currency,
      balance: row.balance,
      available: row.available,
      row: row.rowIndex,
    })),
    tradingStates: reports.tradingStates(),
    done: reports.doneStrategies(),
    notTrading: reports.tradingBlocks(),
    idle: idleOf(reports),
    refusals: reports.refusalCounts(0),
    incidents: reports.incidents(incidentsMax),
  };
}
