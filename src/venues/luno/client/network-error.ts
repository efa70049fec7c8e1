/**
 * Decides from a network error whether the request may have been sent.
 *
 * Invariant: an error that is not listed here proves nothing. "other side closed" looks the same
 * whether the exchange had read the request or not.
 */

/** Codes that occur only before a connection exists: in the name lookup, or in undici. */
const beforeConnection = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Codes of a refused certificate: TLS fails before the first byte of HTTP. */
const certificateRefused = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

type Described = { readonly code?: unknown; readonly syscall?: unknown; readonly name?: unknown };

/** Returns whether `error` proves that no byte of the request was sent. */
export function isProofOfNotSent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, syscall } = error as Described;
  if (typeof code !== 'string') return false;
  if (beforeConnection.has(code) || certificateRefused.has(code)) return true;
  // Any failure to open the connection, such as ENETUNREACH. An open connection fails in `read` or
  // `write` instead.
  return syscall === 'connect' || syscall === 'getaddrinfo';
}

/** Returns a short reason: a code, never the error's text, which may contain anything. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'network error';
  const { code, name } = error as Described;
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'network error';
}
