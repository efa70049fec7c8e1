/**
 * Sums over the fills of a run, by the mid just before each fill and 1, 5, 30 and 60 seconds after
 * it; and an even sample of the fills themselves, for charts.
 *
 * A markout is the move of the mid in our favor after a fill, per unit: positive for a good fill,
 * negative if the counterparty was better informed. Mids are in half ticks, so that none needs
 * rounding.
 */
import type { Amount } from '../../domain/amount.ts';
import type { Market, Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { TimeSpans } from '../../market/flow/time-spans.ts';
import type { ReplayTrade } from '../../replay-exchange/account/replay-order.ts';
import { EvenSample } from './even-sample.ts';
import { ValueSum } from './value-sum.ts';

export const markoutSeconds = [1, 5, 30, 60] as const;

/** The index of the longest markout horizon. */
const longest = markoutSeconds.length - 1;
/** With fewer fills than this, the sample holds them all. */
const sampleMax = 8_192;
/** Fills with all their markouts are dropped in batches of this size. */
const dropped = 1_000;

export type LoggedFill = {
  readonly atMs: number;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly isMaker: boolean;
};

/** Covers the fills after which the recording lasts that long and has a mid at that time. */
export type MarkoutSum = {
  readonly seconds: number;
  fills: number;
  readonly value: ValueSum;
  /** In lots; and the sum of volume times the move in basis points of the fill's price. */
  volume: number;
  bpsTimesVolume: number;
};

export class FillLog {
  readonly sample = new EvenSample<LoggedFill>(sampleMax);
  readonly markouts: readonly MarkoutSum[];
  readonly #spread: ValueSum;
  readonly #unwatched: TimeSpans;
  /** The newest fills, oldest first. */
  readonly #recent: LoggedFill[] = [];
  /** For each horizon, the index of the first recent fill whose markout is still missing. */
  readonly #next = markoutSeconds.map(() => 0);

  /** `unwatched`: the times that nobody recorded, whose mids are not known. */
  constructor(market: Market, unwatched = new TimeSpans()) {
    this.#unwatched = unwatched;
    this.#spread = new ValueSum(market);
    this.markouts = markoutSeconds.map((seconds) => ({
      ...{ seconds, fills: 0, value: new ValueSum(market), volume: 0, bpsTimesVolume: 0 },
    }));
  }

  /** By how much fills were better than the mid just before them. */
  get spread(): Amount {
    return this.#spread.amount;
  }

  /** Adds one of our trades; `mid2` is twice the mid just before it, undefined without a mid. */
  add(trade: ReplayTrade, mid2: number | undefined): void {
    const { order, price, volume, isMaker, timeMs } = trade;
    const fill = { atMs: timeMs, side: order.side, price, volume, isMaker };
    this.sample.add(fill);
    this.#recent.push(fill);
    if (mid2 !== undefined) this.#spread.add(movedFor(fill, mid2), volume);
  }

  /** Whether a fill waits for a markout: usually none, not even for that of the longest horizon. */
  get isWaiting(): boolean {
    return this.#next[longest] !== this.#recent.length;
  }

  /** Notes that twice the mid was `mid2` until `atMs`, when it may change. */
  pass(atMs: number, mid2: number | undefined): void {
    for (let horizon = 0; horizon <= longest; horizon++) {
      const markout = this.markouts[horizon] as MarkoutSum;
      let next = this.#next[horizon] as number;
      for (; next < this.#recent.length; next++) {
        const fill = this.#recent[next] as LoggedFill;
        const dueMs = fill.atMs + markout.seconds * 1_000;
        if (dueMs >= atMs) break;
        if (mid2 === undefined || this.#unwatched.at(dueMs * 1_000) !== undefined) continue;
        this.#addTo(markout, fill, mid2);
      }
      this.#next[horizon] = next;
    }
    this.#dropDone();
  }

  #dropDone(): void {
    if ((this.#next[longest] as number) < dropped) return;
    this.#recent.splice(0, dropped);
    for (const [horizon, next] of this.#next.entries()) this.#next[horizon] = next - dropped;
  }

  #addTo(markout: MarkoutSum, fill: LoggedFill, mid2: number): void {
    const { price, volume } = fill;
    const moved2 = movedFor(fill, mid2);
    markout.fills++;
    markout.value.add(moved2, volume);
    markout.volume += volume;
    markout.bpsTimesVolume += (moved2 / (2 * price)) * 10_000 * volume;
  }
}

/** Returns how far the mid is from the fill's price in our favor, in half ticks. */
function movedFor({ side, price }: LoggedFill, mid2: number): number {
  return side === 'BID' ? mid2 - 2 * price : 2 * price - mid2;
}
