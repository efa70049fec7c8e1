/**
 * The figures of a backtest that people compare: a trader's, and a market maker's. Money is exact
 * and told as decimal strings of the counter currency; ratios and shares are plain numbers.
 */
import type { Market } from '../../domain/market.ts';
import { type Atoms, atomsOfScaled, atomsOfValue, formatAtoms } from '../../tape/atoms.ts';
import type { TapeDesk } from '../../tape/tape-desk.ts';
import type { ToldTrade } from '../../tape/tape-order.ts';
import type { LowerGradeReport } from '../lower/lower-grade.ts';
import { type LoggedFill, markoutSeconds } from './fill-log.ts';
import { type Leg, type RoundTrip, roundTripsOf } from './round-trips.ts';
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
   * What fills were better than the mid before them; less fees and what the position lost or won.
   */
  readonly spreadCaptured: string;
  readonly fees: string;
  readonly inventory: string;
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
  desk: TapeDesk,
  lowerGrade?: LowerGradeReport,
): RunMetrics {
  const { market } = desk;
  const { fills } = recorder.log;
  const profit = recorder.samples.at(-1)?.profit ?? 0n;
  const fees = sum(desk.trades.map((trade, index) => feeOf(trade, fills[index], market)));
  const spread = sum(fills.map((fill) => spreadOf(fill, market)));
  return {
    trader: traderMetrics(recorder, desk.trades, market, profit),
    maker: {
      ...orderMetrics(desk),
      ...(lowerGrade === undefined ? queueMetrics(desk) : {}),
      quotedShare: quotedShareOf(recorder),
      ...(lowerGrade === undefined ? { touchShare: touchShareOf(recorder) } : {}),
      spreadCaptured: formatAtoms(spread),
      fees: formatAtoms(fees),
      inventory: formatAtoms(profit - spread + fees),
      markouts: markoutSeconds.flatMap((seconds, horizon) =>
        seconds < (lowerGrade?.intervalSeconds ?? 0) ? [] : [markoutOf(fills, horizon, market)],
      ),
    },
    cautions: cautionsOf(desk),
  };
}

function traderMetrics(
  recorder: RunRecorder,
  trades: readonly ToldTrade[],
  market: Market,
  profit: Atoms,
): TraderMetrics {
  const trips = roundTripsOf(trades.map((trade) => legOf(trade, market)));
  const wins = trips.filter((trip) => trip.profit > 0n);
  const losses = trips.filter((trip) => trip.profit < 0n);
  const gained = sum(wins.map((trip) => trip.profit));
  const lost = -sum(losses.map((trip) => trip.profit));
  const profits = trips.map((trip) => trip.profit).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const { drawdown, startWorth } = recorder;
  const perMinute = changesOf(recorder.minutes);
  return {
    profit: formatAtoms(profit),
    profitShare: startWorth ? ratioOf(profit, startWorth) : null,
    drawdownMax: formatAtoms(drawdown.worst),
    drawdownSeconds: (drawdown.lowMs - drawdown.peakMs) / 1000,
    roundTrips: trips.length,
    winRate: shareOf(wins.length, trips.length),
    profitFactor: lost === 0n ? null : ratioOf(gained, lost),
    expectancy: trips.length === 0 ? null : meanText(gained - lost, trips.length, market),
    best: textOf(profits.at(-1)),
    worst: textOf(profits[0]),
    winsInRowMax: longestRun(trips, (trip) => trip.profit > 0n),
    lossesInRowMax: longestRun(trips, (trip) => trip.profit < 0n),
    holdingSecondsMean: meanOf(trips.map((trip) => (trip.closedMs - trip.openedMs) / 1000)),
    sharpePerMinute: sharpeOf(perMinute, perMinute),
    sortinoPerMinute: sharpeOf(
      perMinute,
      perMinute.map((change) => Math.min(0, change)),
    ),
  };
}

/** A buy costs more by its fee, a sale brings less. */
function legOf(trade: ToldTrade, market: Market): Leg {
  const { order, price, volume, timeMs } = trade;
  const value = atomsOfValue(price, volume, market);
  const fee = trade.feeCounter + inCounter(trade.feeBase, price, market);
  const worth = order.side === 'BID' ? value + fee : value - fee;
  return { atMs: timeMs, side: order.side, volume, worth };
}

function orderMetrics({ orders, trades }: TapeDesk) {
  const all = [...orders.values()];
  const filled = all.filter((order) => order.filled > 0).length;
  const placed = all.reduce((total, order) => total + order.volume, 0);
  const traded = all.reduce((total, order) => total + order.filled, 0);
  const cancelled = all.filter((order) => order.cancelledMs > 0 && order.filled === 0).length;
  return {
    orders: all.length,
    fillRatio: shareOf(filled, all.length),
    volumeRatio: shareOf(traded, placed),
    makerShare: shareOf(trades.filter((trade) => trade.isMaker).length, trades.length),
    cancelsPerFill: shareOf(cancelled, filled),
  };
}

