/**
 * Delays between connection attempts. The first attempt follows at once, because a connection
 * usually drops alone. Later delays grow exponentially with full jitter, so that clients that were
 * cut off together do not return together. The longest delay lets a bot return soon after a long
 * outage.
 */
import type { Random } from '../../../runtime/random.ts';

export type Backoff = {
  /** Returns the next delay: 0, then between 0 and 1, 2, 4, 8, 10, 10, … seconds. */
  readonly nextDelayMs: () => number;
  /** Starts again with a delay of 0. */
  readonly reset: () => void;
};

const firstMs = 1_000;
const lastMs = 10_000;

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
