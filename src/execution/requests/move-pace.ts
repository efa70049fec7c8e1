/**
 * When an order of a quote may be replaced. A replacement takes three calls (the cancel, the proof
 * that it is gone, the new order), and begins only when all of them can leave, so that a side is
 * never without an order for want of calls.
 *
 *     calls of the last minute   0 ───────── 60 ──────────────── 130 ───── 150
 *     a replacement              at once      spread over time    waits
 *     an order where none is     at once ─────────────────────────────────  waits
 *
 * Above 60 the calls that are left for replacements are spread over the time until the calls above
 * 60 are forgotten: `spacing = time until then × 3 / calls left`. So a burst is followed by steady
 * replacements, and never by half a minute without any.
 */

/** The cancel of an order, the read that proves it, and the order that takes its place. */
export const callsPerMove = 3;
/** Up to so many calls within a minute, replacements are not spread. */
export const callsUnspaced = 60;
/** The rest up to the limit of orders is for those that are missing at the exchange. */
export const movesPerMinuteMax = 130;
const windowMs = 60_000;

export class MovePace {
  /** Times of the calls of the last minute, oldest first; the budget keeps them. */
  readonly #sentMs: readonly number[];
  #begunMs = Number.NEGATIVE_INFINITY;
  /** Calls of replacements that have begun and that have not left, as far as is known. */
  #owed = 0;

  constructor(sentMs: readonly number[]) {
    this.#sentMs = sentMs;
  }

  /** A replacement begins: its calls count from now on. */
  begin(nowMs: number): void {
    this.#begunMs = nowMs;
    this.#owed += callsPerMove;
  }

  /** A cancel, a lookup or an order leaves. */
  noteLeft(): void {
    if (this.#owed > 0) this.#owed--;
  }

  /**
   * Returns when the next replacement may begin if no call leaves before, in milliseconds; a time
   * that has passed means now. Undefined if no known call frees one.
   */
  nextMs(): number | undefined {
    const used = this.#sentMs.length + this.#owed;
    const missing = used + callsPerMove - movesPerMinuteMax;
    if (missing > 0) return this.#forgottenMs(missing);
    if (used <= callsUnspaced) return Number.NEGATIVE_INFINITY;
    const left = movesPerMinuteMax - used;
    // What is owed leaves soon, and counts for a minute then.
    const calmMs = this.#forgottenMs(used - callsUnspaced) ?? this.#begunMs + windowMs;
    // From `begun + (calm - now) × calls / left <= now`.
    const spacedMs = (this.#begunMs * left + calmMs * callsPerMove) / (left + callsPerMove);
    return Math.ceil(Math.min(spacedMs, calmMs));
  }

  /** When so many calls, the oldest, do not count any more. */
  #forgottenMs(calls: number): number | undefined {
    const sentMs = this.#sentMs[calls - 1];
    return sentMs === undefined ? undefined : sentMs + windowMs;
  }
}
