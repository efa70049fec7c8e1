/** The only randomness that does not depend on a seed: the operating system's. */
import { getRandomValues, randomBytes } from 'node:crypto';
import { type Random, randomFrom } from './random.ts';

/** Returns the system's random generator, for jitter and for names that must be unique. */
export function createSystemRandom(): Random {
  const pool = new Uint32Array(256);
  let used = pool.length;
  return randomFrom(() => {
    if (used === pool.length) {
      getRandomValues(pool);
      used = 0;
    }
    return pool[used++] as number;
  });
}

/**
 * Returns `byteCount` random bytes of the system as lower-case hex, for tokens and namespaces.
 */
export function randomToken(byteCount: number): string {
  return randomBytes(byteCount).toString('hex');
}
