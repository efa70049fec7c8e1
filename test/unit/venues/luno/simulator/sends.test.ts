/** Sends of crypto: to outside addresses, to users, and to e-mail addresses without a user. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  bitcoinAddress,
  ethereumAddress,
  expectInOrder,
  type MoneyExchange,
  moneyExchange,
  rippleAddress,
} from '../../../../support/money-exchange.ts';

let exchange: MoneyExchange;
beforeEach(() => {
  exchange = moneyExchange();
});
afterEach(() => expectInOrder(exchange));

type Values = Readonly<Record<string, string>>;

const send = (more: Values = {}) =>
  exchange.desk.post('/api/1/send', {
    amount: '1.5',
    currency: 'XBT',
    address: bitcoinAddress,
    ...more,
  });
const codeOf = (more: Values = {}) => send(more)['error_code'];

describe('a send to an outside address', () => {
  test('is reserved with its fee and completes later', () => {
    const { desk } = exchange;
    expect(send({ description: 'rent' })).toEqual({
      success: true,
      withdrawal_id: expect.any(String),
    });
    expect(desk.money('XBT')).toEqual(['10.00', '1.50005']);
    desk.wait(2_000);
    expect(desk.money('XBT')).toEqual(['8.49995', '0.00']);
    const account = desk.account('XBT');
    expect(desk.rows(account).slice(1)).toMatchObject([
      { balance_delta: '0.00', available_delta: '-1.50005' },
      {
        balance_delta: '-1.50',
        available_delta: '0.00',
        description: 'rent',
        kind: 'TRANSFER',
        detail_fields: { crypto_details: { address: bitcoinAddress } },
      },
      { balance_delta: '-0.00005', kind: 'FEE' },
    ]);
    expect(
      desk.get('/api/exchange/1/transfers', { account_id: account })['transfers'],
    ).toMatchObject([{ amount: '1.50', fee: '0.00005', inbound: false }]);
  });

  test('costs the fee that the send-fee operation reports', () => {
    const values = { address: bitcoinAddress, amount: '1.5', currency: 'XBT' };
    expect(exchange.desk.get('/api/1/send_fee', values)).toEqual({
      currency: 'XBT',
      fee: '0.00005',
    });
    expect(exchange.desk.get('/api/1/send_fee', { ...values, address: 'a b' })['error_code']).toBe(
      'ErrInvalidArguments',
    );
    expect(exchange.desk.get('/api/1/send_fee', { ...values, amount: '0' })['error_code']).toBe(
      'ErrInvalidAmount',
    );
  });

  test('blocks another send of its currency until it is completed', () => {
    send();
    expect(codeOf()).toBe('ErrActiveCryptoRequestExists');
    expect(send({ currency: 'ETH', address: ethereumAddress })['success']).toBe(true);
    exchange.desk.wait(2_000);
    expect(send()['success']).toBe(true);
  });

  test('with a used external id is refused, even after the first send has completed', () => {
    send({ external_id: 'a-1_b' });
    expect(codeOf({ external_id: 'a-1_b' })).toBe('ErrDuplicateExternalID');
    exchange.desk.wait(10_000);
    expect(codeOf({ external_id: 'a-1_b', amount: '0.1' })).toBe('ErrDuplicateExternalID');
    expect(codeOf({ external_id: 'a;b' })).toBe('ErrInvalidArguments');
  });

  test('can be made from another account', () => {
    const { desk, control } = exchange;
    const second = desk.open('XBT');
    expect(codeOf({ account_id: second })).toBe('ErrInsufficientBalance');
    control({ kind: 'deposit', accountId: second, amount: '2' });
    expect(send({ account_id: second })['success']).toBe(true);
    expect(desk.balances('XBT')[1]).toMatchObject({ balance: '2.00', reserved: '1.50005' });
  });
});

describe('a send inside the exchange', () => {
  test('to an address arrives at once and is free', () => {
    const { desk, friend } = exchange;
    const address = String(friend.post('/api/1/funding_address', { asset: 'XBT' })['address']);
    const values = { address, amount: '1', currency: 'XBT' };
    expect(desk.get('/api/1/send_fee', values)['fee']).toBe('0.00');
    expect(send({ address })['success']).toBe(true);
    expect(desk.money('XBT')).toEqual(['8.50', '0.00']);
    expect(friend.money('XBT')).toEqual(['11.50', '0.00']);
    expect(friend.get('/api/1/funding_address', { asset: 'XBT' })['total_received']).toBe('1.50');
    expect(send({ address })['success']).toBe(true);
  });

  test('to an e-mail address reaches its user, even without an account of the currency', () => {
    const { desk, friend, control } = exchange;
    control({ kind: 'set-email', userId: 'other', email: 'Jane@example.com' });
    const account = desk.open('SOL');
    control({ kind: 'deposit', accountId: account, amount: '3' });
    expect(
      send({ currency: 'SOL', address: 'jane@EXAMPLE.com', amount: '2', message: 'hi' })['success'],
    ).toBe(true);
    expect(friend.money('SOL')).toEqual(['2.00', '0.00']);
  });

  test('to a user who cannot open an account of the currency is refused, without an 11th account', () => {
    const { desk, friend, control } = exchange;
    const account = desk.open('SOL');
    control({ kind: 'deposit', accountId: account, amount: '5' });
    const values = { currency: 'SOL', address: 'jane@example.com', amount: '2' };
    expect(send(values)['success']).toBe(true);
    const open = (name: string) =>
      friend.post('/api/1/accounts', { currency: 'SOL', name, account_type: 'SPOT' });
    for (let i = 1; i <= 10; i++) expect(open(`spot ${i}`)['id']).toBeDefined();
    expect(open('spot 11')['error_code']).toBe('ErrAccountLimit');
    control({ kind: 'set-email', userId: 'other', email: 'jane@example.com' });
    expect(desk.money('SOL')).toEqual(['5.00', '2.00']);
    expect(codeOf(values)).toBe('ErrAccountLimit');
    const own = friend.get('/api/1/balance', { assets: 'SOL' })['balance'] as readonly unknown[];
    expect(own).toHaveLength(10);
  });

  test('to an e-mail address without a user is an invitation that can be completed later', () => {
    const { desk, friend, control } = exchange;
    send({ address: 'new@example.com' });
    desk.wait(3_600_000);
    expect(desk.money('XBT')).toEqual(['10.00', '1.50']);
    expect(send()['success']).toBe(true);
    expectInOrder(exchange);
    control({ kind: 'set-email', userId: 'other', email: 'new@example.com' });
    expect(friend.money('XBT')).toEqual(['11.50', '0.00']);
    desk.wait(2_000);
    expect(desk.money('XBT')).toEqual(['6.99995', '0.00']);
  });
});

describe('a send is refused', () => {
  test.each<[string, Values, string]>([
    ['of zero', { amount: '0' }, 'ErrInvalidAmount'],
    ['of an amount with an exponent', { amount: '1e-5' }, 'ErrInvalidValue'],
    ['below the minimum', { amount: '0.000001' }, 'ErrAmountTooSmall'],
    ['above the maximum', { amount: '1000000001' }, 'ErrAmountTooBig'],
    ['of more than the balance, with the fee', { amount: '10' }, 'ErrInsufficientBalance'],
    ['of fiat money', { currency: 'ZAR' }, 'ErrInvalidCurrency'],
    [
      'of a currency without an account',
      { currency: 'SOL', address: 'a'.repeat(40) },
      'ErrAccountNotFound',
    ],
    ['without an address', { address: '' }, 'ErrInvalidArguments'],
    ['to text that is not an address', { address: 'a b' }, 'ErrInvalidArguments'],
    [
      'to an Ethereum address in the wrong case',
      {
        currency: 'ETH',
        address: ethereumAddress.toUpperCase().replace('0X', '0x'),
      },
      'ErrInvalidArguments',
    ],
    [
      'of Ethereum to an e-mail address',
      { currency: 'ETH', address: 'a@b.co' },
      'ErrInvalidArguments',
    ],
    [
      'with a description of 257 characters',
      { description: 'a'.repeat(257) },
      'ErrDescriptionTooLong',
    ],
    ['on a network that its currency lacks', { network: '9' }, 'ErrInvalidArguments'],
    [
      'with a tag of a currency that is not XRP',
      { has_destination_tag: 'true', destination_tag: '1' },
      'ErrInvalidArguments',
    ],
    ['from an unknown account', { account_id: '1' }, 'ErrAccountNotFound'],
  ])('%s', (_, more, code) => {
    expect(codeOf(more)).toBe(code);
    expect(exchange.desk.money('XBT')).toEqual(['10.00', '0.00']);
  });

  test('from a spot account or an account of another currency', () => {
    const { desk } = exchange;
    expect(codeOf({ account_id: desk.account('ETH') })).toBe('ErrInvalidAccountID');
    const spot = desk.open('XBT', { account_type: 'SPOT' });
    expect(codeOf({ account_id: spot })).toBe('ErrInvalidWalletType');
  });

  test.each([
    ['low-verification', 'desk', 'ErrVerificationLevelTooLow'],
    ['travel-rule', 'desk', 'ErrTravelRule'],
    ['migrating-accounts', 'desk', 'ErrAccountIsMigrating'],
    ['unverified-currency', 'desk/XBT', 'ErrUserNotVerifiedForCurrency'],
    ['blocked-currency', 'XBT', 'ErrBlockedSendsCurrency'],
    ['disallowed-target', bitcoinAddress, 'ErrDisallowedTarget'],
  ] as const)('under %s', (restriction, subject, code) => {
    exchange.restrict(restriction, subject);
    expect(codeOf()).toBe(code);
  });
});

describe('a send is accepted', () => {
  test.each(['a', '\u{1f4b8}'])('with a description of 256 characters, each %s', (character) => {
    expect(codeOf({ description: character.repeat(257) })).toBe('ErrDescriptionTooLong');
    expect(send({ description: character.repeat(256) })['success']).toBe(true);
  });

  test('with every optional parameter at its zero value, as Go clients send them', () => {
    const zeros = {
      description: '',
      message: '',
      external_id: '',
      has_destination_tag: 'false',
      destination_tag: '0',
      memo: '',
      is_forex_send: 'false',
      is_drb: 'false',
      forex_notice_self_declaration: 'false',
      account_id: '0',
      network: '0',
    };
    expect(send(zeros)['success']).toBe(true);
    exchange.desk.wait(2_000);
    expect(send(zeros)['success']).toBe(true);
  });

  test('of XRP with the flag and the tag zero', () => {
    const { desk, control } = exchange;
    control({ kind: 'deposit', accountId: desk.open('XRP'), amount: '50' });
    const values = { currency: 'XRP', address: rippleAddress, amount: '10' };
    expect(codeOf({ ...values, has_destination_tag: 'true' })).toBe('ErrInvalidArguments');
    expect(send({ ...values, has_destination_tag: 'true', destination_tag: '0' })['success']).toBe(
      true,
    );
  });
});

test('networks are listed, the default one first', () => {
  const networksOf = (currency: string) =>
    exchange.desk.get('/api/1/send/networks', { currency })['networks'];
  expect(networksOf('ETH')).toEqual([{ id: 0, name: 'Ethereum', native_currency: 'ETH' }]);
  expect(networksOf('USDT')).toEqual([
    { id: 0, name: 'Ethereum', native_currency: 'ETH' },
    { id: 2, name: 'Tron', native_currency: 'TRX' },
  ]);
  expect(networksOf('XBT')).toEqual([{ id: 1, name: 'Bitcoin', native_currency: 'XBT' }]);
  expect(exchange.desk.get('/api/1/send/networks', { currency: 'ZAR' })['error_code']).toBe(
    'ErrInvalidCurrency',
  );
});
