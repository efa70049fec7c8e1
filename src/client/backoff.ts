/**
 * How long to wait before the next attempt: the first follows at once, since most connections end
 * alone; later ones wait, exponentially and with full jitter, so that clients that were cut off at
 * the same moment do not come back at the same moment. The longest delay is short enough for a bot
 * to be back soon after a long outage.
 */
import type { Random } from '../runtime/random.ts';

export type Backoff = {
  /** Returns the next delay: none, then between 0 and 1, 2, 4, 8, 10, 10, … seconds. */
  readonly nextDelayMs: () => number;
  /** Begins again with no delay. */
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
