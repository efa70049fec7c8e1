/** Which network errors prove that nothing was sent. A wrong "yes" leads to a duplicate order. */
import { expect, test } from 'vitest';
import { isProofOfNotSent, reasonOf } from '../../../../../src/venues/luno/client/network-error.ts';

const error = (code: string, syscall?: string): Error =>
  Object.assign(new Error('secret text'), { code, ...(syscall === undefined ? {} : { syscall }) });

test.each([
  error('ENOTFOUND', 'getaddrinfo'),
  error('EAI_AGAIN', 'getaddrinfo'),
  error('ECONNREFUSED', 'connect'),
  // The error for several tried addresses has no system call.
  error('ECONNREFUSED'),
  error('UND_ERR_CONNECT_TIMEOUT'),
  error('ETIMEDOUT', 'connect'),
  error('ENETUNREACH', 'connect'),
  error('EHOSTUNREACH', 'connect'),
  error('CERT_HAS_EXPIRED'),
  error('SELF_SIGNED_CERT_IN_CHAIN'),
  error('ERR_TLS_CERT_ALTNAME_INVALID'),
])('$code of $syscall is proof', (one) => expect(isProofOfNotSent(one)).toBe(true));

test.each([
  error('ECONNRESET', 'read'),
  error('EPIPE', 'write'),
  error('ETIMEDOUT', 'read'),
  error('EHOSTUNREACH', 'write'),
  error('UND_ERR_SOCKET'),
  error('UND_ERR_HEADERS_TIMEOUT'),
  error('UND_ERR_BODY_TIMEOUT'),
  error('UND_ERR_ABORTED'),
  error('UND_ERR_RESPONSE_EXCEEDED_SIZE'),
  error('HPE_INVALID_CONSTANT'),
  error('EPROTO', 'write'),
  new Error('connect ECONNREFUSED'),
  'ECONNREFUSED',
  undefined,
  null,
])('%s is not', (one) => expect(isProofOfNotSent(one)).toBe(false));

test('a reason is a code or a name, never the text of the error', () => {
  expect(reasonOf(error('ECONNRESET', 'read'))).toBe('ECONNRESET');
  expect(reasonOf(new TypeError('secret text'))).toBe('TypeError');
  expect(reasonOf('secret text')).toBe('network error');
});
