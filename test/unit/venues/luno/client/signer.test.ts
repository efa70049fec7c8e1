/**
 * Requests of the wallet document: signed by the default or another signer, with the paths of the
 * venue file, and without the secret.
 */
import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError, ExchangeRefusedError } from '../../../../../src/domain/errors.ts';
import { createTimers } from '../../../../../src/runtime/timers.ts';
import {
  type Client,
  type ClientOptions,
  createClient,
} from '../../../../../src/venues/luno/client/client.ts';
import {
  createHmacSigner,
  type WalletSigner,
} from '../../../../../src/venues/luno/client/signer.ts';
import { httpAnswer, type RawServer, startRawServer } from './raw-server.ts';

const credentials = { keyId: 'keyid', keySecret: 'canary-secret-1' };
const clock = { nowMicros: () => 1_795_176_000_000_999 };
const derivedKey = createHash('sha256').update(credentials.keySecret).digest();
const wallet = { name: 'Savings', currency: 'XBT' };
const noWallets = '{"wallets":[]}';

let server: RawServer;
let clients: Client[] = [];
const clientFor = (options: Partial<ClientOptions> = {}): Client => {
  const client = createClient({
    baseUrl: `${server.url}/below/here`,
    wallet: { signer: createHmacSigner(credentials), clock },
    timers: createTimers(),
    ...options,
  });
  clients.push(client);
  return client;
};
const answerWith = (status: number, text: string): void => {
  server.answer = (socket) => socket.write(httpAnswer(status, text, {}));
};

beforeEach(async () => {
  server = await startRawServer();
  answerWith(200, noWallets);
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  await server.close();
});

function expected(lines: readonly string[], body: string): string {
  const digest = createHash('sha256').update(body).digest('hex');
  const text = ['SVC1-HMAC-SHA256', '1795176000000', ...lines, digest].join('\n');
  return createHmac('sha256', derivedKey).update(text).digest('hex');
}

test('a read is signed with its query, relative to the base address', async () => {
  await clientFor().listWallets({ pageIndex: 2 });
  const [seen] = server.requests;
  expect(seen?.target).toBe('/below/here/api/wallet/1/wallets?pageIndex=2');
  expect(seen?.headers).toMatchObject({
    'x-svc-key': 'keyid',
    'x-svc-timestamp': '1795176000000',
    'x-svc-signature': expected(['GET', '/api/wallet/1/wallets?pageIndex=2', ''], ''),
  });
  expect(seen?.headers['x-svc-account-id']).toBeUndefined();
  expect(seen?.headers['authorization']).toBeUndefined();
  expect(seen?.headers['content-type']).toBeUndefined();
});

test('a write is signed with its JSON body', async () => {
  await clientFor().request('createWallet', wallet);
  const [seen] = server.requests;
  expect(seen?.body).toBe(JSON.stringify(wallet));
  expect(seen?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-svc-signature': expected(['POST', '/api/wallet/1/wallets', ''], JSON.stringify(wallet)),
  });
});

test('a client can act for another owner, always or for one request', async () => {
  const access = { signer: createHmacSigner(credentials), clock };
  const always = clientFor({ wallet: { ...access, ownerAccountId: '7' } });
  await always.listWallets({});
  await always.listWallets({}, { ownerAccountId: '8' });
  await clientFor().listWallets({}, { ownerAccountId: '9' });
  const owners = ['7', '8', '9'];
  expect(server.requests.map((one) => one.headers['x-svc-account-id'])).toEqual(owners);
  expect(server.requests.map((one) => one.headers['x-svc-signature'])).toEqual(
    owners.map((owner) => expected(['GET', '/api/wallet/1/wallets', owner], '')),
  );
});

test('the signer can be replaced', async () => {
  const seen: unknown[] = [];
  const signer: WalletSigner = {
    keyId: 'vault-1',
    sign: (request) => {
      seen.push(request);
      return 'signed-elsewhere';
    },
    hideIn: (text) => text,
  };
  await clientFor({ wallet: { signer, clock } }).request('createWallet', wallet);
  expect(seen).toEqual([
    {
      method: 'POST',
      target: '/api/wallet/1/wallets',
      timestamp: '1795176000000',
      accountId: undefined,
      body: JSON.stringify(wallet),
    },
  ]);
  expect(server.requests[0]?.headers).toMatchObject({
    'x-svc-key': 'vault-1',
    'x-svc-signature': 'signed-elsewhere',
  });
});

