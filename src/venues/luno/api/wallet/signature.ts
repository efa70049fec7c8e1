/**
 * The signature of requests of the wallet document.
 *
 * The document names four headers and says "signature generated from request properties, signed
 * with the API secret", but not which properties and which hash. This scheme is therefore our own,
 * and only our simulator is known to accept it. The client's signer can be replaced:
 *
 *     canonical = "SVC1-HMAC-SHA256"                   one item a line, "\n" between them and no
 *                 X-SVC-TIMESTAMP                      "\n" at the end
 *                 method in capitals
 *                 path and query, relative to the base address, as sent
 *                 X-SVC-ACCOUNT-ID, or an empty line
 *                 SHA-256 of the body's bytes, lower-case hex (of no bytes without a body)
 *     key       = SHA-256 of the UTF-8 text of the API secret, 32 bytes
 *     signature = HMAC-SHA-256(key, canonical), lower-case hex
 *
 * The key is derived so that an exchange can verify signatures while storing only a digest of each
 * secret. The digest can sign, too, so it must be protected like the secret. It does not give
 * access to the operations of the exchange document, which need the secret itself.
 *
 * Anyone who sees a request can repeat it until its timestamp is outside the window. TLS hides
 * requests, and operations that move money have idempotency keys.
 */
import { createHash, createHmac } from 'node:crypto';

/** Header names, in lower case as servers see them. */
export const signatureHeaders = {
  key: 'x-svc-key',
  signature: 'x-svc-signature',
  timestamp: 'x-svc-timestamp',
  accountId: 'x-svc-account-id',
} as const;

/** The largest difference between a timestamp and the exchange's time. Our own choice. */
export const signatureWindowMs = 30_000;

export type RequestToSign = {
  readonly method: string;
  /** Path and query, relative to the base address, as sent. */
  readonly target: string;
  /** Milliseconds since the UTC epoch, as sent. */
  readonly timestamp: string;
  /** An account of the owner for whom the caller acts; undefined for the key's user. */
  readonly accountId?: string | undefined;
  /** Empty without a body. */
  readonly body: string;
};

/** Returns the text to sign. Different requests have different texts. */
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

/** Returns the 32-byte signing key of `secret`. */
export function signingKeyOf(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

/** Returns the signature: 64 lower-case hexadecimal digits. */
export function signatureOf(signingKey: Uint8Array, request: RequestToSign): string {
  return createHmac('sha256', signingKey).update(canonicalTextOf(request)).digest('hex');
}
