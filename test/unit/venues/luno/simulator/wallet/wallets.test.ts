/** Wallets, transfers between them and the trades of their owner. */
import { expect, test } from 'vitest';
import { quietSettings, second, startMicros } from '../../../../../support/simulated-exchange.ts';
import {
  deskWallets,
  friendWallets,
  refusal,
  WalletCaller,
  walletKey,
  walletSettings,
  walletSimulator,
} from '../../../../../support/wallet-caller.ts';

const caller = (): WalletCaller => new WalletCaller(walletSimulator());
const { XBT, ZAR } = deskWallets;

function withSecondWallet(): { desk: WalletCaller; second: string; path: string } {
  const desk = caller();
  const made = desk.post('/wallets', { name: 'Second', currency: 'XBT' });
  return { desk, second: String(made['id']), path: `/wallets/${XBT}/transfers` };
}

test('wallets are the accounts of the exchange API, with the same ids', () => {
  const desk = caller();
  expect(desk.get(`/wallets/${XBT}`)).toEqual({
    id: XBT,
    name: 'desk XBT',
    currency: 'XBT',
    balance: '10.00',
    available: '10.00',
    isDefault: true,
  });
  const { body } = desk.simulator.handle(
    { method: 'GET', path: '/api/1/balance', pairs: [], credentials: walletKey, bodyKind: 'none' },
    startMicros,
  );
  const accounts: { account_id: string }[] = JSON.parse(body ?? '').balance;
  const wallets = desk.get('/wallets')['wallets'] ?? [];
  expect(wallets.map((one) => one['id'])).toEqual(accounts.map((one) => one.account_id));
});

test('a wallet can be created and renamed', () => {
  const { desk, second: id } = withSecondWallet();
  expect(desk.get(`/wallets/${id}`)).toMatchObject({ name: 'Second', isDefault: false });
  expect(desk.put(`/wallets/${id}`, { name: 'Third' })).toMatchObject({ id, name: 'Third' });
  expect(desk.get(`/wallets/${id}`)).toMatchObject({ name: 'Third', balance: '0.00' });
});

test('an eleventh wallet, and a wallet for which the user is not verified, are refused', () => {
  const desk = caller();
  const body = { name: 'More', currency: 'XBT' };
  for (let count = 2; count <= 10; count++)
    expect(desk.post('/wallets', body)).toMatchObject({ currency: 'XBT' });
  expect(desk.post('/wallets', body)).toEqual(refusal('ErrInvalidRequest'));
  desk.simulator.control(
    { kind: 'restrict', restriction: 'unverified-currency', subject: 'desk/EUR', isSet: true },
    startMicros,
  );
  expect(desk.post('/wallets', { name: 'Euro', currency: 'EUR' })).toEqual(
    refusal('ErrUserNotVerifiedForCurrency'),
  );
});

test('pages follow each other without gaps and overlaps', () => {
  const desk = caller();
  const ids = (query: string) =>
    (desk.get(`/wallets${query}`)['wallets'] ?? []).map((one) => String(one['id']));
  const all = ids('');
  expect(all).toEqual(Object.values(deskWallets));
  expect([0, 1, 2].flatMap((index) => ids(`?pageSize=3&pageIndex=${index}`))).toEqual(all);
  expect(ids('?pageSize=3&pageIndex=2')).toEqual([]);
});