test.each<[string, () => string]>([
  [
    'throws',
    () => {
      throw new Error('vault is locked');
    },
  ],
  ['gives nothing', () => ''],
  ['gives a second header', () => 'a\r\nx-evil: 1'],
])('a signer that %s keeps the request from being sent', async (_, sign) => {
  const signer: WalletSigner = { keyId: 'k', sign, hideIn: (text) => text };
  const reply = await clientFor({ wallet: { signer, clock } }).request('listWallets', {});
  expect(reply.kind).toBe('not-sent');
  expect(server.requests).toHaveLength(0);
});

test('a signer allows wallet operations and no others', async () => {
  const basic = clientFor({ credentials, wallet: undefined });
  expect(await basic.request('listWallets', {})).toMatchObject({
    kind: 'not-sent',
    reason: 'listWallets needs a wallet signer',
  });
  expect((await clientFor().request('balance', {})).kind).toBe('not-sent');
  expect(server.requests).toHaveLength(0);
});

test.each(['', 'a b', '-', '12345678901234567890', '1\r\nx: 1'])(
  'a client cannot act for the account "%s"',
  async (ownerAccountId) => {
    const access = { signer: createHmacSigner(credentials), clock, ownerAccountId };
    expect(() => clientFor({ wallet: access })).toThrow(ConfigError);
    const reply = await clientFor().request('listWallets', {}, { ownerAccountId });
    expect(reply.kind).toBe('not-sent');
  },
);

test.each([
  { keyId: '', keySecret: 'canary-secret-1' },
  { keyId: 'k', keySecret: 'short' },
])('credentials that cannot sign are refused at once', (bad) =>
  expect(() => createHmacSigner(bad)).toThrow(ConfigError),
);

test('every wallet path can be changed by the venue file', async () => {
  const paths = { listWallets: '/v9/purses', getWallet: '/v9/purses/:walletId' };
  const client = clientFor({ paths });
  await client.listWallets({});
  await client.request('getWallet', { walletId: '17' });
  expect(server.requests.map((one) => one.target)).toEqual([
    '/below/here/v9/purses',
    '/below/here/v9/purses/17',
  ]);
  expect(() => clientFor({ paths: { getWallet: '/v9/purses' } })).toThrow(ConfigError);
});

test.each([
  [400, 'ErrInsufficientBalance', 'give-up'],
  [401, 'ErrIncorrectHMACSignature', 'give-up'],
  [403, 'ErrInsufficientPermissions', 'give-up'],
  [409, 'ErrDuplicateSend', 'look-up'],
  [429, 'ErrRateLimitExceeded', 'retry'],
])('an error record becomes an error: %d %s is %s', async (status, errorCode, recovery) => {
  answerWith(status, JSON.stringify({ errorCode, message: 'no' }));
  const call = clientFor().listWallets({});
  await expect(call).rejects.toThrow(ExchangeRefusedError);
  await expect(call).rejects.toMatchObject({ status, exchangeCode: errorCode, recovery });
});

test('the secret and the derived key are removed from what a server echoes', async () => {
  const forms = [credentials.keySecret, derivedKey.toString('hex'), derivedKey.toString('base64')];
  answerWith(400, JSON.stringify({ errorCode: 'ErrInvalidRequest', message: forms.join(' ') }));
  const reply = await clientFor().request('listWallets', {});
  expect(reply.kind).toBe('refused');
  for (const form of forms) expect(JSON.stringify(reply)).not.toContain(form);
});

test('no property of a client contains the secret', () => {
  const signer = createHmacSigner(credentials);
  expect(JSON.stringify(signer)).not.toContain('canary');
  expect(Object.values(signer).filter((one) => typeof one === 'string')).toEqual(['keyid']);
});
