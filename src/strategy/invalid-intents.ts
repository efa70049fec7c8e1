/**
 * What a strategy asked for that is no intent: each is refused, and too many within a minute are a
 * fault of the strategy.
 */

/** Nothing follows from it but a refusal. */
export type InvalidIntent = {
  readonly pair: string;
  /** Empty if it has none. */
  readonly key: string;
  readonly code: 'INVALID_INTENT' | 'QUOTE_CROSSED';
  readonly problem: string;
};

/** More within a minute stop the strategy: it does not know what it does. */
const perMinuteMax = 10;
const minuteMs = 60_000;

export class InvalidIntents {
  #waiting: InvalidIntent[] = [];
  /** When the last ones came. */
  readonly #timesMs: number[] = [];

  /** Adds one; returns false if they are too many. */
  add(invalid: InvalidIntent, nowMs: number): boolean {
    this.#timesMs.push(nowMs);
    if (this.#timesMs.length > perMinuteMax) {
      const oldestMs = this.#timesMs.shift() as number;
      if (nowMs - oldestMs < minuteMs) return false;
    }
    this.#waiting.push(invalid);
    return true;
  }

  /** Whether none was added since the last take. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Returns those that were added since the last take. */
  take(): readonly InvalidIntent[] {
    const waiting = this.#waiting;
    if (waiting.length > 0) this.#waiting = [];
    return waiting;
  }
}
