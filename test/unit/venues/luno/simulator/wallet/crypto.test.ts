/** Networks, receive addresses, receives, sends and estimates. */
import { expect, test } from 'vitest';
import type { Control } from '../../../../../../src/venues/luno/simulator/world/world-command.ts';
import { second, startMicros } from '../../../../../support/simulated-exchange.ts';
import {
  deskWallets,
  friendKey,
  friendWallets,
  refusal,
  WalletCaller,
  walletKey,
  walletSimulator,
} from '../../../../../support/wallet-caller.ts';

const caller = (): WalletCaller => new WalletCaller(walletSimulator());
const { XBT, ETH } = deskWallets;
const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const ethereum = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ripple = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH';
const send = { currency: 'XBT', amount: '1', address: bitcoin };

function control(desk: WalletCaller, what: Control): void {
  desk.simulator.control(what, desk.timeMicros);
}

test('a network has a number, a name and a native currency', () => {
  const desk = caller();
  expect(desk.get('/crypto_networks?currency=XBT')).toEqual({
    networks: [{ networkId: '1', name: 'Bitcoin', nativeCurrency: 'XBT' }],
  });
  const all = desk.get('/crypto_networks')['networks'] ?? [];
  const ids = all.map((one) => String(one['networkId']));
  expect(new Set(ids).size).toBe(ids.length);
  for (const currency of ['USDC', 'USDT'])
    for (const one of desk.get(`/crypto_networks?currency=${currency}`)['networks'] ?? [])
      expect(ids).toContain(one['networkId']);
  expect(desk.get('/crypto_networks?currency=ZAR')).toEqual(refusal('ErrInvalidArguments'));
});

test('a receive address is the same as in the exchange API', () => {
  const desk = caller();
  const made = desk.post('/receive_addresses', { currency: 'XBT', name: 'Cold' });
  expect(made).toMatchObject({
    currency: 'XBT',
    walletId: XBT,
    networkId: '1',
    name: 'Cold',
    createdAt: startMicros / 1000,
    totalReceived: '0.00',
    totalUnconfirmed: '0.00',
    receiveFee: '0.00',
    metaData: [{ label: 'Address', value: made['address'] }],
  });
  const { body } = desk.simulator.handle(
    {
      method: 'GET',
      path: '/api/1/funding_address',
      pairs: [['asset', 'XBT']],
      credentials: walletKey,
      bodyKind: 'none',
    },
    startMicros,
  );
  expect(JSON.parse(body ?? '')).toMatchObject({ address: made['address'], account_id: XBT });
});

test('addresses are listed newest first, for all currencies or for one', () => {
  const desk = caller();
  const [first, other, last] = ['XBT', 'ETH', 'XBT'].map((currency) =>
    desk.post('/receive_addresses', { currency }),
  );
  expect(desk.get('/receive_addresses')['addresses']).toEqual([last, other, first]);
  expect(desk.get('/receive_addresses?currency=XBT')['addresses']).toEqual([last, first]);
  expect(desk.get('/receive_addresses?pageSize=1&pageIndex=1')['addresses']).toEqual([other]);
  expect('name' in (first ?? {})).toBe(false);
});

test.each<[string, object, Parameters<typeof refusal>[0]]>([
  ['an unknown network', { networkId: '99' }, 'ErrInvalidNetworkId'],
  ["another currency's network", { networkId: '0' }, 'ErrInvalidNetworkId'],
  ['a network that is not a number', { networkId: 'bitcoin' }, 'ErrInvalidNetworkId'],
  ['a wallet of another currency', { walletId: ETH }, 'ErrInvalidRequest'],
  ["another user's wallet", { walletId: friendWallets.XBT }, 'ErrNotFound'],
  ['an invalid wallet id', { walletId: 'x' }, 'ErrInvalidIdFormat'],
  ['a currency without a wallet', { currency: 'LTC' }, 'ErrNotFound'],
  ['a fiat currency', { currency: 'ZAR' }, 'ErrInvalidArguments'],
])('an address for %s is refused', (_, change, code) => {
  const desk = caller();
  expect(desk.post('/receive_addresses', { currency: 'XBT', ...change })).toEqual(refusal(code));
  expect(desk.get('/receive_addresses')['addresses']).toEqual([]);
});

