/**
 * Decides when an order of a quote may be replaced. A replacement takes three calls (the cancel,
 * the proof that the order is gone, the new order), and begins only when all of them can be sent,
 * so that a lack of calls never leaves a side without an order.
 *
 *     calls of the last minute   0 ───────── 60 ──────────────── 130 ───── 150
 *     a replacement              at once      spread over time    waits
 *     a new order                at once ─────────────────────────────────  waits
 *
 * Above 60 calls, the calls left for replacements are spread over the time until the count falls to
 * 60 again: `spacing = time until then × 3 / calls left`. So replacements follow a burst at a
 * steady rate, instead of pausing for half a minute.
 */

/** The cancel of an order, the read that proves it, and the order that takes its place. */
export const callsPerMove = 3;
/** Up to this many calls within a minute, replacements are not delayed. */
export const callsUnspaced = 60;
/** The calls from here to the limit for orders are for orders without a resting predecessor. */
export const movesPerMinuteMax = 130;
const windowMs = 60_000;

export class MovePace {
  /** Times of the calls of the last minute, oldest first; maintained by the call budget. */
  readonly #sentMs: readonly number[];
  #begunMs = Number.NEGATIVE_INFINITY;
  /** Calls of begun replacements that have not been sent yet, as far as is known. */
  #owed = 0;

  constructor(sentMs: readonly number[]) {
    this.#sentMs = sentMs;
  }

  /** Begins a replacement, whose calls count from now on. */
  begin(nowMs: number): void {
    this.#begunMs = nowMs;
    this.#owed += callsPerMove;
  }

  /** Notes that a cancel, a lookup or an order was sent. */
  noteSent(): void {
    if (this.#owed > 0) this.#owed--;
  }

  /**
   * Returns when the next replacement may begin if no call is sent before, in milliseconds; a past
   * time means now. Undefined if that depends on calls that are not sent yet.
   */
  nextMs(): number | undefined {
    const used = this.#sentMs.length + this.#owed;
    const missing = used + callsPerMove - movesPerMinuteMax;
    if (missing > 0) return this.#forgottenMs(missing);
    if (used <= callsUnspaced) return Number.NEGATIVE_INFINITY;
    const left = movesPerMinuteMax - used;
    // Owed calls are sent soon, and then count for a minute.
    const calmMs = this.#forgottenMs(used - callsUnspaced) ?? this.#begunMs + windowMs;
    // From `begun + (calm - now) × calls / left <= now`.
    const spacedMs = (this.#begunMs * left + calmMs * callsPerMove) / (left + callsPerMove);
    return Math.ceil(Math.min(spacedMs, calmMs));
  }

  /** When the oldest `calls` calls no longer count. */
  #forgottenMs(calls: number): number | undefined {
    const sentMs = this.#sentMs[calls - 1];
    return sentMs === undefined ? undefined : sentMs + windowMs;
  }
}
