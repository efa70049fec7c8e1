/** The tables of one market on the page of a backtest. */
import type { Market } from '../../domain/market.ts';
import type { MakerMetrics, RunMetrics } from '../metrics/run-metrics.ts';
import { gapText } from '../metrics/watched-time.ts';
import type { MarketResult } from '../run/backtest-result.ts';
import type { PageRow, PageTable } from './page-data.ts';
import { amount, bps, count, list, ratio, row, seconds, share, text } from './page-values.ts';

/** Returns every table that the market's data can fill. */
export function marketTablesOf(
  result: Omit<MarketResult, 'pair'>,
  metrics: RunMetrics,
  market: Market,
): readonly PageTable[] {
  return [
    traderTable(metrics, market),
    returnTable(metrics, market),
    positionTable(metrics, market),
    makerTable(metrics.maker, market),
    ...sourceTables(metrics, market),
    markoutTable(metrics.maker, market),
    ...placeTables(metrics.maker),
    ...historyTables(result),
    dayTable(metrics, market),
  ];
}

function traderTable({ time, trader }: RunMetrics, { counter }: Market): PageTable {
  return list('Trader', [
    row('Profit', amount(trader.profit, counter)),
    row('Profit, share of start value', share(trader.profitShare)),
    row('Turnover', amount(trader.turnover, counter)),
    row('Turnover, multiple of start value', ratio(trader.turnoverShare)),
    row('Fees per turnover', bps(trader.feesBps)),
    row('Worst drawdown', amount(trader.drawdownMax, counter)),
    row('Worst drawdown, from peak to low', seconds(trader.drawdownSeconds)),
    row('Round trips', count(trader.roundTrips)),
    row('Winning round trips', share(trader.winRate)),
    row('Profit factor', ratio(trader.profitFactor)),
    row('Mean round trip', amount(trader.expectancy, counter)),
    row('Best round trip', amount(trader.best, counter)),
    row('Worst round trip', amount(trader.worst, counter)),
    row('Longest winning streak', count(trader.winsInRowMax)),
    row('Longest losing streak', count(trader.lossesInRowMax)),
    row('Mean holding time', seconds(trader.holdingSecondsMean)),
    row('Recorded time', seconds(time.seconds)),
    row('Not recorded', text(gapText(time) ?? 'nothing')),
  ]);
}

function returnTable({ trader, returns, holding }: RunMetrics, { counter }: Market): PageTable {
  return list('Returns, and holding instead', [
    row('Value of the account at the start', amount(returns.startValue, counter)),
    row('Profit per year, share of start value', share(returns.profitSharePerYear)),
    row('Sharpe per minute', ratio(trader.sharpePerMinute)),
    row('Sortino per minute', ratio(trader.sortinoPerMinute)),
    row('Sharpe per year', ratio(returns.sharpePerYear)),
    row('Sortino per year', ratio(returns.sortinoPerYear)),
    row('Annualization', text(returns.annualization)),
    row('Change of the mid', share(holding?.priceChange ?? null)),
    row('Gain of the start balance, held', amount(holding?.startBaseGain ?? null, counter)),
    row('Gain if all had been the base currency', amount(holding?.allBaseGain ?? null, counter)),
    row('Gain of the account', amount(holding?.accountGain ?? null, counter)),
  ]);
}

function positionTable({ position }: RunMetrics, { counter }: Market): PageTable {
  return list('Position in time and value', [
    row('Time with a long position', share(position.longShare)),
    row('Time with a short position', share(position.shortShare)),
    row('Mean size', amount(position.valueMean, counter)),
    row('Largest long position', amount(position.longValueMax, counter)),
    row('Largest short position', amount(position.shortValueMax, counter)),
    row('At the end', amount(position.valueAtEnd, counter)),
  ]);
}

