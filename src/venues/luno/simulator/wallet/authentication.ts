/**
 * Authenticates a signed request: who makes it, and on whose behalf.
 *
 *     key known ─▶ timestamp within the window ─▶ signature ─▶ not revoked ─▶ may act for the owner
 *         ─▶ wallet API enabled for the owner ─▶ not under maintenance
 *
 * A caller whose signature is wrong learns nothing about a key or an account, except that the key
 * exists: the documented error codes for an unknown key and for a wrong signature differ.
 */
import { timingSafeEqual } from 'node:crypto';
import { signatureHeaders, signatureOf, signatureWindowMs } from '../../api/wallet/signature.ts';
import type { ApiKey } from '../core/api-key.ts';
import type { ExchangeState } from '../core/exchange-state.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import type { SimulatorRequest } from '../core/simulator-request.ts';
import { delegationKeyOf } from '../core/wallet-state.ts';

export type SignedCaller = {
  readonly key: ApiKey;
  /** The user on whose behalf the request is made. */
  readonly userId: string;
  /** What the key may do for that user. */
  readonly permissions: number;
};

/** Returns the caller of a request to the wallet API, or why the request is refused. */
export function authenticateSigned(
  request: SimulatorRequest,
  state: ExchangeState,
): SignedCaller | Refusal {
  const { headers = {}, target = request.path, body = '' } = request.signed ?? {};
  const keyId = headers[signatureHeaders.key];
  const timestamp = headers[signatureHeaders.timestamp] ?? '';
  const signature = headers[signatureHeaders.signature];
  const accountId = headers[signatureHeaders.accountId];
  if (keyId === undefined) return invalid('X-SVC-KEY is missing');
  if (signature === undefined) return invalid('X-SVC-SIGNATURE is missing');
  if (!/^\d{1,16}$/u.test(timestamp)) return invalid('X-SVC-TIMESTAMP is missing or no integer');
  if (accountId !== undefined && !/^-?\d{1,19}$/u.test(accountId))
    return invalid('X-SVC-ACCOUNT-ID is no integer');

  const key = state.keys.get(keyId);
  if (key === undefined) return refuse('ErrInvalidAPIKey', 'API key not found');
  const timestampMs = Number.parseInt(timestamp, 10);
  const nowMs = Math.floor(state.timeMicros / 1000);
  if (Math.abs(timestampMs - nowMs) > signatureWindowMs)
    return invalid(`X-SVC-TIMESTAMP must be within ${signatureWindowMs} ms of now`);
  // The stored digest is the signing key, see signature.ts. Numbers are signed as received.
  const { method } = request;
  const signed = { method, target, timestamp, accountId, body };
  const expected = signatureOf(key.secretDigest, signed);
  if (!isEqual(expected, signature))
    return refuse('ErrIncorrectHMACSignature', 'Signature is not that of the request');
  if (key.isRevoked) return refuse('ErrApiKeyRevoked', 'API key revoked');
  const caller = callerOf(key, accountId, state);
  if ('code' in caller) return caller;
  return (
    refusalOf(state, 'wallet-interface-off', caller.userId) ??
    refusalOf(state, 'wallet-interface-maintenance', 'all') ??
    caller
  );
}

function callerOf(
  key: ApiKey,
  accountId: string | undefined,
  state: ExchangeState,
): SignedCaller | Refusal {
  const own = { key, userId: key.userId, permissions: key.permissions };
  if (accountId === undefined) return own;
  const ownerId = state.accounts.get(BigInt(accountId).toString())?.userId;
  if (ownerId === key.userId) return own;
  const granted =
    ownerId === undefined
      ? undefined
      : state.wallet.delegations.get(delegationKeyOf(key.id, ownerId));
  if (ownerId === undefined || granted === undefined)
    return refuse('ErrUnauthorized', 'The key may not act for the owner of this account');
  return { key, userId: ownerId, permissions: key.permissions & granted };
}

function invalid(message: string): Refusal {
  return refuse('ErrInvalidAuth', message);
}

/** Compares two texts of equal length in constant time. */
function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
