/**
 * Signs requests of the wallet document. The documents do not give the algorithm, so the signer can
 * be replaced; the default one uses our own scheme, in `exchange-api/wallet/signature.ts`.
 *
 * Invariant: the secret exists only in a closure; no property, error or log line contains it.
 */
import { ConfigError } from '../../../domain/errors.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { createSecretFilter, type SecretFilter } from '../../../runtime/secret-filter.ts';
import type { Credentials } from '../../../venue/key-credentials.ts';
import {
  type RequestToSign,
  signatureHeaders,
  signatureOf,
  signingKeyOf,
} from '../api/wallet/signature.ts';
import { keyOf } from './credentials.ts';

/** Replace it to sign with another algorithm, or with a key that is stored elsewhere. */
export type WalletSigner = {
  /** The value of X-SVC-KEY. */
  readonly keyId: string;
  /** Returns the value of X-SVC-SIGNATURE. If it throws, the request is not sent. */
  readonly sign: (request: RequestToSign) => string;
  /** Removes the secret from text that came from outside. */
  readonly hideIn: SecretFilter;
};

export type WalletAccess = {
  readonly signer: WalletSigner;
  /** The source of timestamps; the exchange refuses one that is far from its own time. */
  readonly clock: Pick<Clock, 'nowMicros'>;
  /** Act for the owner of this account; for the key's user unless given. */
  readonly ownerAccountId?: string | undefined;
};

/** Returns the default signer. Throws ConfigError if a header cannot carry the credentials. */
export function createHmacSigner(credentials: Credentials): WalletSigner {
  keyOf(credentials);
  const { keyId, keySecret } = credentials;
  const signingKey = signingKeyOf(keySecret);
  const derived = Buffer.from(signingKey);
  const hideIn = createSecretFilter([
    { id: keyId, secret: keySecret },
    // The derived key is as sensitive as the secret: it signs, too.
    derived.toString('hex'),
    derived.toString('base64'),
  ]);
  return { keyId, sign: (request) => signatureOf(signingKey, request), hideIn };
}

/** Returns `access`. Throws ConfigError if headers cannot carry it. */
export function checkedAccess(access: WalletAccess): WalletAccess {
  if (!/^[!-~]{1,200}$/u.test(access.signer.keyId))
    throw new ConfigError('API key id of the wallet signer is empty or malformed');
  if (access.ownerAccountId !== undefined && !isAccountId(access.ownerAccountId))
    throw new ConfigError(ownerProblem(access.ownerAccountId));
  return access;
}

/** Returns the headers of one request, with the time now. Throws RangeError if they are invalid. */
export function signedHeadersOf(
  { signer, clock, ownerAccountId }: WalletAccess,
  request: Pick<RequestToSign, 'method' | 'target' | 'body'>,
): Readonly<Record<string, string>> {
  if (ownerAccountId !== undefined && !isAccountId(ownerAccountId))
    throw new RangeError(ownerProblem(ownerAccountId));
  const timestamp = String(Math.floor(clock.nowMicros() / 1000));
  const signature = signer.sign({ ...request, timestamp, accountId: ownerAccountId });
  if (!/^[!-~]{1,1000}$/u.test(signature))
    throw new RangeError('the signer returned no valid signature');
  return {
    [signatureHeaders.key]: signer.keyId,
    [signatureHeaders.signature]: signature,
    [signatureHeaders.timestamp]: timestamp,
    ...(ownerAccountId === undefined ? {} : { [signatureHeaders.accountId]: ownerAccountId }),
  };
}

function ownerProblem(text: string): string {
  return `account id of the owner must be text of 1 to 19 digits, was ${JSON.stringify(text)}`;
}

function isAccountId(text: string): boolean {
  // A JavaScript number cannot hold 19 digits.
  return typeof text === 'string' && /^\d{1,19}$/u.test(text);
}