test('ten addresses can be created at once, the next an hour later', () => {
  const desk = caller();
  const body = { currency: 'XBT' };
  for (let i = 0; i < 10; i++)
    expect(desk.post('/receive_addresses', body)).toMatchObject({ currency: 'XBT' });
  expect(desk.post('/receive_addresses', body)).toEqual(refusal('ErrRateLimitExceeded'));
  desk.timeMicros += 3600 * second;
  expect(desk.post('/receive_addresses', body)).toMatchObject({ currency: 'XBT' });
});

test('a second Ethereum address, and an address of a blocked currency, are refused', () => {
  const desk = caller();
  expect(desk.post('/receive_addresses', { currency: 'ETH' })).toMatchObject({ networkId: '0' });
  expect(desk.post('/receive_addresses', { currency: 'ETH' })).toEqual(
    refusal('ErrInvalidRequest'),
  );
  control(desk, {
    kind: 'restrict',
    restriction: 'blocked-currency',
    subject: 'XRP',
    isSet: true,
  });
  expect(desk.post('/receive_addresses', { currency: 'XRP' })).toEqual(
    refusal('ErrReceivesDisabled'),
  );
});

test('a deposit is unconfirmed first, and is listed as a receive once it is confirmed', () => {
  const desk = caller();
  const { address = '' } = desk.post('/receive_addresses', { currency: 'XBT' });
  control(desk, { kind: 'crypto-deposit', address: String(address), amount: '0.5' });
  expect(desk.get('/receive_addresses')['addresses']).toMatchObject([
    { totalReceived: '0.00', totalUnconfirmed: '0.50' },
  ]);
  expect(desk.get(`/wallets/${XBT}/crypto_receives`)['receives']).toEqual([]);
  desk.timeMicros += 60 * second;
  expect(desk.get('/receive_addresses')['addresses']).toMatchObject([
    { totalReceived: '0.50', totalUnconfirmed: '0.00' },
  ]);
  const [receive] = desk.get(`/wallets/${XBT}/crypto_receives`)['receives'] ?? [];
  expect(receive).toMatchObject({
    walletId: XBT,
    targetAddress: address,
    currency: 'XBT',
    amount: '0.50',
    networkId: '1',
  });
  const at = Number(receive?.['createdAt']);
  const between = (from: number, to: number) =>
    desk.get(`/wallets/${XBT}/crypto_receives?from=${from}&to=${to}`)['receives'];
  expect(between(at, at + 1)).toHaveLength(1);
  expect(between(at - 1, at)).toHaveLength(0);
  expect(desk.simulator.faults()).toEqual([]);
});

test('a send reserves amount and fee, and is completed when they have left', () => {
  const desk = caller();
  const fee = desk.get(`/crypto_sends/estimate?currency=XBT&amount=1&address=${bitcoin}`);
  expect(fee).toMatchObject({ currency: 'XBT' });
  const made = desk.post('/crypto_sends', { ...send, description: 'Rent', externalId: 'rent_1-a' });
  expect(made).toEqual({
    id: made['id'],
    currency: 'XBT',
    walletId: XBT,
    targetAddress: bitcoin,
    createdAt: startMicros / 1000,
    updatedAt: startMicros / 1000,
    amount: '1.00',
    fee: fee['fee'],
    status: 'PENDING',
    description: 'Rent',
  });
  expect(desk.get(`/wallets/${XBT}`)).toMatchObject({ balance: '10.00', available: '8.99995' });
  desk.timeMicros += 10 * second;
  const [sent] = desk.get('/crypto_sends')['sends'] ?? [];
  expect(sent).toMatchObject({ id: made['id'], status: 'COMPLETED' });
  expect(Number(sent?.['updatedAt'])).toBeGreaterThan(startMicros / 1000);
  expect(desk.get(`/wallets/${XBT}`)).toMatchObject({ balance: '8.99995', available: '8.99995' });
  expect(desk.get(`/wallets/${XBT}/crypto_receives`)['receives']).toEqual([]);
  expect(desk.simulator.faults()).toEqual([]);
});

