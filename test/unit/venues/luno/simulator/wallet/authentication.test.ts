/**
 * Checks of a signed request before its handler: headers, key, clock, signature, delegation, call
 * limit, permission.
 */
import { expect, test } from 'vitest';
import { createApiKey } from '../../../../../../src/venues/luno/simulator/core/api-key.ts';
import type { SimulatorRequest } from '../../../../../../src/venues/luno/simulator/core/simulator-request.ts';
import { second, startMicros } from '../../../../../support/simulated-exchange.ts';
import {
  answerOf,
  deskWallets,
  friendKey,
  friendWallets,
  type RawRequest,
  refusal,
  WalletCaller,
  walletKey,
  walletSimulator,
} from '../../../../../support/wallet-caller.ts';

const read: RawRequest = { method: 'GET', target: '/api/wallet/1/wallets?pageSize=1' };
const caller = (): WalletCaller => new WalletCaller(walletSimulator());

test('a request that is signed as documented is answered', () => {
  const desk = caller();
  expect(desk.send(read).status).toBe(200);
  const body = JSON.stringify({ name: 'Sparbuch ü', currency: 'XBT' });
  const write = { method: 'POST', target: '/api/wallet/1/wallets', body };
  expect(answerOf(desk.send(write))).toMatchObject({ name: 'Sparbuch ü', balance: '0.00' });
});

test.each<[string, RawRequest['headers'] & object, number, Parameters<typeof refusal>[0]]>([
  ['no key', { 'x-svc-key': undefined }, 401, 'ErrInvalidAuth'],
  ['no signature', { 'x-svc-signature': undefined }, 401, 'ErrInvalidAuth'],
  ['no timestamp', { 'x-svc-timestamp': undefined }, 401, 'ErrInvalidAuth'],
  ['an empty timestamp', { 'x-svc-timestamp': '' }, 401, 'ErrInvalidAuth'],
  [
    'a timestamp that is not an integer',
    { 'x-svc-timestamp': '1795176000000.0' },
    401,
    'ErrInvalidAuth',
  ],
  ['an account that is not an integer', { 'x-svc-account-id': 'desk' }, 401, 'ErrInvalidAuth'],
  ['an empty account', { 'x-svc-account-id': '' }, 401, 'ErrInvalidAuth'],
  ['an unknown key', { 'x-svc-key': 'sim_nobody' }, 401, 'ErrInvalidAPIKey'],
  ['an empty signature', { 'x-svc-signature': '' }, 401, 'ErrIncorrectHMACSignature'],
  ['a short signature', { 'x-svc-signature': 'ab' }, 401, 'ErrIncorrectHMACSignature'],
  ['a wrong signature', { 'x-svc-signature': '0'.repeat(64) }, 401, 'ErrIncorrectHMACSignature'],
  [
    'a timestamp that was not signed',
    { 'x-svc-timestamp': '1795176000001' },
    401,
    'ErrIncorrectHMACSignature',
  ],
  [
    'an account that was not signed',
    { 'x-svc-account-id': deskWallets.XBT },
    401,
    'ErrIncorrectHMACSignature',
  ],
])('%s is refused', (_, headers, status, code) => {
  const response = caller().send({ ...read, headers });
  expect(response.status).toBe(status);
  expect(answerOf(response)).toEqual(refusal(code));
});

test('a request without any header of the scheme is refused', () => {
  const response = walletSimulator().handle(
    {
      method: 'GET',
      path: '/api/wallet/1/wallets',
      pairs: [],
      credentials: walletKey,
      bodyKind: 'none',
    },
    startMicros,
  );
  expect(answerOf(response)).toEqual(refusal('ErrInvalidAuth'));
});

test('the secret of another key does not sign for this one', () => {
  const desk = new WalletCaller(walletSimulator(), { ...walletKey, secret: friendKey.secret });
  expect(answerOf(desk.send(read))).toEqual(refusal('ErrIncorrectHMACSignature'));
});

test.each<[string, Partial<RawRequest>]>([
  ['method', { method: 'POST' }],
  ['query', { target: '/api/wallet/1/wallets?pageSize=2' }],
  ['path', { target: '/api/wallet/1/trades?pageSize=1' }],
  ['body', { body: '{}' }],
])('a signature is valid only for its own %s', (_, change) => {
  const simulator = walletSimulator();
  const desk = new WalletCaller(simulator);
  // What an eavesdropper sees of a valid request.
  let seen: RawRequest['headers'];
  const witness = Object.create(simulator, {
    handle: {
      value: (request: SimulatorRequest, timeMicros: number) => {
        seen = request.signed?.headers;
        return simulator.handle(request, timeMicros);
      },
    },
  });
  expect(new WalletCaller(witness).send(read).status).toBe(200);
  expect(seen).toBeDefined();
  expect(desk.send({ ...read, headers: seen ?? {} }).status).toBe(200);
  const response = desk.send({ ...read, ...change, headers: seen ?? {} });
  expect(response.status).toBe(401);
  expect(answerOf(response)).toEqual(refusal('ErrIncorrectHMACSignature'));
});

test.each([
  [-30_001, 'ErrInvalidAuth'],
  [-30_000, undefined],
  [30_000, undefined],
  [30_001, 'ErrInvalidAuth'],
] as const)('a timestamp %i ms from now is refused with %s', (offsetMs, code) => {
  const desk = caller();
  const now = startMicros + 100 * second;
  desk.simulator.advance(now);
  desk.timeMicros = now + offsetMs * 1000;
  // The caller's time must not change the simulator's time.
  const { handle } = desk.simulator;
  const frozen = Object.create(desk.simulator, {
    handle: { value: (request: never) => handle.call(desk.simulator, request, now) },
  });
  const ahead = new WalletCaller(frozen, walletKey, desk.timeMicros);
  const answer = answerOf(ahead.send(read));
  if (code === undefined) expect(answer['wallets']).toHaveLength(1);
  else expect(answer).toEqual(refusal(code));
});

