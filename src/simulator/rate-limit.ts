/**
 * The call limit of one key: at most `callsMax` calls in any window of 60 seconds, refused calls
 * not counted. Kept in memory only: a restart forgives.
 */
const windowMicros = 60_000_000;

export type RateDecision = {
  readonly isAllowed: boolean;
  /** Calls left in the current window. */
  readonly remaining: number;
  /** Whole seconds until a further call is surely allowed. */
  readonly resetSeconds: number;
};

export class RateLimit {
  readonly #callsMax: number;
  /** Times of the counted calls, oldest first. */
  #times: number[] = [];

  constructor(callsMax: number) {
    this.#callsMax = callsMax;
  }

  /** Counts one call if it is allowed. */
  take(nowMicros: number): RateDecision {
    const fresh = this.#times.findIndex((time) => time > nowMicros - windowMicros);
    this.#times = fresh === -1 ? [] : this.#times.slice(fresh);
    const isAllowed = this.#times.length < this.#callsMax;
    if (isAllowed) this.#times.push(nowMicros);
    const remaining = this.#callsMax - this.#times.length;
    const freeMicros = remaining > 0 ? 0 : (this.#times[0] ?? nowMicros) + windowMicros - nowMicros;
    return { isAllowed, remaining, resetSeconds: Math.ceil(freeMicros / 1e6) };
  }
}
