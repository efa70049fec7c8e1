/** Bodies, parameters and error records of the wallet API, independent of an operation. */
import { expect, test } from 'vitest';
import { walletErrorCodes } from '../../../../../../src/venues/luno/api/wallet/error-names.ts';
import { second, startMicros } from '../../../../../support/simulated-exchange.ts';
import {
  answerOf,
  deskWallets,
  friendKey,
  refusal,
  WalletCaller,
  walletKey,
  walletSimulator,
} from '../../../../../support/wallet-caller.ts';

const caller = (): WalletCaller => new WalletCaller(walletSimulator());
const wallets = '/api/wallet/1/wallets';
const create = { method: 'POST', target: wallets };

test.each([
  ['no body', '', 'none'],
  ['a form', 'name=Savings&currency=XBT', 'form'],
  ['plain text', '{"name":"Savings","currency":"XBT"}', 'other'],
  ['broken JSON', '{"name":"Savings",', 'json'],
  ['two objects', '{}{}', 'json'],
  ['an array', '[{"name":"Savings","currency":"XBT"}]', 'json'],
  ['null', 'null', 'json'],
  ['text', '"name"', 'json'],
  ['a number', '1', 'json'],
  ['a million brackets', '['.repeat(1_000_000), 'json'],
] as const)('%s is no request body', (_, body, bodyKind) => {
  const desk = caller();
  const response = desk.send({ ...create, body, bodyKind });
  expect(response.status).toBe(400);
  expect(answerOf(response)).toEqual(refusal('ErrRequestBodyFormat'));
  expect(desk.get('/wallets')['wallets']).toHaveLength(Object.keys(deskWallets).length);
});

test('query parameters do not replace the body', () => {
  const target = `${wallets}?name=Savings&currency=XBT`;
  const response = caller().send({ method: 'POST', target, body: '{}' });
  expect(answerOf(response)).toEqual(refusal('ErrInvalidArguments'));
});

test('JSON is refused by the exchange API', () => {
  const response = walletSimulator().handle(
    {
      method: 'POST',
      path: '/api/1/accounts',
      pairs: [],
      credentials: walletKey,
      bodyKind: 'json',
      signed: { target: '/api/1/accounts', headers: {}, body: '{"currency":"XBT","name":"A"}' },
    },
    startMicros,
  );
  expect(response.status).toBe(400);
  expect(JSON.parse(response.body ?? '')).toMatchObject({ error_code: 'ErrInvalidParameters' });
});

test('undeclared members are ignored, and null means that a member is not given', () => {
  const body = { name: 'Savings', currency: 'XBT', 'name[0]': 'Other', __proto__: 1, more: [1] };
  expect(caller().post('/wallets', body)).toMatchObject({ name: 'Savings' });
  const address = { currency: 'XBT', name: null, walletId: null, networkId: null };
  expect(caller().post('/receive_addresses', address)).toMatchObject({ currency: 'XBT' });
});

test.each([
  [{ name: 7, currency: 'XBT' }],
  [{ name: null, currency: 'XBT' }],
  [{ name: ['Savings'], currency: 'XBT' }],
  [{ name: '', currency: 'XBT' }],
  [{ name: 'a'.repeat(101), currency: 'XBT' }],
  [{ currency: 'XBT' }],
  [{ name: 'Savings' }],
  [{ name: 'Savings', currency: '' }],
  [{ name: 'Savings', currency: 'xbt' }],
  [{ name: 'Savings', currency: 'DOGECOIN' }],
])('a wallet cannot be created from %j', (body) => {
  expect(caller().post('/wallets', body)).toEqual(refusal('ErrInvalidArguments'));
});

test('a name may have 1 or 100 characters', () => {
  const desk = caller();
  for (const name of ['a', 'a'.repeat(100)])
    expect(desk.post('/wallets', { name, currency: 'XBT' })).toMatchObject({ name });
});

