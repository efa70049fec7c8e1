/** The signature of the wallet document, compared with values computed outside this project. */
import { expect, test } from 'vitest';
import {
  canonicalTextOf,
  type RequestToSign,
  signatureOf,
  signingKeyOf,
} from '../../../../../../src/venues/luno/api/wallet/signature.ts';

const request: RequestToSign = {
  method: 'POST',
  target: '/api/wallet/1/wallets?x=1',
  timestamp: '1795176000000',
  accountId: '8203463422864003664',
  body: '{"name":"Sparbuch ü","currency":"XBT"}',
};

test('a request is signed as described', () => {
  expect(canonicalTextOf(request)).toBe(
    [
      'SVC1-HMAC-SHA256',
      '1795176000000',
      'POST',
      '/api/wallet/1/wallets?x=1',
      '8203463422864003664',
      'cbaa60038aa1f36c2ef85d5550bf98c97a25d20e9bdf78e04be38c50a4eabe28',
    ].join('\n'),
  );
  expect(signatureOf(signingKeyOf('canary-secret-1'), request)).toBe(
    '6ea6ae287e03d764b1cd6410bb212128a725446c413938b383d100c7b35aa657',
  );
});

test('a missing body is signed as zero bytes', () => {
  const read = { method: 'GET', target: '/a', timestamp: '1', body: '' };
  expect(canonicalTextOf(read)).toBe(
    'SVC1-HMAC-SHA256\n1\nGET\n/a\n\n' +
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

test.each<Partial<RequestToSign>>([
  { method: 'PUT' },
  { target: '/api/wallet/1/wallets' },
  { timestamp: '1795176000001' },
  { accountId: undefined },
  { body: '{"name":"Sparbuch ü","currency":"XBt"}' },
])('the request with %j has another signature', (change) => {
  const key = signingKeyOf('canary-secret-1');
  expect(signatureOf(key, { ...request, ...change })).not.toBe(signatureOf(key, request));
});

test('another secret signs differently', () => {
  const [one, other] = ['canary-secret-1', 'canary-secret-2'].map(signingKeyOf);
  expect(signatureOf(one as Uint8Array, request)).not.toBe(
    signatureOf(other as Uint8Array, request),
  );
});
