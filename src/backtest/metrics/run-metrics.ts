/**
 * The figures by which backtests are compared: those of a trader and those of a market maker.
 * Money is exact, as decimal strings in the counter currency; ratios and shares are plain numbers.
 */
import { type Amount, amountOfScaled, formatAmount } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';
import type { CoarseDataReport } from '../coarse/coarse-data.ts';
import type { DayFigures } from './day-sums.ts';
import type { MarkoutSum, MarkoutSums } from './fill-log.ts';
import type { MinuteSums } from './minute-sums.ts';
import { ratioOf, rounded, shareOf } from './ratios.ts';
import {
  type HoldingMetrics,
  holdingMetricsOf,
  type PositionMetrics,
  positionMetricsOf,
  type ReturnMetrics,
  returnMetricsOf,
} from './return-metrics.ts';
import type { RunRecorder } from './run-recorder.ts';
import { gapCautionsOf, type WatchedTime, watchedTimeOf } from './watched-time.ts';

/** With fewer fills than this, a result says little about the strategy. */
const fillsFewerThan = 100;

export type TraderMetrics = {
  readonly profit: string;
  /** As a share of the account's value at the start. */
  readonly profitShare: number | null;
  /** The value of all trades, before fees; and as a multiple of the start value. */
  readonly turnover: string;
  readonly turnoverShare: number | null;
  /** Fees in basis points of the turnover; negative for a rebate. */
  readonly feesBps: number | null;
  readonly drawdownMax: string;
  readonly drawdownSeconds: number;
  readonly roundTrips: number;
  readonly winRate: number | null;
  /** The total gain of winning round trips divided by the total loss of losing ones. */
  readonly profitFactor: number | null;
  /** Mean profit of a round trip. */
  readonly expectancy: string | null;
  readonly best: string | null;
  readonly worst: string | null;
  readonly winsInRowMax: number;
  readonly lossesInRowMax: number;
  readonly holdingSecondsMean: number | null;
  /** Computed from the profit of each minute, not annualized; null below ten minutes. */
  readonly sharpePerMinute: number | null;
  readonly sortinoPerMinute: number | null;
};

/** Of all fills, and of those of our bids and asks. */
export type Markout = { readonly seconds: number } & MarkoutFigures & {
    readonly bid: MarkoutFigures;
    readonly ask: MarkoutFigures;
  };

type MarkoutFigures = {
  /** Fills after which the recording lasts that long. */
  readonly fills: number;
  /** Sum over these fills, in the counter currency. */
  readonly sum: string;
  /** Mean, weighted by volume, in basis points of the fill's price. */
  readonly bps: number | null;
};

/** Orders that came to rest at a place in the queue. */
export type QueuePlace = {
  /**
   * The volume ahead was at most this multiple of the order's own volume, and more than that of
   * the group before; null for the last group.
   */
  readonly aheadUpTo: number | null;
  readonly orders: number;
  readonly fillRatio: number | null;
  readonly volumeRatio: number | null;
};

export type MakerMetrics = {
  readonly orders: number;
  /** The share of orders with at least one fill, and of the placed volume that was filled. */
  readonly fillRatio: number | null;
  readonly volumeRatio: number | null;
  readonly makerShare: number | null;
  /** Orders cancelled without a fill, per order with a fill. */
  readonly cancelsPerFill: number | null;
  /**
   * Quartiles of the volume ahead of an order when it came to rest, in the base currency. Figures
   * of the queue and the touch exist only for order-by-order history.
   */
  readonly aheadAtRest?: {
    readonly low: string;
    readonly median: string;
    readonly high: string;
  } | null;
  readonly queuePlaces?: readonly QueuePlace[];
  /** The largest volume ahead of an order at a fill; 0 in first-in-first-out data. */
  readonly aheadAtFillMax?: string;
  readonly quotedShare: { readonly bid: number; readonly ask: number; readonly both: number };
  readonly touchShare?: { readonly bid: number; readonly ask: number };
  /**
   * By how much fills were better than the mid just before them, and the gain or loss of the
   * position afterwards; less fees, they add up to the profit. Only for order-by-order history:
   * over coarse data the spread is an assumption.
   */
  readonly spreadCaptured?: string;
  readonly inventory?: string;
  readonly fees: string;
  readonly markouts: readonly Markout[];
};

