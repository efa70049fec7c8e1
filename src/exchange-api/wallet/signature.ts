/**
 * How a request of the wallet document is signed.
 *
 * The document names four headers and says "signature generated from request properties, signed
 * with the API secret"; which properties and which hash are not shown. So this scheme is ours, the
 * client's signer can be replaced, and only our own exchange is known to accept it:
 *
 *     canonical = "SVC1-HMAC-SHA256"                   one item a line, "\n" between them and no
 *                 X-SVC-TIMESTAMP                      "\n" at the end
 *                 method in capitals
 *                 path and query, below the base address, as sent
 *                 X-SVC-ACCOUNT-ID, or nothing
 *                 SHA-256 of the body's bytes, lower-case hex (of no bytes if there is no body)
 *     key       = SHA-256 of the UTF-8 text of the API secret, 32 bytes
 *     signature = HMAC-SHA-256(key, canonical), lower-case hex
 *
 * The key is derived so that an exchange which stores only a digest of each secret can verify. That
 * digest then signs as well as the secret does, and must be kept like one. It does not open the
 * exchange document's operations, which ask for the secret itself.
 *
 * A request can be repeated by whoever sees it until its timestamp is out of the window; TLS keeps
 * it unseen, and operations that move money have ids of their own against duplicates.
 */
import { createHash, createHmac } from 'node:crypto';

/** Names in lower case, as servers see them. */
export const signatureHeaders = {
  key: 'x-svc-key',
  signature: 'x-svc-signature',
  timestamp: 'x-svc-timestamp',
  accountId: 'x-svc-account-id',
} as const;

/** How far a timestamp may be from the exchange's time, either way. Ours. */
export const signatureWindowMs = 30_000;

export type RequestToSign = {
  readonly method: string;
  /** Path and query, below the base address, as sent. */
  readonly target: string;
  /** Milliseconds since the UTC epoch, as sent. */
  readonly timestamp: string;
  /** The account of the owner for whom the caller acts; left out for the key's own user. */
  readonly accountId?: string | undefined;
  /** Empty if there is none. */
  readonly body: string;
};

/** Returns what is signed. No two different requests have the same text. */
export function canonicalTextOf(request: RequestToSign): string {
  return [
    'SVC1-HMAC-SHA256',
    request.timestamp,
    request.method,
    request.target,
    request.accountId ?? '',
    createHash('sha256').update(request.body).digest('hex'),
  ].join('\n');
}

/** Returns the 32 bytes with which the owner of `secret` signs. */
export function signingKeyOf(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

/** Returns the signature as it travels: 64 lower-case hexadecimal digits. */
export function signatureOf(signingKey: Uint8Array, request: RequestToSign): string {
  return createHmac('sha256', signingKey).update(canonicalTextOf(request)).digest('hex');
}
