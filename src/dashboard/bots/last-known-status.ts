/** What a bot's database knows of it, for a page that shows a bot that does not answer. */
import { formatAmount } from '../../domain/amount.ts';
import { recentFillsMax } from '../../domain/bot-status.ts';
import { baseOf, counterOf, Positions } from '../../execution/fills/positions.ts';
import type { StoreReports } from '../../store/store-reports.ts';
import type { StoredStatus } from '../api/bot-answers.ts';
import { fillStates } from '../history/fill-states.ts';
import { orderRowOf } from '../history/record-rows.ts';

const openOrdersMax = 500;

export function lastKnownStatusOf(reports: StoreReports): StoredStatus {
  const [run] = reports.runs(1);
  const positions = new Positions();
  for (const totals of reports.fillTotals()) positions.restore(totals);
  const entries = positions.entries();
  const newest = [...new Set(entries.map(({ pair }) => pair))]
    .flatMap((pair) => reports.recentFills(pair, recentFillsMax))
    .sort((a, b) => b.tradedMs - a.tradedMs)
    .slice(0, recentFillsMax);
  return {
    lastRun:
      run === undefined
        ? null
        : {
            run: run.runId,
            startedMs: run.startedMs,
            configHash: run.configHash,
            isClosed: run.closed,
          },
    states: reports
      .tradingStates()
      .filter(({ state }) => state !== 'ACTIVE')
      .map(({ scope, state, reason, atMs }) => ({ scope, state, reason, sinceMs: atMs })),
    notTrading: [...reports.tradingBlocks()],
    orders: reports.orderCounts(),
    openOrders: reports.openOrders().slice(-openOrdersMax).map(orderRowOf),
    positions: entries.map(({ strategyId, pair, holding }) => ({
      strategyId,
      pair,
      base: formatAmount(baseOf(holding)),
      counter: formatAmount(counterOf(holding)),
      fills: holding.fills,
    })),
    balances: reports
      .ledgerLatest()
      .map(({ currency, balance, available }) => ({ currency, balance, available })),
    fills: fillStates(reports, newest),
  };
}