test('a revoked key is refused, but only when the signature is right', () => {
  const desk = caller();
  desk.simulator.control({ kind: 'revoke-key', keyId: walletKey.id }, startMicros);
  expect(answerOf(desk.send(read))).toEqual(refusal('ErrApiKeyRevoked'));
  const headers = { 'x-svc-signature': '0'.repeat(64) };
  expect(answerOf(desk.send({ ...read, headers }))).toEqual(refusal('ErrIncorrectHMACSignature'));
});

test('a key without the permission is refused before the body is read', () => {
  const desk = caller();
  const key = { id: 'sim_reader', secret: 'reader-secret' };
  const { secretDigest } = createApiKey(key, { userId: 'desk', permissions: 1 });
  const digest = Buffer.from(secretDigest).toString('hex');
  const control = { keyId: key.id, secretDigest: digest, userId: 'desk', permissions: 1 };
  desk.simulator.control({ kind: 'add-key', ...control }, startMicros);
  const reader = new WalletCaller(desk.simulator, key);
  expect(reader.send(read).status).toBe(200);
  const response = reader.send({ method: 'POST', target: '/api/wallet/1/wallets', body: '{' });
  expect(response.status).toBe(403);
  expect(answerOf(response)).toEqual(refusal('ErrInsufficientPermissions'));
});

test('300 calls a minute pass, counted together with those of the exchange API', () => {
  const desk = caller();
  const exchangeCall = {
    method: 'GET',
    path: '/api/1/balance',
    pairs: [],
    credentials: walletKey,
    bodyKind: 'none',
  } as const;
  for (let i = 0; i < 150; i++) {
    expect(desk.send(read).status).toBe(200);
    expect(desk.simulator.handle(exchangeCall, startMicros).status).toBe(200);
  }
  const response = desk.send(read);
  expect(response.status).toBe(429);
  expect(answerOf(response)).toEqual(refusal('ErrRateLimitExceeded'));
});

test('a key may do for another owner what both its own permissions and the delegation allow', () => {
  const desk = caller();
  const forFriend = { accountId: friendWallets.XBT };
  const ids = (answer: { wallets?: readonly { id?: string }[] }) =>
    answer.wallets?.map((one) => one.id);
  expect(desk.get('/wallets', forFriend)).toEqual(refusal('ErrUnauthorized'));
  const grant = (permissions: number) =>
    desk.simulator.control(
      { kind: 'delegate', keyId: walletKey.id, ownerUserId: 'friend', permissions },
      startMicros,
    );
  grant(1);
  expect(ids(desk.get('/wallets', forFriend))).toEqual(Object.values(friendWallets));
  expect(ids(desk.get('/wallets'))).toEqual(Object.values(deskWallets));
  const wallet = { name: 'More', currency: 'XBT' };
  expect(desk.post('/wallets', wallet, forFriend)).toEqual(refusal('ErrInsufficientPermissions'));
  grant(1 + 16);
  const made = desk.post('/wallets', wallet, forFriend)['id'];
  expect(ids(desk.get('/wallets', forFriend))).toContain(made);
  expect(ids(desk.get('/wallets'))).not.toContain(made);
  grant(0);
  expect(desk.get('/wallets', forFriend)).toEqual(refusal('ErrUnauthorized'));
});

test('a delegation gives a key no permission that it does not have itself', () => {
  const { simulator } = caller();
  const key = { id: 'sim_reader', secret: 'reader-secret' };
  const { secretDigest } = createApiKey(key, { userId: 'desk', permissions: 1 });
  const digest = Buffer.from(secretDigest).toString('hex');
  const rights = { keyId: key.id, secretDigest: digest, userId: 'desk', permissions: 1 };
  simulator.control({ kind: 'add-key', ...rights }, startMicros);
  simulator.control(
    { kind: 'delegate', keyId: key.id, ownerUserId: 'friend', permissions: 1 + 16 },
    startMicros,
  );
  const reader = new WalletCaller(simulator, key);
  const forFriend = { accountId: friendWallets.XBT };
  expect(reader.get('/wallets', forFriend)['wallets']).toHaveLength(2);
  expect(reader.post('/wallets', { name: 'More', currency: 'XBT' }, forFriend)).toEqual(
    refusal('ErrInsufficientPermissions'),
  );
});

test("own accounts need no delegation; another user's account is refused like an unknown one", () => {
  const desk = caller();
  expect(desk.get('/wallets', { accountId: deskWallets.ETH })['wallets']).toHaveLength(4);
  const unknown = desk.get('/wallets', { accountId: '1' });
  const others = desk.get('/wallets', { accountId: friendWallets.ZAR });
  expect(unknown).toEqual(others);
  expect(unknown).toEqual(refusal('ErrUnauthorized'));
});

test.each([
  ['wallet-interface-off', 'desk', 403, 'ErrSvcLabsNotEnabled'],
  ['wallet-interface-maintenance', 'all', 503, 'ErrUnderMaintenance'],
] as const)('an operator can set %s', (restriction, subject, status, code) => {
  const desk = caller();
  const set = (isSet: boolean) =>
    desk.simulator.control({ kind: 'restrict', restriction, subject, isSet }, startMicros);
  set(true);
  const response = desk.send(read);
  expect(response.status).toBe(status);
  expect(answerOf(response)).toEqual(refusal(code));
  set(false);
  expect(desk.send(read).status).toBe(200);
});