test.each([
  ...['', '-1', '+1', '1e3', '.5', '1.', '0x10', '1,5', ' 1', '1 ', 'NaN', '١٢'],
  ...['1000000000000', `0.${'0'.repeat(18)}1`, '9'.repeat(40)],
  ...[0.5, 1, null, true, ['1'], {}],
])('%j is not an amount', (amount) => {
  const body = { toWalletId: deskWallets.ZAR, amount };
  expect(caller().post(`/wallets/${deskWallets.XBT}/transfers`, body)).toEqual(
    refusal('ErrInvalidArguments'),
  );
});

test.each([
  ['/wallets?pageIndex=-1', 'ErrInvalidArguments'],
  ['/wallets?pageIndex=101', 'ErrInvalidArguments'],
  ['/wallets?pageSize=0', 'ErrInvalidArguments'],
  ['/wallets?pageSize=1001', 'ErrInvalidArguments'],
  ['/wallets?pageSize=1.5', 'ErrInvalidArguments'],
  ['/crypto_sends?from=now', 'ErrInvalidArguments'],
  ['/crypto_sends?to=-1', 'ErrInvalidArguments'],
  ['/crypto_sends?from=2000000000000&to=2000000000000', 'ErrInvalidDateRange'],
  ['/crypto_sends?from=2000000000001&to=2000000000000', 'ErrInvalidDateRange'],
  ['/crypto_sends?from=0', 'ErrLessThanMinFromBound'],
  ['/crypto_sends?from=1356998399999', 'ErrLessThanMinFromBound'],
  ['/crypto_sends?to=0', 'ErrLessThanMinToBound'],
  ['/crypto_sends?to=1356998399999', 'ErrLessThanMinToBound'],
  ['/wallets/abc', 'ErrInvalidIdFormat'],
  ['/wallets/-1', 'ErrInvalidIdFormat'],
  ['/wallets/12345678901234567890', 'ErrInvalidIdFormat'],
  ['/wallets/1', 'ErrNotFound'],
] as const)('GET %s is refused with %s', (target, code) => {
  expect(caller().get(target)).toEqual(refusal(code));
});

test.each(['pageIndex=0', 'pageIndex=100', 'pageSize=1', 'pageSize=1000', 'pageIndex=&pageSize='])(
  'GET /wallets?%s is answered',
  (query) => {
    expect(caller().send({ method: 'GET', target: `${wallets}?${query}` }).status).toBe(200);
  },
);

test('every list with a time range refuses an invalid range', () => {
  const { XBT } = deskWallets;
  const paths = [
    `/wallets/${XBT}/transfers`,
    `/wallets/${XBT}/crypto_receives`,
    ...['/trades', '/crypto_sends', '/fiat_deposits'],
  ];
  const desk = caller();
  for (const path of paths)
    expect(desk.get(`${path}?from=2000000000001&to=2000000000000`)).toEqual(
      refusal('ErrInvalidDateRange'),
    );
});

test('every wallet error code can be caused, and its record has two members', () => {
  const desk = caller();
  const read = { method: 'GET', target: wallets };
  for (const code of walletErrorCodes) {
    desk.timeMicros += second;
    desk.simulator.control({ kind: 'fail-next', operation: 'listWallets', code }, desk.timeMicros);
    const response = desk.send(read);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(Object.keys(answerOf(response)).sort()).toEqual(['errorCode', 'message']);
    expect(answerOf(response)).toEqual(refusal(code));
  }
  expect(desk.send(read).status).toBe(200);
  expect(walletErrorCodes).toHaveLength(50);
  expect(new Set(walletErrorCodes).size).toBe(50);
});

test('a wallet of another user is not found', () => {
  const simulator = walletSimulator();
  const friend = new WalletCaller(simulator, friendKey);
  for (const path of ['', '/transfers', '/crypto_receives'])
    expect(friend.get(`/wallets/${deskWallets.XBT}${path}`)).toEqual(refusal('ErrNotFound'));
  expect(friend.put(`/wallets/${deskWallets.XBT}`, { name: 'Mine' })).toEqual(
    refusal('ErrNotFound'),
  );
});
