/**
 * Sums over the fills of a run, by the mid just before each fill and from 10 milliseconds to 5
 * minutes after it, of each side.
 *
 * A markout is the move of the mid in our favour after a fill, per unit: positive for a good fill,
 * negative if the counterparty was better informed. Mids are in half ticks, so that none needs
 * rounding.
 */
import type { Amount } from '../../domain/amount.ts';
import type { Market, Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { TimeSpans } from '../../market/flow/time-spans.ts';
import type { ReplayTrade } from '../../replay-exchange/account/replay-order.ts';
import { ValueSum } from './value-sum.ts';

const markoutSeconds = [0.01, 0.1, 1, 10, 60, 300] as const;

const horizonsMs = markoutSeconds.map((seconds) => seconds * 1_000);
/** The index of the longest markout horizon. */
const longest = horizonsMs.length - 1;
/** Fills with all their markouts are dropped in batches of this size. */
const dropped = 1_000;

type LoggedFill = {
  readonly atMs: number;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

/** Covers the fills after which the recording lasts that long and has a mid at that time. */
export type MarkoutSum = {
  fills: number;
  readonly value: ValueSum;
  /** In lots; and the sum of volume times the move in basis points of the fill's price. */
  volume: number;
  bpsTimesVolume: number;
};

/** The sums of one horizon, by the side of our order. */
export type MarkoutSums = { readonly seconds: number } & Readonly<Record<Side, MarkoutSum>>;

export class FillLog {
  readonly markouts: readonly MarkoutSums[];
  readonly #spread: ValueSum;
  readonly #unwatched: TimeSpans;
  /** The newest fills, oldest first. */
  readonly #recent: LoggedFill[] = [];
  /** For each horizon, the index of the first recent fill whose markout is still missing. */
  readonly #next = horizonsMs.map(() => 0);
  /** When the next markout is due. */
  #dueMs = Infinity;

  /** `unwatched`: the times that nobody recorded, whose mids are not known. */
  constructor(market: Market, unwatched = new TimeSpans()) {
    this.#unwatched = unwatched;
    this.#spread = new ValueSum(market);
    const sum = (): MarkoutSum => ({
      ...{ fills: 0, value: new ValueSum(market), volume: 0, bpsTimesVolume: 0 },
    });
    this.markouts = markoutSeconds.map((seconds) => ({ seconds, BID: sum(), ASK: sum() }));
  }

  /** By how much fills were better than the mid just before them. */
  get spread(): Amount {
    return this.#spread.amount;
  }

  /** Adds one of our trades; `mid2` is twice the mid just before it, undefined without a mid. */
  add(trade: ReplayTrade, mid2: number | undefined): void {
    const { order, price, volume, timeMs } = trade;
    const fill = { atMs: timeMs, side: order.side, price, volume };
    this.#recent.push(fill);
    this.#dueMs = Math.min(this.#dueMs, timeMs + (horizonsMs[0] as number));
    if (mid2 !== undefined) this.#spread.add(movedFor(fill, mid2), volume);
  }

  /** Notes that twice the mid was `mid2` until `atMs`, when it may change. */
  pass(atMs: number, mid2: number | undefined): void {
    // Usually nothing is due: most moves of the mid follow another one by less than a horizon.
    if (this.#dueMs < atMs) this.#takeDue(atMs, mid2);
  }

  #takeDue(atMs: number, mid2: number | undefined): void {
    let nextMs = Infinity;
    for (let horizon = 0; horizon <= longest; horizon++) {
      const horizonMs = horizonsMs[horizon] as number;
      let next = this.#next[horizon] as number;
      for (; next < this.#recent.length; next++) {
        const fill = this.#recent[next] as LoggedFill;
        const dueMs = fill.atMs + horizonMs;
        if (dueMs >= atMs) {
          nextMs = Math.min(nextMs, dueMs);
          break;
        }
        if (mid2 === undefined || this.#unwatched.at(dueMs * 1_000) !== undefined) continue;
        addTo((this.markouts[horizon] as MarkoutSums)[fill.side], fill, mid2);
      }
      this.#next[horizon] = next;
    }
    this.#dueMs = nextMs;
    this.#dropDone();
  }

  #dropDone(): void {
    if ((this.#next[longest] as number) < dropped) return;
    this.#recent.splice(0, dropped);
    for (const [horizon, next] of this.#next.entries()) this.#next[horizon] = next - dropped;
  }
}

function addTo(markout: MarkoutSum, fill: LoggedFill, mid2: number): void {
  const { price, volume } = fill;
  const moved2 = movedFor(fill, mid2);
  markout.fills++;
  markout.value.add(moved2, volume);
  markout.volume += volume;
  markout.bpsTimesVolume += (moved2 / (2 * price)) * 10_000 * volume;
}

/** Returns how far the mid is from the fill's price in our favour, in half ticks. */
function movedFor({ side, price }: LoggedFill, mid2: number): number {
  return side === 'BID' ? mid2 - 2 * price : 2 * price - mid2;
}
