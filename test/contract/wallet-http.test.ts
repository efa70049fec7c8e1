/** Signed requests over real HTTP: how the server treats content types, headers and targets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHmacSigner, signedHeadersOf } from '../../src/venues/luno/client/signer.ts';
import { createNetworkDriver, credentialsOf, type Driver } from '../support/interface-driver.ts';
import { quietSettings } from '../support/simulated-exchange.ts';

const target = '/api/wallet/1/wallets';
const body = '{"name":"Sparbuch ü","currency":"XBT"}';

let driver: Driver;
beforeAll(async () => {
  driver = await createNetworkDriver({ settings: quietSettings, seed: 1 });
});
afterAll(() => driver.close());

function signed(method: string, url: string, text: string, ownerAccountId?: string) {
  const signer = createHmacSigner(credentialsOf('desk'));
  const clock = { nowMicros: () => driver.timeMs() * 1000 };
  return signedHeadersOf({ signer, clock, ownerAccountId }, { method, target: url, body: text });
}

async function post(contentType: string | undefined, text: string): Promise<[number, string]> {
  const type = contentType === undefined ? {} : { 'content-type': contentType };
  const headers = { ...signed('POST', target, text), ...type };
  const answer = await driver.raw({ method: 'POST', url: target, headers, body: text });
  return [answer.status, answer.body];
}

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset=utf-8',
])('a body of type %s is read', async (contentType) => {
  const [status, text] = await post(contentType, body);
  expect(JSON.parse(text)).toMatchObject({ name: 'Sparbuch ü', currency: 'XBT' });
  expect(status).toBe(200);
});

test.each([
  'application/x-www-form-urlencoded',
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/json-patch+json',
  undefined,
])('a body of type %s is refused', async (contentType) => {
  const [status, text] = await post(contentType, body);
  expect([status, JSON.parse(text)['errorCode']]).toEqual([400, 'ErrRequestBodyFormat']);
});

test('a body other than the signed one is refused', async () => {
  const headers = { ...signed('POST', target, body), 'content-type': 'application/json' };
  const changed = body.replace('XBT', 'ETH');
  const { status, body: text } = await driver.raw({
    method: 'POST',
    url: target,
    headers,
    body: changed,
  });
  expect([status, JSON.parse(text)['errorCode']]).toEqual([401, 'ErrIncorrectHMACSignature']);
});

test('the signature covers the query as it was sent, whatever it means', async () => {
  const ask = async (sent: string, meant: string) => {
    const { status } = await driver.raw({
      method: 'GET',
      url: sent,
      headers: signed('GET', meant, ''),
    });
    return status;
  };
  expect(await ask(`${target}?pageSize=1&pageIndex=0`, `${target}?pageSize=1&pageIndex=0`)).toBe(
    200,
  );
  expect(await ask(`${target}?pageIndex=0&pageSize=1`, `${target}?pageSize=1&pageIndex=0`)).toBe(
    401,
  );
  const encoded = `${target}?page%53ize=1`;
  expect(await ask(encoded, encoded)).toBe(200);
  expect(await ask(encoded, `${target}?pageSize=1`)).toBe(401);
});

test('basic credentials are refused by the wallet API, and signatures by the exchange API', async () => {
  const { keyId, keySecret } = credentialsOf('desk');
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
  const basic = await driver.raw({ method: 'GET', url: target, headers: { authorization } });
  expect([basic.status, JSON.parse(basic.body)['errorCode']]).toEqual([401, 'ErrInvalidAuth']);
  const url = '/api/1/balance';
  const other = await driver.raw({ method: 'GET', url, headers: signed('GET', url, '') });
  expect(other).toMatchObject({ status: 401, body: 'Unauthorized\n' });
});

test('JSON is refused by the exchange API', async () => {
  const { keyId, keySecret } = credentialsOf('desk');
  const headers = {
    authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`,
    'content-type': 'application/json',
  };
  const url = '/api/1/accounts';
  const answer = await driver.raw({ method: 'POST', url, headers, body });
  expect([answer.status, JSON.parse(answer.body)['error_code']]).toEqual([
    400,
    'ErrInvalidParameters',
  ]);
});