test('a transfer moves money like a move, and only once per id', () => {
  const { desk, second: toWalletId, path } = withSecondWallet();
  const body = { toWalletId, amount: '0.25', clientTransferId: 'für Miete & more' };
  const made = desk.post(path, body);
  expect(made).toMatchObject({
    walletId: XBT,
    toWalletId,
    currency: 'XBT',
    amount: '0.25',
    clientTransferId: 'für Miete & more',
    status: 'CREATED',
    createdAt: startMicros / 1000,
  });
  expect(desk.post(path, body)).toEqual(refusal('ErrDuplicateClientMoveID'));
  desk.timeMicros += second;
  expect(desk.get(path)['transfers']).toMatchObject([{ id: made['id'], status: 'SUCCESSFUL' }]);
  expect(desk.get(`/wallets/${toWalletId}/transfers`)['transfers']).toMatchObject([
    { id: made['id'] },
  ]);
  expect(desk.get(`/wallets/${ZAR}/transfers`)['transfers']).toEqual([]);
  expect(desk.get(`/wallets/${XBT}`)).toMatchObject({ balance: '9.75', available: '9.75' });
  expect(desk.get(`/wallets/${toWalletId}`)).toMatchObject({ balance: '0.25' });
  expect(desk.simulator.faults()).toEqual([]);
});

test('an id that was used for a move in the exchange API cannot be used again', () => {
  const { desk, second: toWalletId, path } = withSecondWallet();
  const pairs = Object.entries({
    amount: '1',
    debit_account_id: XBT,
    credit_account_id: toWalletId,
    client_move_id: 'one',
  });
  const move = { method: 'POST', path: '/api/exchange/1/move', pairs, bodyKind: 'form' } as const;
  desk.simulator.handle({ ...move, credentials: walletKey }, startMicros);
  expect(desk.post(path, { toWalletId, amount: '1', clientTransferId: 'one' })).toEqual(
    refusal('ErrDuplicateClientMoveID'),
  );
});

test.each<[string, string, object, Parameters<typeof refusal>[0]]>([
  ['nothing', XBT, { amount: '0.000' }, 'ErrAmountTooSmall'],
  ['more than the balance', XBT, { amount: '10.000000000000000001' }, 'ErrInsufficientBalance'],
  ['to itself', XBT, { toWalletId: XBT }, 'ErrInvalidRequest'],
  ['into another currency', XBT, { toWalletId: ZAR }, 'ErrInvalidRequest'],
  ["from another user's wallet", friendWallets.XBT, {}, 'ErrDebitAccountNotOwnedByUser'],
  ['from an unknown wallet', '1', {}, 'ErrDebitAccountNotOwnedByUser'],
  ["to another user's wallet", XBT, { toWalletId: friendWallets.XBT }, 'ErrResourceNotFound'],
  ['to an unknown wallet', XBT, { toWalletId: '1' }, 'ErrResourceNotFound'],
  ['to an invalid id', XBT, { toWalletId: 'a' }, 'ErrInvalidIdFormat'],
  ['from an invalid id', 'a', {}, 'ErrInvalidIdFormat'],
  [
    'with an id that is too long',
    XBT,
    { clientTransferId: 'a'.repeat(256) },
    'ErrInvalidArguments',
  ],
])('a transfer of %s is refused', (_, walletId, change, code) => {
  const { desk, second: toWalletId } = withSecondWallet();
  const body = { toWalletId, amount: '1', ...change };
  expect(desk.post(`/wallets/${walletId}/transfers`, body)).toEqual(refusal(code));
  expect(desk.get(`/wallets/${XBT}`)).toMatchObject({ available: '10.00' });
});

test('a blocked user moves nothing', () => {
  const { desk, second: toWalletId, path } = withSecondWallet();
  desk.simulator.control(
    { kind: 'restrict', restriction: 'blocked-user', subject: 'desk', isSet: true },
    startMicros,
  );
  expect(desk.post(path, { toWalletId, amount: '1' })).toEqual(refusal('ErrBlocked'));
});

