/** API keys: an id, the digest of the secret, a user and a set of permissions. */
import { hash, timingSafeEqual } from 'node:crypto';

export type ApiKey = {
  readonly id: string;
  /**
   * SHA-256 of the secret, which itself is not stored. The digest is the signing key of the wallet
   * API, so it must be protected like the secret.
   */
  readonly secretDigest: Uint8Array;
  readonly userId: string;
  /** Bitwise OR of the permission values. */
  readonly permissions: number;
  readonly isRevoked: boolean;
};

/** What a caller presents: the id of the key and its secret. */
export type Credentials = { readonly id: string; readonly secret: string };

/** Returns a key of a user with the given credentials. */
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

/** Returns whether the secret belongs to the key. Compares in constant time. */
export function isSecretOf(key: ApiKey, secret: string): boolean {
  return timingSafeEqual(key.secretDigest, digestOf(secret));
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
