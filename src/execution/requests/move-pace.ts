/**
 * Decides when an order of a quote may be replaced. A replacement takes two calls (the new order
 * and the cancel), and begins only when both can be sent, so that a lack of calls never leaves a
 * side without an order.
 *
 *     calls of the last minute   0 ──── a fifth of the limit ──── most
 *     a replacement              at once           spread over time    waits
 *
 * Above a fifth of the limit, replacements keep to the highest steady rate at which, at no time of
 * the next minute, more than `most` calls count: calls of the last minute expire meanwhile. So they
 * follow a burst at a steady rate, instead of pausing for half a minute, and an even pace is never
 * delayed.
 */

/** The new order, and the cancel of the order whose place it takes. */
export const callsPerMove = 2;
/** Up to this share of the calls of a minute, replacements are not delayed. */
const unspacedShare = 1 / 5;
const windowMs = 60_000;

export class MovePace {
  /** Times of the calls of the last minute, oldest first; maintained by the call budget. */
  readonly #sentMs: readonly number[];
  readonly #callsUnspaced: number;
  #begunMs = Number.NEGATIVE_INFINITY;
  /** Calls of begun replacements that have not been sent yet, as far as is known. */
  #owed = 0;

  /** `perMinute`: how many calls the exchange allows in a minute. */
  constructor(sentMs: readonly number[], perMinute: number) {
    this.#sentMs = sentMs;
    this.#callsUnspaced = Math.round(perMinute * unspacedShare);
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
   * time means now. Undefined if that depends on calls that are not sent yet. `most` is the number
   * of calls within a minute that replacements may use.
   */
  nextMs(most: number): number | undefined {
    const sentMs = this.#sentMs;
    const used = sentMs.length + this.#owed;
    const missing = used + callsPerMove - most;
    if (missing > 0) return this.#forgottenMs(missing);
    const unspaced = Math.min(this.#callsUnspaced, most >> 1);
    if (used <= unspaced) return Number.NEGATIVE_INFINITY;
    // Owed calls are sent soon, and then count for a minute.
    let nextMs = this.#owed > 0 ? this.#spacedMs(this.#begunMs + windowMs, most - this.#owed) : 0;
    for (let index = 0; index < sentMs.length; index++) {
      const expiresMs = (sentMs[index] as number) + windowMs;
      nextMs = Math.max(nextMs, this.#spacedMs(expiresMs, most - used + index));
    }
    return Math.ceil(Math.min(nextMs, this.#forgottenMs(used - unspaced) ?? nextMs));
  }

  /**
   * The earliest time at which `left` calls suffice until `expiresMs`, at the rate since the last
   * replacement. From `begun + (expires - now) × calls / left <= now`.
   */
  #spacedMs(expiresMs: number, left: number): number {
    return (this.#begunMs * left + expiresMs * callsPerMove) / (left + callsPerMove);
  }

  /** When the oldest `calls` calls no longer count. */
  #forgottenMs(calls: number): number | undefined {
    const sentMs = this.#sentMs[calls - 1];
    return sentMs === undefined ? undefined : sentMs + windowMs;
  }
}