export type RunMetrics = {
  readonly time: WatchedTime;
  readonly trader: TraderMetrics;
  readonly returns: ReturnMetrics;
  readonly position: PositionMetrics;
  readonly holding: HoldingMetrics | null;
  readonly maker: MakerMetrics;
  readonly days: readonly DayFigures[];
  /** Reasons to doubt the figures. */
  readonly cautions: readonly string[];
};

/** Returns the metrics of a finished run, without those that its data cannot show. */
export function metricsOf(
  recorder: RunRecorder,
  accountMarket: AccountMarket,
  run: {
    readonly coarseData: CoarseDataReport | undefined;
    /** Cautions about the whole run, which come first. */
    readonly cautions: readonly string[];
    /** The recorders of all markets, which share one account. */
    readonly recorders: readonly RunRecorder[];
    /** Whether no strategy trades the market, so that nothing is to be said of its fills. */
    readonly isWatched?: boolean;
  },
): RunMetrics {
  const { coarseData } = run;
  const { market } = accountMarket;
  const { log, trades } = recorder;
  const profit = recorder.profit;
  const time = watchedTimeOf(recorder);
  const gain = { profit, worth: startWorthOf(recorder, run.recorders) };
  const trader = traderMetrics(recorder, { market, ...gain });
  const { sharpePerMinute: sharpe, sortinoPerMinute: sortino } = trader;
  return {
    time,
    trader,
    returns: returnMetricsOf(recorder, { ...gain, sharpe, sortino }),
    position: positionMetricsOf(recorder, market),
    holding: holdingMetricsOf(recorder, gain),
    maker: {
      ...orderMetrics(recorder),
      ...(coarseData === undefined ? queueMetrics(recorder, market) : {}),
      quotedShare: quotedShareOf(recorder),
      ...(coarseData === undefined ? { touchShare: touchShareOf(recorder) } : {}),
      ...(coarseData === undefined
        ? {
            spreadCaptured: formatAmount(log.spread),
            inventory: formatAmount(profit - log.spread + trades.fees),
          }
        : {}),
      fees: formatAmount(trades.fees),
      markouts: log.markouts
        .filter(({ seconds }) => seconds >= (coarseData?.intervalSeconds ?? 0))
        .map(markoutOf),
    },
    days: recorder.days.days,
    cautions: [
      ...run.cautions,
      ...gapCautionsOf(time),
      ...(run.isWatched === true ? [] : cautionsOf(recorder, accountMarket)),
    ],
  };
}

/**
 * Returns the account's value at the first mid of each market: the recorder's counter currency,
 * plus the base currencies of all markets that are quoted in it. Undefined if one of these
 * markets never had a mid.
 */
function startWorthOf(
  { startCounter, counter }: RunRecorder,
  recorders: readonly RunRecorder[],
): Amount | undefined {
  let worth = startCounter;
  for (const other of recorders) {
    if (other.counter !== counter) continue;
    if (other.startBaseWorth === undefined) return undefined;
    worth += other.startBaseWorth;
  }
  return worth;
}

function traderMetrics(
  recorder: RunRecorder,
  {
    market,
    profit,
    worth,
  }: { readonly market: Market; readonly profit: Amount; readonly worth: Amount | undefined },
): TraderMetrics {
  const { drawdown, minutes } = recorder;
  const { trips, turnover, fees } = recorder.trades;
  return {
    profit: formatAmount(profit),
    profitShare: worth ? ratioOf(profit, worth) : null,
    turnover: formatAmount(turnover),
    turnoverShare: worth ? ratioOf(turnover, worth) : null,
    feesBps: turnover === 0n ? null : ratioOf(fees * 10_000n, turnover),
    drawdownMax: formatAmount(drawdown.worst),
    drawdownSeconds: recorder.drawdownSeconds,
    roundTrips: trips.count,
    winRate: shareOf(trips.wins, trips.count),
    profitFactor: trips.lost === 0n ? null : ratioOf(trips.gained, trips.lost),
    expectancy: trips.count === 0 ? null : meanText(trips.gained - trips.lost, trips.count, market),
    best: trips.best === undefined ? null : meanText(trips.best, 1, market),
    worst: trips.worst === undefined ? null : meanText(trips.worst, 1, market),
    winsInRowMax: trips.winsInRowMax,
    lossesInRowMax: trips.lossesInRowMax,
    holdingSecondsMean: trips.count === 0 ? null : trips.heldSeconds / trips.count,
    sharpePerMinute: sharpeOf(minutes, minutes.variance),
    sortinoPerMinute: sharpeOf(minutes, minutes.downside),
  };
}

