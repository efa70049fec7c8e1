/**
 * Signs requests of the wallet document, whose algorithm is not shown: the signer is a port, and
 * the one here follows the scheme of `interface/wallet/signature.ts`, which is ours.
 *
 * Invariant: the secret lives in a closure; no property, error or log line of the client holds it.
 */
import { ConfigError } from '../domain/errors.ts';
import {
  type RequestToSign,
  signatureHeaders,
  signatureOf,
  signingKeyOf,
} from '../exchange-api/wallet/signature.ts';
import type { Clock } from '../runtime/clock.ts';
import { createSecretFilter, type SecretFilter } from '../runtime/secret-filter.ts';
import { type Credentials, keyOf } from './credentials.ts';

/** What a program can replace to sign in another way or with a key kept elsewhere. */
export type WalletSigner = {
  /** Goes into X-SVC-KEY. */
  readonly keyId: string;
  /** Returns the value of X-SVC-SIGNATURE. A throw keeps the request from being sent. */
  readonly sign: (request: RequestToSign) => string;
  /** Removes what must stay secret from text that came from outside. */
  readonly hideIn: SecretFilter;
};

export type WalletAccess = {
  readonly signer: WalletSigner;
  /** Gives the timestamps; the exchange refuses one that is far from its own time. */
  readonly clock: Pick<Clock, 'nowMicros'>;
  /** Act for the owner of this account; for the key's own user unless given. */
  readonly ownerAccountId?: string | undefined;
};

/** Returns the default signer; ConfigError if the credentials cannot be written in a header. */
export function createHmacSigner(credentials: Credentials): WalletSigner {
  keyOf(credentials);
  const { keyId, keySecret } = credentials;
  const signingKey = signingKeyOf(keySecret);
  const derived = Buffer.from(signingKey);
  const hideIn = createSecretFilter([
    { id: keyId, secret: keySecret },
    // The derived key signs as well as the secret does.
    derived.toString('hex'),
    derived.toString('base64'),
  ]);
  return { keyId, sign: (request) => signatureOf(signingKey, request), hideIn };
}

/** Throws ConfigError unless the access can be written in headers. */
export function checkedAccess(access: WalletAccess): WalletAccess {
  if (!/^[!-~]{1,200}$/u.test(access.signer.keyId))
    throw new ConfigError('API key id of the wallet signer is empty or malformed');
  if (access.ownerAccountId !== undefined && !isAccountId(access.ownerAccountId))
    throw new ConfigError(ownerProblem(access.ownerAccountId));
  return access;
}

/** Returns the headers of one request, made now. Throws RangeError for what cannot be sent. */
export function signedHeadersOf(
  { signer, clock, ownerAccountId }: WalletAccess,
  request: Pick<RequestToSign, 'method' | 'target' | 'body'>,
): Readonly<Record<string, string>> {
  if (ownerAccountId !== undefined && !isAccountId(ownerAccountId))
    throw new RangeError(ownerProblem(ownerAccountId));
  const timestamp = String(Math.floor(clock.nowMicros() / 1000));
  const signature = signer.sign({ ...request, timestamp, accountId: ownerAccountId });
  if (!/^[!-~]{1,1000}$/u.test(signature)) throw new RangeError('the signer gave no signature');
  return {
    [signatureHeaders.key]: signer.keyId,
    [signatureHeaders.signature]: signature,
    [signatureHeaders.timestamp]: timestamp,
    ...(ownerAccountId === undefined ? {} : { [signatureHeaders.accountId]: ownerAccountId }),
  };
}

function ownerProblem(text: string): string {
  return `account id of the owner must be a text of 1 to 19 digits, was ${JSON.stringify(text)}`;
}

function isAccountId(text: string): boolean {
  // A number of 19 digits would have lost some.
  return typeof text === 'string' && /^\d{1,19}$/u.test(text);
}
