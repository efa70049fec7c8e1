/** The HTTP level of answers: request bodies that are too large, and answers without a body. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Exchange, startExchange } from '../../src/testing.ts';
import { operations } from '../../src/venues/luno/api/operations.ts';

let exchange: Exchange;
beforeEach(async () => {
  exchange = await startExchange();
});
afterEach(() => exchange.stop());

const form = 'application/x-www-form-urlencoded';

function send(method: string, path: string, body?: string, type = form): Promise<Response> {
  const { id, secret } = exchange.keys.full;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': type };
  return fetch(`${exchange.baseUrl}${path}`, { method, headers, ...(body && { body }) });
}

test('a body that is too large is refused in the format of its API', async () => {
  const large = 'x'.repeat(70_000);
  const ours = await send('POST', '/api/1/postorder', large);
  expect([ours.status, ours.headers.get('content-type'), await ours.json()]).toEqual([
    413,
    'application/json',
    {
      error: expect.any(String),
      message: expect.any(String),
      error_code: 'ErrInvalidParameters',
      error_action: {},
    },
  ]);
  const wallet = await send('POST', operations.createCryptoSend.path, large, 'application/json');
  expect([wallet.status, await wallet.json()]).toEqual([
    413,
    { errorCode: 'ErrRequestBodyFormat', message: expect.any(String) },
  ]);
});

test('a bank account is deleted with a body, on which the SDKs insist', async () => {
  const path = '/api/1/beneficiaries';
  const body = new URLSearchParams({
    bank_name: 'FIRNZAJJ',
    bank_account_number: '62000000001',
    account_type: 'Current/Cheque',
    bank_recipient: 'Jane Doe',
  });
  const made = (await (await send('POST', path, body.toString())).json()) as { id: string };
  const gone = await send('DELETE', `${path}/${made.id}`);
  expect([gone.status, await gone.json()]).toEqual([200, { code: '', message: '' }]);
});