function makerTable(maker: MakerMetrics, { base }: Market): PageTable {
  const { aheadAtRest: ahead, quotedShare, touchShare } = maker;
  const touch: readonly PageRow[] =
    touchShare === undefined
      ? []
      : [
          row('Time at the touch: bid', share(touchShare.bid)),
          row('Time at the touch: ask', share(touchShare.ask)),
        ];
  const queue: readonly PageRow[] =
    ahead === undefined
      ? []
      : [
          row('Queue ahead when placed, lower quartile', amount(ahead?.low ?? null, base)),
          row('Queue ahead when placed, median', amount(ahead?.median ?? null, base)),
          row('Queue ahead when placed, upper quartile', amount(ahead?.high ?? null, base)),
          row('Largest queue ahead at a fill', amount(maker.aheadAtFillMax ?? null, base)),
        ];
  return list('Market maker', [
    row('Orders', count(maker.orders)),
    row('Orders with a fill', share(maker.fillRatio)),
    row('Volume filled', share(maker.volumeRatio)),
    row('Fills as maker', share(maker.makerShare)),
    row('Cancelled orders per filled order', ratio(maker.cancelsPerFill)),
    row('Time quoted: bid', share(quotedShare.bid)),
    row('Time quoted: ask', share(quotedShare.ask)),
    row('Time quoted: both', share(quotedShare.both)),
    ...touch,
    ...queue,
  ]);
}

/** Returns nothing for coarse data, where the spread is an assumption. */
function sourceTables({ maker, trader }: RunMetrics, { counter }: Market): readonly PageTable[] {
  const { spreadCaptured, inventory } = maker;
  if (spreadCaptured === undefined || inventory === undefined) return [];
  return [
    list('Where the profit comes from', [
      row('Spread captured', amount(spreadCaptured, counter)),
      row('Less fees', amount(maker.fees, counter)),
      row('Inventory', amount(inventory, counter)),
      row('Profit', amount(trader.profit, counter)),
    ]),
  ];
}

function markoutTable({ markouts }: MakerMetrics, { counter }: Market): PageTable {
  return {
    title: 'Markouts: move of the mid in our favour after a fill',
    columns: ['all', 'of bids', 'of asks', 'sum', 'fills'],
    rows: markouts.map(({ seconds: after, bid, ask, ...all }) =>
      row(
        spanText(after),
        bps(all.bps),
        bps(bid.bps),
        bps(ask.bps),
        amount(all.sum, counter),
        count(all.fills),
      ),
    ),
  };
}

function spanText(after: number): string {
  if (after < 1) return `${after * 1_000} ms`;
  return after < 120 ? `${after} s` : `${after / 60} min`;
}

function placeTables({ queuePlaces }: MakerMetrics): readonly PageTable[] {
  if (queuePlaces === undefined) return [];
  const rows = queuePlaces.map((place, index) =>
    row(
      placeText(queuePlaces[index - 1]?.aheadUpTo, place.aheadUpTo),
      count(place.orders),
      share(place.fillRatio),
      share(place.volumeRatio),
    ),
  );
  return [
    {
      title: 'Fills by place in the queue: volume ahead when placed, in own volumes',
      columns: ['orders', 'with a fill', 'volume filled'],
      rows,
    },
  ];
}

function placeText(above: number | null | undefined, upTo: number | null): string {
  if (upTo === null) return `more than ${above}`;
  return upTo === 0 ? 'none ahead' : `up to ${upTo}`;
}

function historyTables({ history, gaps }: Omit<MarketResult, 'pair'>): readonly PageTable[] {
  if (history === undefined) return [];
  const gapRows: readonly PageRow[] =
    gaps === undefined
      ? []
      : [
          row('Gaps in the stream', count(gaps.count)),
          row('Our orders that kept their place', count(gaps.kept)),
          row('Our orders that went to the back', count(gaps.wentBehind)),
        ];
  return [
    list('History and our orders', [
      row('Historical trades displaced by ours', count(history.displacedTrades)),
      row('Historical orders that would have crossed ours', count(history.displacedOrders)),
      row('Historical orders that we took volume from', count(history.takenOrders)),
      row('Fills before orders ahead in the queue', count(history.fillsOutOfQueue)),
      row('Inconsistent rows', count(history.unknownOrders + history.impossibleRows)),
      ...gapRows,
    ]),
  ];
}

function dayTable({ days }: RunMetrics, { base, counter }: Market): PageTable {
  return {
    title: 'Days (UTC)',
    columns: ['profit', 'fills', 'turnover', 'fees', 'position at the end'],
    rows: days.map((day) =>
      row(
        day.day,
        amount(day.profit, counter),
        count(day.fills),
        amount(day.turnover, counter),
        amount(day.fees, counter),
        amount(day.position, base),
      ),
    ),
  };
}
