/** Accounts: opening, names, types and pending entries. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountTypes } from '../../../../../src/venues/luno/api/account-types.ts';
import { limitRevisions } from '../../../../../src/venues/luno/api/limits.ts';
import {
  expectInOrder,
  type MoneyExchange,
  moneyExchange,
} from '../../../../support/money-exchange.ts';
import { quietSettings } from '../../../../support/simulated-exchange.ts';

let exchange: MoneyExchange;
beforeEach(() => {
  exchange = moneyExchange();
});
afterEach(() => expectInOrder(exchange));

describe('a new account', () => {
  test('has its own id, no money, and the given name and type', () => {
    const { desk } = exchange;
    const values = { currency: 'XBT', name: 'Savings', account_type: 'SPOT' };
    const created = desk.post('/api/1/accounts', values);
    expect(created).toEqual({ currency: 'XBT', id: expect.any(String), name: 'Savings' });
    expect(desk.balances('XBT')[1]).toEqual({
      account_id: created['id'],
      account_type: 'SPOT',
      asset: 'XBT',
      balance: '0.00',
      reserved: '0.00',
      unconfirmed: '0.00',
      name: 'Savings',
    });
  });

  test('is transactional by default, in any documented currency', () => {
    exchange.desk.open('ZARU');
    expect(exchange.desk.balances('ZARU')).toMatchObject([{ account_type: 'TRANSACTIONAL' }]);
  });

  test.each([
    ['an unknown currency', { currency: 'QQQ', name: 'a' }, 'ErrInvalidCurrency'],
    ['no currency', { name: 'a' }, 'ErrInvalidArguments'],
    ['no name', { currency: 'XBT' }, 'ErrInvalidArguments'],
    [
      'a type that users cannot open',
      { currency: 'XBT', name: 'a', account_type: 'STAKING' },
      'ErrInvalidAccountType',
    ],
  ])('is refused with %s', (_, values, code) => {
    expect(exchange.desk.post('/api/1/accounts', values)['error_code']).toBe(code);
  });

  test('is refused when the user has ten of the currency, of any type', () => {
    const { desk } = exchange;
    for (let count = 2; count <= 10; count++)
      expect(
        desk.open('XBT', { account_type: count % 2 === 0 ? 'SPOT' : 'TRANSACTIONAL' }),
      ).toMatch(/^\d+$/u);
    expect(desk.post('/api/1/accounts', { currency: 'XBT', name: 'a' })['error_code']).toBe(
      'ErrAccountLimit',
    );
    expect(desk.open('ETH')).toMatch(/^\d+$/u);
    expect(desk.balances('XBT')).toHaveLength(10);
  });

  test('is refused when the user has four of the currency, under the limits of earlier revisions', () => {
    const settings = { ...quietSettings, limits: limitRevisions.earlier };
    const { desk } = moneyExchange(undefined, settings);
    for (let count = 2; count <= 4; count++) {
      desk.wait(1000);
      expect(desk.open('XBT')).toMatch(/^\d+$/u);
    }
    expect(desk.post('/api/1/accounts', { currency: 'XBT', name: 'a' })['error_code']).toBe(
      'ErrAccountLimit',
    );
  });

  test('is refused in a currency for which the user is not verified', () => {
    exchange.restrict('unverified-currency', 'desk/NGN');
    const values = { currency: 'NGN', name: 'a' };
    expect(exchange.desk.post('/api/1/accounts', values)['error_code']).toBe(
      'ErrUserNotVerifiedForCurrency',
    );
    expect(exchange.friend.open('NGN')).toMatch(/^\d+$/u);
  });
});

describe('a name', () => {
  test('can be changed', () => {
    const { desk } = exchange;
    const id = desk.account('XBT');
    expect(desk.call('PUT', `/api/1/accounts/${id}/name`, { name: 'Rent' })).toEqual({
      success: true,
    });
    expect(desk.balances('XBT')[0]?.['name']).toBe('Rent');
  });

  test("of another user's account cannot be changed", () => {
    const { desk, friend } = exchange;
    const path = `/api/1/accounts/${friend.account('XBT')}/name`;
    expect(desk.call('PUT', path, { name: 'mine' })['error_code']).toBe('ErrAccountNotFound');
    expect(friend.balances('XBT')[0]?.['name']).not.toBe('mine');
  });
});

describe('balances', () => {
  test('are filtered by any of the nine types', () => {
    const { desk } = exchange;
    desk.open('XBT', { account_type: 'SPOT' });
    expect(accountTypes).toHaveLength(9);
    const countOf = (type: string): number =>
      desk.get('/api/1/balance', { account_type: type })['balance']?.length ?? -1;
    const counts = Object.fromEntries(accountTypes.map((type) => [type, countOf(type)]));
    expect(counts).toMatchObject({ TRANSACTIONAL: 3, SPOT: 1, SAVINGS: 0, EXTERNAL_TOKENISING: 0 });
    expect(Object.values(counts).reduce((all, one) => all + one)).toBe(4);
  });

  test('are refused for an unknown type', () => {
    expect(exchange.desk.get('/api/1/balance', { account_type: 'CURRENT' })['error_code']).toBe(
      'ErrInvalidAccountType',
    );
  });
});

test("pending entries of an unknown or another user's account are refused", () => {
  const { desk, friend } = exchange;
  for (const id of ['1', friend.account('XBT')])
    expect(desk.get(`/api/1/accounts/${id}/pending`)['error_code']).toBe('ErrAccountNotFound');
});
