/**
 * An API key, and the two forms in which it is sent.
 *
 * Invariant: the secret exists only in a closure; no property, error or log line contains it.
 */
import { ConfigError } from '../../../domain/errors.ts';
import { createSecretFilter, type SecretFilter } from '../../../runtime/secret-filter.ts';
import type { Credentials } from '../../../venue/key-credentials.ts';

/** What the rest of the client may do with a key. */
export type Key = {
  /** Value of the Authorization header. */
  readonly authorization: () => string;
  /** The first frame of both streams. */
  readonly streamHello: () => string;
  /** Removes the secret, in every encoding, from text that came from outside. */
  readonly hideIn: SecretFilter;
};

/** Returns the key of `credentials`. Throws ConfigError if a header cannot carry them. */
export function keyOf(credentials: Credentials): Key {
  const { keyId, keySecret } = credentials;
  // Otherwise an unset variable would be sent as the word "undefined".
  if (typeof keyId !== 'string' || typeof keySecret !== 'string')
    throw new ConfigError('API key id and secret must both be given, as text');
  // A colon separates id and secret, so the id must not contain one. Basic authentication has no
  // agreed encoding for text outside ASCII.
  if (!/^[!-9;-~]{1,200}$/u.test(keyId)) throw new ConfigError('API key id is empty or malformed');
  if (!/^[!-~]{8,200}$/u.test(keySecret))
    throw new ConfigError('API key secret is shorter than 8 characters or malformed');
  const token = Buffer.from(`${keyId}:${keySecret}`, 'latin1').toString('base64');
  return {
    authorization: () => `Basic ${token}`,
    streamHello: () => JSON.stringify({ api_key_id: keyId, api_key_secret: keySecret }),
    hideIn: createSecretFilter([{ id: keyId, secret: keySecret }]),
  };
}
