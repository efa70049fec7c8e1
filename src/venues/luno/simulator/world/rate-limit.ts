/**
 * The call limit of one customer or address: a sliding window, or a bucket that refills over time.
 * Refused calls do not count. Kept in memory only, so a restart resets it.
 */
import type { RequestLimit } from '../../api/limits.ts';

export type RateDecision = {
  readonly isAllowed: boolean;
  /** Calls that would be allowed at once after this one. */
  readonly remaining: number;
  /** Whole seconds until another call is certainly allowed. */
  readonly resetSeconds: number;
};

export type RateLimit = {
  /** Counts a call if it is allowed. Times must not decrease. */
  readonly take: (nowMicros: number) => RateDecision;
  /** Value of the limit header: the limit, and the limit with its window in seconds. */
  readonly header: string;
};

export function createRateLimit(limit: RequestLimit): RateLimit {
  return limit.kind === 'window' ? new WindowLimit(limit) : new BucketLimit(limit);
}

class WindowLimit implements RateLimit {
  readonly header: string;
  readonly #max: number;
  readonly #windowMicros: number;
  /** Times of the counted calls, oldest first. Those before `#first` have left the window. */
  #times: number[] = [];
  #first = 0;

  constructor({ max, windowMs }: Extract<RequestLimit, { readonly kind: 'window' }>) {
    this.#max = max;
    this.#windowMicros = windowMs * 1000;
    this.header = `${max}, ${max};w=${windowMs / 1000}`;
  }

  take(nowMicros: number): RateDecision {
    const times = this.#times;
    while (
      this.#first < times.length &&
      this.#timeAt(this.#first) <= nowMicros - this.#windowMicros
    )
      this.#first++;
    // Compacted rarely, so that the cost of a call does not depend on the number of counted calls.
    if (this.#first > this.#max) {
      times.splice(0, this.#first);
      this.#first = 0;
    }
    const isAllowed = times.length - this.#first < this.#max;
    if (isAllowed) times.push(nowMicros);
    const remaining = this.#max - (times.length - this.#first);
    const freeMicros =
      remaining > 0 ? 0 : this.#timeAt(this.#first) + this.#windowMicros - nowMicros;
    return { isAllowed, remaining, resetSeconds: Math.ceil(freeMicros / 1e6) };
  }

  #timeAt(index: number): number {
    return this.#times[index] as number;
  }
}

class BucketLimit implements RateLimit {
  readonly header: string;
  readonly #burst: number;
  readonly #intervalMicros: number;
  /** When the bucket will be full again. */
  #fullMicros = 0;

  constructor({ burst, intervalMs }: Extract<RequestLimit, { readonly kind: 'bucket' }>) {
    this.#burst = burst;
    this.#intervalMicros = intervalMs * 1000;
    this.header = `${burst}, ${burst};w=${(burst * intervalMs) / 1000}`;
  }

  take(nowMicros: number): RateDecision {
    const interval = this.#intervalMicros;
    const missing = Math.max(0, this.#fullMicros - nowMicros);
    const isAllowed = missing <= (this.#burst - 1) * interval;
    const missingAfter = isAllowed ? missing + interval : missing;
    this.#fullMicros = nowMicros + missingAfter;
    const remaining = this.#burst - Math.ceil(missingAfter / interval);
    const freeMicros = Math.max(0, missingAfter - (this.#burst - 1) * interval);
    return { isAllowed, remaining, resetSeconds: Math.ceil(freeMicros / 1e6) };
  }
}