test('transfers are listed newest first, from a time and before another', () => {
  const { desk, second: toWalletId, path } = withSecondWallet();
  const times = [1, 2, 3].map((amount) => {
    desk.timeMicros += second;
    return Number(desk.post(path, { toWalletId, amount: String(amount) })['createdAt']);
  });
  const amounts = (query: string) =>
    (desk.get(`${path}${query}`)['transfers'] ?? []).map((one) => String(one['amount']));
  expect(amounts('')).toEqual(['3.00', '2.00', '1.00']);
  expect(amounts(`?from=${times[1]}`)).toEqual(['3.00', '2.00']);
  expect(amounts(`?to=${times[1]}`)).toEqual(['1.00']);
  expect(amounts(`?from=${times[1]}&to=${times[2]}`)).toEqual(['2.00']);
  expect(amounts('?pageSize=2&pageIndex=1')).toEqual(['1.00']);
});

test('trades name market, order and accounts, and can be listed by market', () => {
  const settings = {
    ...walletSettings,
    markets: quietSettings.markets,
  };
  const desk = new WalletCaller(walletSimulator(settings));
  const place = (type: string) => {
    const order = { pair: 'XBTZAR', type, price: '1000000', volume: '0.01' };
    const pairs = Object.entries({ ...order, client_order_id: `mine-${type}` });
    return desk.simulator.handle(
      { method: 'POST', path: '/api/1/postorder', pairs, credentials: walletKey, bodyKind: 'form' },
      startMicros,
    );
  };
  expect(place('ASK').status).toBe(200);
  expect(place('BID').status).toBe(200);
  const trades = desk.get('/trades?marketId=XBTZAR')['trades'] ?? [];
  expect(trades).toHaveLength(2);
  expect(trades.map((one) => one['clientOrderId']).sort()).toEqual(['mine-ASK', 'mine-BID']);
  expect(trades[0]).toMatchObject({
    marketId: 'XBTZAR',
    sequence: '1',
    baseAccountId: XBT,
    counterAccountId: ZAR,
    price: '1000000',
    volume: '0.010000',
    createdAt: startMicros / 1000,
  });
  expect(desk.get('/trades?marketId=ETHXBT')['trades']).toEqual([]);
  expect(desk.get('/trades')['trades']).toEqual(trades);
  expect(desk.get('/trades?pageSize=1&pageIndex=1')['trades']).toEqual([trades[1]]);
  expect(desk.get('/trades?marketId=NOPE')).toEqual(refusal('ErrMarketUnavailable'));
});

test('candles are requested by the name of their duration and end before a time', () => {
  const desk = new WalletCaller(
    walletSimulator({ ...walletSettings, markets: quietSettings.markets }),
  );
  const trade = () => {
    for (const type of ['ASK', 'BID']) {
      const order = { pair: 'XBTZAR', type, price: '1000000', volume: '0.01' };
      const request = { method: 'POST', path: '/api/1/postorder', bodyKind: 'form' } as const;
      const pairs = Object.entries(order);
      desk.simulator.handle({ ...request, pairs, credentials: walletKey }, desk.timeMicros);
    }
  };
  trade();
  desk.timeMicros += 60 * second;
  trade();
  const start = startMicros / 1000;
  const starts = (query: string) =>
    desk
      .get(`/candles?marketId=XBTZAR&${query}`)
      ['candles']?.map((one) => Number(one['timestamp']));
  expect(starts(`duration=1m&from=${start}`)).toEqual([start, start + 60_000]);
  expect(starts(`duration=1m&from=${start}&to=${start + 60_000}`)).toEqual([start]);
  expect(starts(`duration=1h&from=${start}`)).toEqual([start]);
  expect(desk.get(`/candles?marketId=XBTZAR&duration=1m&from=${start}`)).toMatchObject({
    marketId: 'XBTZAR',
    duration: '1m',
    candles: [{ open: '1000000', close: '1000000', volume: '0.010000' }, {}],
  });
  expect(desk.get(`/candles?marketId=NOPE&duration=1m&from=${start}`)).toEqual(
    refusal('ErrMarketUnavailable'),
  );
  expect(desk.get(`/candles?marketId=XBTZAR&duration=60&from=${start}`)).toEqual(
    refusal('ErrInvalidArguments'),
  );
});