function queueMetrics({ orders, trades, market }: TapeDesk) {
  const ahead = [...orders.values()]
    .map((order) => order.aheadAtRest)
    .filter((volume) => volume !== undefined)
    .sort((a, b) => a - b);
  const lots = (count: number): string => formatAtoms(atomsOfScaled(count, market.volumeScale));
  const at = (share: number): string =>
    lots(ahead[Math.min(ahead.length - 1, Math.floor(share * ahead.length))] ?? 0);
  return {
    aheadAtRest: ahead.length === 0 ? null : { low: at(0.25), median: at(0.5), high: at(0.75) },
    aheadAtFillMax: lots(Math.max(0, ...trades.map((trade) => trade.aheadAtFill))),
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

function spreadOf({ side, price, volume, mid2 }: LoggedFill, market: Market): Atoms {
  if (mid2 === undefined) return 0n;
  const better2 = side === 'BID' ? mid2 - 2 * price : 2 * price - mid2;
  return inHalfTicks(better2, volume, market);
}

function markoutOf(fills: readonly LoggedFill[], horizon: number, market: Market): Markout {
  let total = 0n;
  let bpsTimesVolume = 0;
  let volume = 0;
  let count = 0;
  for (const fill of fills) {
    const later2 = fill.later2[horizon];
    if (later2 === undefined) continue;
    const moved2 = fill.side === 'BID' ? later2 - 2 * fill.price : 2 * fill.price - later2;
    total += inHalfTicks(moved2, fill.volume, market);
    bpsTimesVolume += (moved2 / (2 * fill.price)) * 10_000 * fill.volume;
    volume += fill.volume;
    count++;
  }
  return {
    seconds: markoutSeconds[horizon] as number,
    fills: count,
    sum: formatAtoms(total),
    bps: volume === 0 ? null : rounded(bpsTimesVolume / volume),
  };
}

function cautionsOf({ trades, tape }: TapeDesk): readonly string[] {
  const { counts } = tape;
  const cautions: string[] = [];
  if (trades.length < fillsFewerThan)
    cautions.push(`only ${trades.length} fills: too few to tell skill from luck`);
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

function feeOf(trade: ToldTrade, fill: LoggedFill | undefined, market: Market): Atoms {
  return trade.feeCounter + inCounter(trade.feeBase, fill?.price ?? trade.price, market);
}

function inCounter(base: Atoms, price: number, market: Market): Atoms {
  return (base * BigInt(price)) / 10n ** BigInt(market.priceScale);
}

/** Half ticks times lots, in atoms. */
function inHalfTicks(half: number, volume: number, market: Market): Atoms {
  return atomsOfScaled(BigInt(half) * BigInt(volume), market.priceScale + market.volumeScale) / 2n;
}

function sum(amounts: readonly Atoms[]): Atoms {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function changesOf(levels: readonly Atoms[]): readonly number[] {
  return levels.map((level, index) => {
    const change = level - (levels[index - 1] ?? 0n);
    return Number(change) / 1e18; // not money: it goes into a ratio
  });
}

const minutesMin = 10;

function sharpeOf(changes: readonly number[], spread: readonly number[]): number | null {
  if (changes.length < minutesMin) return null;
  const mean = meanOf(changes) ?? 0;
  const center = spread === changes ? mean : 0;
  const variance = meanOf(spread.map((change) => (change - center) ** 2)) ?? 0;
  return variance === 0 ? null : rounded(mean / Math.sqrt(variance));
}

function ratioOf(part: Atoms, whole: Atoms): number {
  return rounded(Number((part * 1_000_000n) / whole) / 1e6); // not money: a share
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole);
}

function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** To a millionth, so that the last bits of a sum do not matter. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function textOf(amount: Atoms | undefined): string | null {
  return amount === undefined ? null : formatAtoms(amount);
}

/** A mean has no last digit; two more than a price has are enough. */
function meanText(total: Atoms, count: number, market: Market): string {
  const decimals = Math.min(18, market.priceScale + 2);
  const unit = 10n ** BigInt(18 - decimals);
  return formatAtoms((total / BigInt(count) / unit) * unit);
}

function longestRun(trips: readonly RoundTrip[], matches: (trip: RoundTrip) => boolean): number {
  let longest = 0;
  let current = 0;
  for (const trip of trips) {
    current = matches(trip) ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}
