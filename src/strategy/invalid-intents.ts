/**
 * The invalid intents of a strategy. Each is refused; too many within a minute stop the strategy. A
 * crossed quote that is repeated counts once: the strategy keeps asking for the same thing.
 */

/** An intent that failed validation; it only leads to a refusal. */
export type InvalidIntent = {
  readonly pair: string;
  /** Empty if it has no valid key. */
  readonly key: string;
  readonly code: 'INVALID_INTENT' | 'QUOTE_CROSSED';
  readonly problem: string;
};

/** More than these within a minute stop the strategy. */
const perMinuteMax = 10;
const minuteMs = 60_000;

export class InvalidIntents {
  #waiting: InvalidIntent[] = [];
  /** Times of the last invalid intents. */
  readonly #timesMs: number[] = [];
  #last: InvalidIntent | undefined;

  /** Adds an invalid intent; returns false if there are too many. */
  add(invalid: InvalidIntent, nowMs: number): boolean {
    const isRepeated = invalid.code === 'QUOTE_CROSSED' && isSame(invalid, this.#last);
    this.#last = invalid;
    if (!isRepeated) this.#timesMs.push(nowMs);
    if (this.#timesMs.length > perMinuteMax) {
      const oldestMs = this.#timesMs.shift() as number;
      if (nowMs - oldestMs < minuteMs) return false;
    }
    this.#waiting.push(invalid);
    return true;
  }

  /** Whether nothing was added since the last {@link take}. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Returns and removes the invalid intents. */
  take(): readonly InvalidIntent[] {
    const waiting = this.#waiting;
    if (waiting.length > 0) this.#waiting = [];
    return waiting;
  }
}

function isSame(one: InvalidIntent, other: InvalidIntent | undefined): boolean {
  return one.code === other?.code && one.pair === other.pair && one.problem === other.problem;
}
