/** The fingerprint of an API key. */
import { createHash } from 'node:crypto';
import type { Credentials } from '../../venue/key-credentials.ts';

/** Returns the key's public fingerprint, by which settings can allow it: 16 hexadecimal digits. */
export function fingerprintOf(credentials: Credentials): string {
  return createHash('sha256').update(credentials.keyId).digest('hex').slice(0, 16);
}