test('a send to another user arrives there at once', () => {
  const simulator = walletSimulator();
  const desk = new WalletCaller(simulator);
  const friend = new WalletCaller(simulator, friendKey);
  const { address } = friend.post('/receive_addresses', { currency: 'XBT' });
  expect(desk.post('/crypto_sends', { ...send, address })).toMatchObject({
    status: 'COMPLETED',
    fee: '0.00',
  });
  expect(friend.get(`/wallets/${friendWallets.XBT}/crypto_receives`)['receives']).toMatchObject([
    { amount: '1.00', targetAddress: address },
  ]);
  expect(friend.get('/crypto_sends')['sends']).toEqual([]);
  expect(simulator.faults()).toEqual([]);
});

test.each<[string, object, Parameters<typeof refusal>[0]]>([
  ['of nothing', { amount: '0' }, 'ErrAmountTooSmall'],
  ['of too little', { amount: '0.000001' }, 'ErrAmountTooSmall'],
  ['of too much', { amount: '999999999999' }, 'ErrAmountTooBig'],
  ['of more than the balance', { amount: '10' }, 'ErrInsufficientBalance'],
  ['to a person', { address: 'jane@example.com' }, 'ErrSocialSendsDisabled'],
  ['to text that is not an address', { address: 'x y' }, 'ErrInvalidAddress'],
  [
    'to an Ethereum address without its checksum',
    { currency: 'ETH', address: ethereum.toLowerCase() },
    'ErrInvalidAddress',
  ],
  ['with a tag for Bitcoin', { destinationTag: '1' }, 'ErrInvalidDestinationTag'],
  [
    'with too large a tag',
    { currency: 'XRP', address: ripple, destinationTag: '4294967296' },
    'ErrInvalidDestinationTag',
  ],
  ['with a tag that is not a number', { destinationTag: 'x' }, 'ErrInvalidDestinationTag'],
  ['with too long a description', { description: '\u{1f4b8}'.repeat(257) }, 'ErrInvalidArguments'],
  ['with an invalid external id', { externalId: 'a b' }, 'ErrInvalidArguments'],
  ['from a wallet of another currency', { walletId: ETH }, 'ErrInvalidRequest'],
  ["from another user's wallet", { walletId: friendWallets.XBT }, 'ErrNotFound'],
  ['from an invalid wallet id', { walletId: 'x' }, 'ErrInvalidIdFormat'],
  ['with a flag that is text', { isForex: 'true' }, 'ErrInvalidArguments'],
  ['of fiat money', { currency: 'ZAR' }, 'ErrInvalidArguments'],
])('a send %s is refused', (_, change, code) => {
  const desk = caller();
  expect(desk.post('/crypto_sends', { ...send, ...change })).toEqual(refusal(code));
  expect(desk.get('/crypto_sends')['sends']).toEqual([]);
  expect(desk.get(`/wallets/${XBT}`)).toMatchObject({ available: '10.00' });
});

test.each([
  ['0', '4294967295'],
  ['4294967295', '0'],
])('a tag of %s is sent', (destinationTag) => {
  const body = { currency: 'XRP', amount: '10', address: ripple, destinationTag };
  expect(caller().post('/crypto_sends', body)).toMatchObject({ status: 'PENDING' });
});

