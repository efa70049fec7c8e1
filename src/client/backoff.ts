/**
 * How long to wait before the next attempt: not at all at first, then exponential, with full
 * jitter, so that clients cut off at the same moment do not come back at the same moment.
 *
 * The bound is short: while a stream is away nothing is traded, and an exchange that is back must
 * not wait for us.
 */
import type { Random } from '../runtime/random.ts';

export type Backoff = {
  /** Returns the next delay: 0, then between 0 and 1, 2, 4, 8, 8, … seconds. */
  readonly nextDelayMs: () => number;
  /** Begins again with 0. */
  readonly reset: () => void;
};

const firstMs = 1_000;
const lastMs = 8_000;

export function createBackoff(random: Pick<Random, 'next'>): Backoff {
  let highestMs = 0;
  return {
    nextDelayMs: () => {
      const delayMs = Math.floor(random.next() * highestMs);
      highestMs = Math.min(Math.max(highestMs * 2, firstMs), lastMs);
      return delayMs;
    },
    reset: () => {
      highestMs = 0;
    },
  };
}
