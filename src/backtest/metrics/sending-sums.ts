/** How long approved orders waited before they were sent, and replacements before they began. */
import type { MoveCounts } from '../../engine/quoting/waiting-moves.ts';
import { EvenSample } from './even-sample.ts';

/** Above this number of orders, the percentiles are computed from an even sample. */
const waitsKeptMax = 65_536;
const longMsMin = 1_000;
/** A larger share of orders that waited long or were never sent gets a caution. */
const shareMax = 0.1;

export type SendingFigures = {
  readonly sent: number;
  /** Approved orders that ended before any attempt to send them. */
  readonly neverSent: number;
  /** Sent orders that waited for more than a second. */
  readonly waitedLong: number;
  /** From an order's creation to its first attempt; null if no order was sent. */
  readonly waitMs: { readonly median: number; readonly p90: number; readonly max: number } | null;
  /** Orders that moved quotes replaced: each rested until its replacement could leave. */
  readonly moves: MoveCounts;
};

export class SendingSums {
  readonly #waits = new EvenSample<number>(waitsKeptMax);
  #max = 0;
  #long = 0;
  moves: MoveCounts = { begun: 0, waitedLong: 0, waitMsMax: 0 };

  /** Adds the time from an order's creation to its first attempt. */
  add(waitMs: number): void {
    this.#waits.add(waitMs);
    this.#max = Math.max(this.#max, waitMs);
    if (waitMs > longMsMin) this.#long++;
  }

  /** Returns the figures; `orders` is the number of approved orders. */
  figuresOf(orders: number): SendingFigures {
    const { count, items } = this.#waits;
    const sorted = Float64Array.from(items).sort();
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return {
      sent: count,
      neverSent: orders - count,
      waitedLong: this.#long,
      waitMs: count === 0 ? null : { median: at(0.5), p90: at(0.9), max: this.#max },
      moves: this.moves,
    };
  }
}

export function sendingText({ sent, neverSent, waitMs, moves }: SendingFigures): string {
  const waits =
    waitMs === null
      ? ''
      : `; waited ${waitMs.median} ms (median), ${waitMs.p90} ms (90th percentile), ${waitMs.max} ms (longest)`;
  const { begun, waitedLong, waitMsMax } = moves;
  const replaced =
    begun === 0
      ? ''
      : `; ${begun} replaced, ${waitedLong} of them after more than a second (longest wait ${waitMsMax} ms)`;
  return `${sent} sent, ${neverSent} never sent${waits}${replaced}`;
}

/** Returns a caution if the call budget held back many orders. */
export function sendingCaution({
  sent,
  neverSent,
  waitedLong,
  moves,
}: SendingFigures): string | undefined {
  const throttled = neverSent + waitedLong + moves.waitedLong;
  if (throttled <= (sent + neverSent) * shareMax) return undefined;
  const stale =
    moves.waitedLong === 0
      ? ''
      : `; ${moves.waitedLong} of ${moves.begun} replacements waited for more than a second, and the orders that they replaced rested at old prices`;
  return (
    `of ${sent + neverSent} approved orders, ${neverSent} were never sent and ${waitedLong} waited for more than a second${stale}, ` +
    'mostly because the strategy needs more calls than the call budget allows'
  );
}