function orderMetrics({ orders, trades }: RunRecorder) {
  return {
    orders: orders.count,
    fillRatio: shareOf(orders.filled, orders.count),
    volumeRatio: shareOf(orders.filledVolume, orders.placedVolume),
    makerShare: shareOf(trades.maker, trades.count),
    cancelsPerFill: shareOf(orders.cancelled, orders.filled),
  };
}

function queueMetrics({ orders, trades }: RunRecorder, market: Market) {
  const ahead = Float64Array.from(orders.aheadAtRest.items).sort();
  const lots = (count: number): string => formatAmount(amountOfScaled(count, market.volumeScale));
  const at = (share: number): string =>
    lots(ahead[Math.min(ahead.length - 1, Math.floor(share * ahead.length))] ?? 0);
  return {
    aheadAtRest: ahead.length === 0 ? null : { low: at(0.25), median: at(0.5), high: at(0.75) },
    queuePlaces: orders.places.groups.map((group) => ({
      aheadUpTo: group.upTo ?? null,
      orders: group.orders,
      fillRatio: shareOf(group.filled, group.orders),
      volumeRatio: shareOf(group.filledVolume, group.placedVolume),
    })),
    aheadAtFillMax: lots(trades.aheadAtFillMax),
  };
}

function quotedShareOf({ presence, bothQuotedMicros, watchedMicros }: RunRecorder) {
  const share = (micros: number): number => shareOf(micros, watchedMicros) ?? 0;
  return {
    bid: share(presence.BID.quoted),
    ask: share(presence.ASK.quoted),
    both: share(bothQuotedMicros),
  };
}

function touchShareOf({ presence, watchedMicros }: RunRecorder) {
  const share = (micros: number): number => shareOf(micros, watchedMicros) ?? 0;
  return { bid: share(presence.BID.atTouch), ask: share(presence.ASK.atTouch) };
}

function markoutOf({ seconds, BID: bid, ASK: ask }: MarkoutSums): Markout {
  return {
    ...{ seconds, ...markoutFigures(bid, ask) },
    ...{ bid: markoutFigures(bid), ask: markoutFigures(ask) },
  };
}

function markoutFigures(...sums: readonly MarkoutSum[]): MarkoutFigures {
  const total = (pick: (sum: MarkoutSum) => number): number =>
    sums.reduce((all, one) => all + pick(one), 0);
  const volume = total((one) => one.volume);
  const twice = sums.reduce((all, { value }) => all + value.twice, 0n);
  return {
    fills: total((one) => one.fills),
    sum: formatAmount(twice / 2n),
    bps: volume === 0 ? null : rounded(total((one) => one.bpsTimesVolume) / volume),
  };
}

function cautionsOf({ trades }: RunRecorder, { replay }: AccountMarket): readonly string[] {
  const { counts } = replay;
  const cautions: string[] = [];
  if (trades.count < fillsFewerThan)
    cautions.push(
      `only ${trades.count} fill${trades.count === 1 ? '' : 's'}: too few to distinguish skill from luck`,
    );
  if (counts.displacedTrades + counts.displacedOrders + counts.takenOrders > 0)
    cautions.push(
      `our orders contradict history ${counts.displacedTrades + counts.displacedOrders + counts.takenOrders} times; how others would have reacted is unknown`,
    );
  if (counts.fillsOutOfQueue > 0)
    cautions.push(
      `${counts.fillsOutOfQueue} fills came before orders that were ahead in the queue`,
    );
  if (counts.unknownOrders + counts.impossibleRows > 0)
    cautions.push(
      `${counts.unknownOrders + counts.impossibleRows} of the rows played do not fit the book: queues and fills near them are uncertain`,
    );
  return cautions;
}

const minutesMin = 10;

function sharpeOf({ count, mean }: MinuteSums, variance: number): number | null {
  return count < minutesMin || variance === 0 ? null : rounded(mean / Math.sqrt(variance));
}

/**
 * Returns `total / count` with two decimals more than a price: a mean, or a share of a fill, may
 * have no last digit. Halves are rounded away from 0.
 */
function meanText(total: Amount, count: number, market: Market): string {
  const decimals = Math.min(18, market.priceScale + 2);
  const unit = BigInt(count) * 10n ** BigInt(18 - decimals);
  const units = (2n * (total < 0n ? -total : total) + unit) / (2n * unit);
  return formatAmount(((total < 0n ? -units : units) * unit) / BigInt(count));
}
