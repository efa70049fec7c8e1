/** API keys: an id, the digest of the secret, a user and a set of permissions. */
import { hash, timingSafeEqual } from 'node:crypto';

export type ApiKey = {
  readonly id: string;
  /**
   * SHA-256 of the secret; the secret itself is not kept. It signs requests of the wallet document,
   * so it must be kept like a secret too.
   */
  readonly secretDigest: Uint8Array;
  readonly userId: string;
  /** Bitwise OR of the permission values. */
  readonly permissions: number;
  readonly isRevoked: boolean;
};

/** What a caller shows: the key's id and its secret. */
export type Credentials = { readonly id: string; readonly secret: string };

/** Returns a key for the user, made of credentials that the caller already has. */
export function createApiKey(
  credentials: Credentials,
  rights: { readonly userId: string; readonly permissions: number },
): ApiKey {
  return {
    id: credentials.id,
    secretDigest: digestOf(credentials.secret),
    isRevoked: false,
    ...rights,
  };
}

/** Returns whether the secret is the key's, in a time that does not depend on it. */
export function isSecretOf(key: ApiKey, secret: string): boolean {
  return timingSafeEqual(key.secretDigest, digestOf(secret));
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
