/**
 * The fills of a run with the mid before them, and where the mid was 1, 5, 30 and 60 seconds later,
 * as sums; and an even sample of the fills themselves, for pictures.
 *
 * A markout is what the mid moved in our favor after a fill, per unit: positive for a good fill,
 * negative for one that somebody knew better about. Prices are in half ticks, so that no mid needs
 * rounding.
 */
import { type Amount, amountOfScaled } from '../../domain/amount.ts';
import type { Market, Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { ReplayTrade } from '../../replay-exchange/account/replay-order.ts';
import { EvenSample } from './even-sample.ts';

export const markoutSeconds = [1, 5, 30, 60] as const;

/** Where the longest of them stands. */
const longest = markoutSeconds.length - 1;
/** As many fills as this are all in the sample. */
const sampleMax = 8_192;
/** Fills that wait for nothing any more are dropped so many at a time. */
const dropped = 1_000;

export type LoggedFill = {
  readonly atMs: number;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly isMaker: boolean;
};

/** Over the fills for which the recording goes on as long, and had a mid then. */
export type MarkoutSum = {
  readonly seconds: number;
  fills: number;
  sum: Amount;
  /** In lots, and the same times the move in basis points of the fill's price. */
  volume: number;
  bpsTimesVolume: number;
};

export class FillLog {
  readonly sample = new EvenSample<LoggedFill>(sampleMax);
  readonly markouts: readonly MarkoutSum[] = markoutSeconds.map((seconds) => ({
    ...{ seconds, fills: 0, sum: 0n, volume: 0, bpsTimesVolume: 0 },
  }));
  /** What fills were better than the mid before them. */
  spread: Amount = 0n;
  readonly #market: Market;
  /** The newest fills, oldest first. */
  readonly #recent: LoggedFill[] = [];
  /** Per horizon, the first of them that still waits for it. */
  readonly #next = markoutSeconds.map(() => 0);

  constructor(market: Market) {
    this.#market = market;
  }

  /** Adds a trade of ours; `mid2` is of the moment before it, undefined if a side was empty. */
  add(trade: ReplayTrade, mid2: number | undefined): void {
    const { order, price, volume, isMaker, timeMs } = trade;
    const fill = { atMs: timeMs, side: order.side, price, volume, isMaker };
    this.sample.add(fill);
    this.#recent.push(fill);
    if (mid2 !== undefined) this.spread += this.#amountOfHalf(movedFor(fill, mid2), volume);
  }

  /** Says that the mid was `mid2` until `atMs`, when it may change. */
  pass(atMs: number, mid2: number | undefined): void {
    // The longest horizon is the last one; usually no fill waits even for that.
    if (this.#next[longest] === this.#recent.length) return;
    for (let horizon = 0; horizon <= longest; horizon++) {
      const markout = this.markouts[horizon] as MarkoutSum;
      let next = this.#next[horizon] as number;
      for (; next < this.#recent.length; next++) {
        const fill = this.#recent[next] as LoggedFill;
        if (fill.atMs + markout.seconds * 1_000 >= atMs) break;
        if (mid2 !== undefined) this.#addTo(markout, fill, mid2);
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
    markout.sum += this.#amountOfHalf(moved2, volume);
    markout.volume += volume;
    markout.bpsTimesVolume += (moved2 / (2 * price)) * 10_000 * volume;
  }

  /** Half ticks times lots, in atoms. */
  #amountOfHalf(half: number, volume: number): Amount {
    const { priceScale, volumeScale } = this.#market;
    return amountOfScaled(BigInt(half) * BigInt(volume), priceScale + volumeScale) / 2n;
  }
}

/** By how much a mid is better for the fill than its price, in half ticks. */
function movedFor({ side, price }: LoggedFill, mid2: number): number {
  return side === 'BID' ? mid2 - 2 * price : 2 * price - mid2;
}