test('an external id can be used for one send, and a second send has to wait', () => {
  const desk = caller();
  const body = { ...send, externalId: 'one' };
  expect(desk.post('/crypto_sends', body)).toMatchObject({ status: 'PENDING' });
  const { status } = desk.send({
    method: 'POST',
    target: '/api/wallet/1/crypto_sends',
    body: JSON.stringify(body),
  });
  expect(status).toBe(409);
  expect(desk.post('/crypto_sends', body)).toEqual(refusal('ErrDuplicateSend'));
  expect(desk.post('/crypto_sends', send)).toEqual(refusal('ErrActiveCryptoRequestExists'));
  desk.timeMicros += 60 * second;
  expect(desk.post('/crypto_sends', body)).toEqual(refusal('ErrDuplicateSend'));
  expect(desk.post('/crypto_sends', send)).toMatchObject({ status: 'PENDING' });
});

test.each([
  ['blocked-user', 'desk', 'ErrBlocked'],
  ['address-book-only', 'desk', 'ErrNotInAddressBook'],
  ['travel-rule', 'desk', 'ErrTravelRule'],
  ['low-verification', 'desk', 'ErrUserNotVerifiedForCurrency'],
  ['unverified-currency', 'desk/XBT', 'ErrUserNotVerifiedForCurrency'],
  ['disallowed-target', bitcoin, 'ErrNotInAddressBook'],
] as const)('a send under %s is refused', (restriction, subject, code) => {
  const desk = caller();
  control(desk, { kind: 'restrict', restriction, subject, isSet: true });
  expect(desk.post('/crypto_sends', send)).toEqual(refusal(code));
});

test('a validated address is in the address book', () => {
  const desk = caller();
  const restriction = 'address-book-only';
  control(desk, { kind: 'restrict', restriction, subject: 'desk', isSet: true });
  const pairs = Object.entries({ address: bitcoin, currency: 'XBT', is_self_send: 'true' });
  const path = '/api/1/address/validate';
  const request = {
    method: 'POST',
    path,
    pairs,
    credentials: walletKey,
    bodyKind: 'form',
  } as const;
  expect(desk.simulator.handle(request, startMicros).status).toBe(200);
  expect(desk.post('/crypto_sends', send)).toMatchObject({ status: 'PENDING' });
});

test('beyond the yearly foreign-asset limit a forex send needs the declaration', () => {
  const desk = caller();
  const forex = { ...send, amount: '0.1', isForex: true };
  expect(desk.post('/crypto_sends', forex)).toMatchObject({ status: 'PENDING' });
  desk.timeMicros += 60 * second;
  const restriction = 'forex-limit-exceeded';
  control(desk, { kind: 'restrict', restriction, subject: 'desk', isSet: true });
  for (const declaration of [{}, { forexNoticeSelfDeclaration: false }]) {
    const answer = desk.post('/crypto_sends', { ...forex, ...declaration });
    expect(answer).toEqual(refusal('ErrInvalidArguments'));
    expect(answer['message']).toContain('forexNoticeSelfDeclaration');
  }
  expect(desk.post('/crypto_sends', { ...forex, forexNoticeSelfDeclaration: true })).toMatchObject({
    status: 'PENDING',
  });
  desk.timeMicros += 60 * second;
  expect(desk.post('/crypto_sends', { ...send, isForex: false })).toMatchObject({
    status: 'PENDING',
  });
});

test.each([
  ['currency=XBT&amount=0&address=1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'ErrAmountTooSmall'],
  ['currency=XBT&amount=1&address=x', 'ErrInvalidAddress'],
  ['currency=XBT&amount=1&address=jane@example.com', 'ErrSocialSendsDisabled'],
  ['currency=XBT&amount=1', 'ErrInvalidArguments'],
] as const)('an estimate for %s is refused with %s', (query, code) => {
  expect(caller().get(`/crypto_sends/estimate?${query}`)).toEqual(refusal(code));
});
