/** The public name of a key. */
import { createHash } from 'node:crypto';
import type { Credentials } from '../../client/credentials.ts';

/** Returns the public name of a key, by which settings can allow it. */
export function fingerprintOf(credentials: Credentials): string {
  return createHash('sha256').update(credentials.keyId).digest('hex').slice(0, 16);
}
