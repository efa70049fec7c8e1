/**
 * An API key, and the only two forms in which it leaves this machine.
 *
 * Invariant: the secret lives in a closure; no property, error or log line of the client holds it.
 */
import { ConfigError } from '../domain/errors.ts';
import { createSecretFilter, type SecretFilter } from '../runtime/secret-filter.ts';

export type Credentials = { readonly keyId: string; readonly keySecret: string };

/** What the rest of the client may do with a key. */
export type Key = {
  /** Value of the Authorization header. */
  readonly authorization: () => string;
  /** First frame of both streams. */
  readonly streamHello: () => string;
  /** Removes the secret, in whatever form, from text that came from outside. */
  readonly hideIn: SecretFilter;
};

/** Returns the key of `credentials`; ConfigError if they cannot be written in a header. */
export function keyOf(credentials: Credentials): Key {
  const { keyId, keySecret } = credentials;
  // A variable that is not set would travel as the word "undefined".
  if (typeof keyId !== 'string' || typeof keySecret !== 'string')
    throw new ConfigError('API key id and secret must both be given, as text');
  // A colon in the id would move the border between the two; other text has no agreed encoding.
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
