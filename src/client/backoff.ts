/**
 * How long to wait before the next attempt: exponential, with full jitter, so that clients cut off
 * at the same moment do not come back at the same moment.
 */
import type { Random } from '../runtime/random.ts';

export type Backoff = {
  /** Returns the next delay: between 0 and 1, 2, 4, … 60 seconds. */
  readonly nextDelayMs: () => number;
  /** Begins again with the shortest. */
  readonly reset: () => void;
};

const firstMs = 1_000;
const lastMs = 60_000;

export function createBackoff(random: Pick<Random, 'next'>): Backoff {
  let highestMs = firstMs;
  return {
    nextDelayMs: () => {
      const delayMs = Math.floor(random.next() * highestMs);
      highestMs = Math.min(highestMs * 2, lastMs);
      return delayMs;
    },
    reset: () => {
      highestMs = firstMs;
    },
  };
}
