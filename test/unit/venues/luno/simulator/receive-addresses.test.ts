/** Receive addresses, and crypto deposits to them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isChecksummedAddress } from '../../../../../src/venues/luno/api/ethereum-address.ts';
import {
  expectInOrder,
  type MoneyExchange,
  moneyExchange,
} from '../../../../support/money-exchange.ts';

let exchange: MoneyExchange;
beforeEach(() => {
  exchange = moneyExchange();
});
afterEach(() => expectInOrder(exchange));

type Values = Readonly<Record<string, string>>;

const path = '/api/1/funding_address';
const create = (values: Values) => exchange.desk.post(path, values);
const codeOf = (values: Values) => create(values)['error_code'];
const hour = 3_600_000;

describe('a new address', () => {
  test('belongs to the default account and the default network', () => {
    const { desk } = exchange;
    const created = create({ asset: 'XBT', name: 'shop' });
    expect(created).toEqual({
      account_id: desk.account('XBT'),
      address: expect.stringMatching(/^X\w{33}$/u),
      address_meta: [{ label: 'Address', value: created['address'] }],
      asset: 'XBT',
      assigned_at: expect.any(Number),
      name: 'shop',
      network: 1,
      qr_code_uri: `xbt:${created['address']}`,
      receive_fee: '0.00',
      total_received: '0.00',
      total_unconfirmed: '0.00',
    });
    expect(desk.get(path, { asset: 'XBT' })).toEqual(created);
  });

  test('can belong to another account, and then is not the default one', () => {
    const { desk } = exchange;
    const account = desk.open('XBT');
    const created = create({ asset: 'XBT', account_id: account });
    expect(created['account_id']).toBe(account);
    expect(desk.get(path, { asset: 'XBT' })['error_code']).toBe('ErrNoAddressesAssigned');
    expect(desk.get(path, { asset: 'XBT', address: String(created['address']) })).toEqual(created);
  });

  test('of Ethereum has a checksum, and is the only one allowed', () => {
    const created = create({ asset: 'ETH' });
    expect(isChecksummedAddress(String(created['address']))).toBe(true);
    expect(created['network']).toBe(0);
    expect(codeOf({ asset: 'ETH' })).toBe('ErrAddressLimitReached');
  });

  test('of a token is the only one on Ethereum; another network allows another address', () => {
    exchange.desk.open('USDT');
    expect(create({ asset: 'USDT', network: '0' })['network']).toBe(0);
    expect(codeOf({ asset: 'USDT' })).toBe('ErrERC20AddressAlreadyAssigned');
    expect(create({ asset: 'USDT', network: '2' })['network']).toBe(2);
  });

  test('of XRP has a tag', () => {
    exchange.desk.open('XRP');
    expect(create({ asset: 'XRP' })['address_meta']?.[1]).toEqual({
      label: 'XRP Tag',
      value: expect.stringMatching(/^\d+$/u),
    });
  });

  test('can be created ten times at once, then once an hour', () => {
    const { desk } = exchange;
    for (let count = 0; count < 10; count++) expect(create({ asset: 'XBT' })['asset']).toBe('XBT');
    expect(codeOf({ asset: 'XBT' })).toBe('ErrAddressCreateRateLimitReached');
    desk.wait(hour);
    expect(create({ asset: 'XBT' })['asset']).toBe('XBT');
    expect(codeOf({ asset: 'XBT' })).toBe('ErrAddressCreateRateLimitReached');
    desk.wait(20 * hour);
    for (let count = 0; count < 10; count++) expect(create({ asset: 'XBT' })['asset']).toBe('XBT');
    expect(codeOf({ asset: 'XBT' })).toBe('ErrAddressCreateRateLimitReached');
    expect(exchange.friend.post(path, { asset: 'XBT' })['asset']).toBe('XBT');
  });

  test('is refused for fiat money, and for unknown currencies, networks and accounts', () => {
    const { desk, friend } = exchange;
    expect(codeOf({ asset: 'ZAR' })).toBe('ErrInvalidCurrency');
    expect(codeOf({ asset: 'ZARU' })).toBe('ErrInvalidCurrency');
    expect(create({ asset: 'XBT', network: '7' })).toMatchObject({
      error_code: 'ErrInvalidArguments',
      fields: ['network'],
    });
    expect(codeOf({ asset: 'SOL' })).toBe('ErrAccountNotFound');
    expect(codeOf({ asset: 'XBT', account_id: friend.account('XBT') })).toBe('ErrAccountNotFound');
    expect(codeOf({ asset: 'XBT', account_id: desk.account('ETH') })).toBe('ErrInvalidAccountID');
  });

  test('treats network 0, which Go clients send, as not given if the currency has no network 0', () => {
    expect(create({ asset: 'XBT', network: '0', account_id: '0', name: '' })['network']).toBe(1);
  });

  test('needs a transactional account', () => {
    const { desk } = exchange;
    const spot = desk.open('XBT', { account_type: 'SPOT' });
    expect(codeOf({ asset: 'XBT', account_id: spot })).toBe('ErrUnsupportedWalletType');
    const token = desk.open('LINK', { account_type: 'SPOT' });
    expect(codeOf({ asset: 'LINK', account_id: token })).toBe('ErrERC20NonTransactionalAccount');
  });

  test('is refused while the currency is blocked or the user is not verified for it', () => {
    exchange.restrict('blocked-currency', 'XBT');
    expect(codeOf({ asset: 'XBT' })).toBe('ErrBlockedSendsCurrency');
    exchange.restrict('unverified-currency', 'desk/ETH');
    expect(codeOf({ asset: 'ETH' })).toBe('ErrUserNotVerifiedForCurrency');
  });
});

test('an unknown address is not found', () => {
  const address = String(create({ asset: 'XBT' })['address']);
  const { desk, friend } = exchange;
  expect(desk.get(path, { asset: 'XBT', address: 'nowhere' })['error_code']).toBe('ErrNotFound');
  expect(friend.get(path, { asset: 'XBT', address })['error_code']).toBe('ErrNotFound');
  expect(desk.get(path, { asset: 'ETH' })['error_code']).toBe('ErrNoAddressesAssigned');
});

describe('a crypto deposit', () => {
  const arrive = (more: { readonly isQuarantined?: boolean } = {}): string => {
    const address = String(create({ asset: 'XBT' })['address']);
    exchange.control({ kind: 'crypto-deposit', address, amount: '0.5', ...more });
    return address;
  };
  const pending = () => {
    const { desk } = exchange;
    return desk.get(`/api/1/accounts/${desk.account('XBT')}/pending`);
  };

  test('is pending and unconfirmed first, then a ledger row and a transfer', () => {
    const { desk } = exchange;
    const account = desk.account('XBT');
    const address = arrive();
    expect(pending()).toEqual({
      id: account,
      currency: 'XBT',
      name: 'desk XBT',
      transactions: [],
      pending: [
        {
          row_index: 0,
          payment_id: expect.any(String),
          timestamp: expect.any(Number),
          account_id: account,
          currency: 'XBT',
          balance: '10.00',
          balance_delta: '0.50',
          available: '10.00',
          available_delta: '0.00',
          description: 'Receiving XBT: 0 of 3 confirmations',
          reference: '',
          kind: 'TRANSFER',
          details: {},
          detail_fields: { crypto_details: { address, txid: expect.any(String) } },
        },
      ],
    });
    expect(desk.balances('XBT')[0]).toMatchObject({ balance: '10.00', unconfirmed: '0.50' });
    expect(desk.get(path, { asset: 'XBT' })).toMatchObject({
      total_received: '0.00',
      total_unconfirmed: '0.50',
    });
    expectInOrder(exchange);

    desk.wait(10_000);
    expect(pending()['pending']?.[0]?.['description']).toContain('1 of 3');
    desk.wait(20_000);
    expect(pending()['pending']).toEqual([]);
    expect(desk.balances('XBT')[0]).toMatchObject({ balance: '10.50', unconfirmed: '0.00' });
    expect(desk.get(path, { asset: 'XBT' })).toMatchObject({
      total_received: '0.50',
      total_unconfirmed: '0.00',
    });
    const [, row] = desk.rows(account);
    expect(row).toMatchObject({ row_index: 2, balance_delta: '0.50', kind: 'TRANSFER' });
    const [transfer] =
      desk.get('/api/exchange/1/transfers', { account_id: account })['transfers'] ?? [];
    expect(transfer).toMatchObject({ amount: '0.50', fee: '0.00', inbound: true });
    const reference = row?.['reference'];
    expect(transfer?.['transaction_id']).toBe(reference);
  });

  test('can disappear before it is confirmed', () => {
    const { desk, control } = exchange;
    const address = arrive();
    desk.wait(10_000);
    control({ kind: 'drop-crypto-deposits', address });
    expect(pending()['pending']).toEqual([]);
    desk.wait(60_000);
    expect(desk.money('XBT')).toEqual(['10.00', '0.00']);
  });

  test('in quarantine waits for its originator without a time limit', () => {
    const { desk, friend } = exchange;
    arrive({ isQuarantined: true });
    desk.wait(10 * 60_000);
    const [entry] = pending()['pending'] ?? [];
    expect(entry?.['description']).toBe('Receiving XBT: originator needed');
    const values = {
      type: 'receive',
      payment_id: String(entry?.['payment_id']),
      is_legal_entity: 'true',
      institution_name: 'Mint',
      country: 'ZA',
    };
    const validate = '/api/1/address/validate';
    expect(friend.post(validate, values)['error_code']).toBe('ErrNotFound');
    expect(desk.post(validate, { type: 'receive' })).toMatchObject({
      error_code: 'ErrInvalidArguments',
      fields: ['payment_id', 'beneficiary_name', 'nationality', 'date_of_birth', 'country'],
    });
    expect(desk.post(validate, values)).toEqual({ success: true });
    expect(desk.money('XBT')).toEqual(['10.50', '0.00']);
  });
});
