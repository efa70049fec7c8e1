/**
 * The figures of a backtest that people compare: a trader's, and a market maker's. Money is exact
 * and told as decimal strings of the counter currency; ratios and shares are plain numbers.
 */
import { type Amount, amountOfScaled, formatAmount } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';
import type { CoarseDataReport } from '../coarse/coarse-data.ts';
import type { MarkoutSum } from './fill-log.ts';
import type { MinuteSums } from './minute-sums.ts';
import type { RunRecorder } from './run-recorder.ts';

/** Fewer fills than this say little about a strategy. */
export const fillsFewerThan = 100;

export type TraderMetrics = {
  readonly profit: string;
  /** Share of what the account was worth at the start. */
  readonly profitShare: number | null;
  readonly drawdownMax: string;
  readonly drawdownSeconds: number;
  readonly roundTrips: number;
  readonly winRate: number | null;
  /** Gained by winners over lost by losers. */
  readonly profitFactor: number | null;
  /** Mean profit of a round trip. */
  readonly expectancy: string | null;
  readonly best: string | null;
  readonly worst: string | null;
  readonly winsInRowMax: number;
  readonly lossesInRowMax: number;
  readonly holdingSecondsMean: number | null;
  /** Of the profit of minutes, not annualized; null under ten minutes. */
  readonly sharpePerMinute: number | null;
  readonly sortinoPerMinute: number | null;
};

export type Markout = {
  readonly seconds: number;
  /** Fills for which the recording goes on that long. */
  readonly fills: number;
  /** Sum over these fills, in the counter currency. */
  readonly sum: string;
  /** Mean, weighted by volume, in basis points of the fill's price. */
  readonly bps: number | null;
};

export type MakerMetrics = {
  readonly orders: number;
  /** Orders with any fill, and volume filled of volume placed. */
  readonly fillRatio: number | null;
  readonly volumeRatio: number | null;
  readonly makerShare: number | null;
  /** Cancelled orders per filled one. */
  readonly cancelsPerFill: number | null;
  /**
   * Volume before an order when it came to rest, in the base currency: quartiles. What is said of
   * queue and touch is there for history order by order alone.
   */
  readonly aheadAtRest?: {
    readonly low: string;
    readonly median: string;
    readonly high: string;
  } | null;
  /** The same at fills; 0 in first-in-first-out data. */
  readonly aheadAtFillMax?: string;
  readonly quotedShare: { readonly bid: number; readonly ask: number; readonly both: number };
  readonly touchShare?: { readonly bid: number; readonly ask: number };
  /**
   * What fills were better than the mid before them, and what the position lost or won: with fees
   * all of the profit. Of history order by order alone; a lower grade assumes the first.
   */
  readonly spreadCaptured?: string;
  readonly inventory?: string;
  readonly fees: string;
  readonly markouts: readonly Markout[];
};

export type RunMetrics = {
  readonly trader: TraderMetrics;
  readonly maker: MakerMetrics;
  /** What a reader should know before believing any of it. */
  readonly cautions: readonly string[];
};

/** Returns the metrics of a run that is over; what its grade cannot know is left out. */
export function metricsOf(
  recorder: RunRecorder,
  accountMarket: AccountMarket,
  run: {
    readonly coarseData: CoarseDataReport | undefined;
    /** Those of the run as a whole, which come first. */
    readonly cautions: readonly string[];
    /** Of all markets, which are traded on one account. */
    readonly recorders: readonly RunRecorder[];
  },
): RunMetrics {
  const { coarseData } = run;
  const { market } = accountMarket;
  const { log, trades } = recorder;
  const profit = recorder.profit;
  return {
    trader: traderMetrics(recorder, {
      market,
      profit,
      worth: startWorthOf(recorder, run.recorders),
    }),
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
    cautions: [...run.cautions, ...cautionsOf(recorder, accountMarket)],
  };
}

/**
 * What the account was worth when each market had its first mid: the counter currency of one of
 * them, and what of it the base currencies of all markets were worth that are paid in it.
 * Undefined while one of them has no price.
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
  const { trips } = recorder.trades;
  return {
    profit: formatAmount(profit),
    profitShare: worth ? ratioOf(profit, worth) : null,
    drawdownMax: formatAmount(drawdown.worst),
    drawdownSeconds: (drawdown.lowMs - drawdown.peakMs) / 1000,
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
  const ahead = [...orders.aheadAtRest.items].sort((a, b) => a - b);
  const lots = (count: number): string => formatAmount(amountOfScaled(count, market.volumeScale));
  const at = (share: number): string =>
    lots(ahead[Math.min(ahead.length - 1, Math.floor(share * ahead.length))] ?? 0);
  return {
    aheadAtRest: ahead.length === 0 ? null : { low: at(0.25), median: at(0.5), high: at(0.75) },
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

function markoutOf({ seconds, fills, sum, volume, bpsTimesVolume }: MarkoutSum): Markout {
  const bps = volume === 0 ? null : rounded(bpsTimesVolume / volume);
  return { seconds, fills, sum: formatAmount(sum), bps };
}

function cautionsOf({ trades }: RunRecorder, { fillModel }: AccountMarket): readonly string[] {
  const { counts } = fillModel;
  const cautions: string[] = [];
  if (trades.count < fillsFewerThan)
    cautions.push(
      `only ${trades.count} fill${trades.count === 1 ? '' : 's'}: too few to tell skill from luck`,
    );
  if (counts.displacedTrades + counts.displacedOrders + counts.takenOrders > 0)
    cautions.push(
      `our orders changed history ${counts.displacedTrades + counts.displacedOrders + counts.takenOrders} times; what others would have done then is not known`,
    );
  if (counts.fillsOutOfQueue > 0)
    cautions.push(`${counts.fillsOutOfQueue} fills came before those that stood in front`);
  if (counts.unknownOrders + counts.impossibleRows > 0)
    cautions.push(
      `${counts.unknownOrders + counts.impossibleRows} rows of the recording do not fit`,
    );
  return cautions;
}

const minutesMin = 10;

function sharpeOf({ count, mean }: MinuteSums, variance: number): number | null {
  return count < minutesMin || variance === 0 ? null : rounded(mean / Math.sqrt(variance));
}

function ratioOf(part: Amount, whole: Amount): number {
  return rounded(Number((part * 1_000_000_000n) / whole) / 1e9); // not money: a share
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole);
}

/** To a millionth, so that the last bits of a sum do not matter. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/**
 * A mean has no last digit, nor has a share of a fill; two more than a price has are enough. Halves
 * are rounded away from 0.
 */
function meanText(total: Amount, count: number, market: Market): string {
  const decimals = Math.min(18, market.priceScale + 2);
  const unit = BigInt(count) * 10n ** BigInt(18 - decimals);
  const units = (2n * (total < 0n ? -total : total) + unit) / (2n * unit);
  return formatAmount(((total < 0n ? -units : units) * unit) / BigInt(count));
}
