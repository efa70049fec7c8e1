/** Conversions between ZAR and ZARU, and their idempotency keys. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  expectInOrder,
  type MoneyExchange,
  moneyExchange,
} from '../../../../support/money-exchange.ts';

let exchange: MoneyExchange;
let zar: string;
let zaru: string;
beforeEach(() => {
  exchange = moneyExchange();
  zar = exchange.desk.account('ZAR');
  zaru = exchange.desk.open('ZARU');
});
afterEach(() => expectInOrder(exchange));

const path = '/api/exchange/1/convert';
const request = (more: Readonly<Record<string, string>> = {}) => ({
  amount: '100.5',
  source_account_id: zar,
  target_account_id: zaru,
  idempotency_key: 'first',
  ...more,
});
const codeOf = (more: Readonly<Record<string, string>>) =>
  exchange.desk.post(path, request(more))['error_code'];

test('one ZAR is one ZARU, in both directions', () => {
  const { desk } = exchange;
  expect(desk.post(path, request())).toEqual({
    id: expect.any(String),
    converted_amount: '100.50',
    source_account_balance: '9999899.50',
    target_account_balance: '100.50',
    source_currency: 'ZAR',
    target_currency: 'ZARU',
  });
  const back = { source_account_id: zaru, target_account_id: zar, amount: '0.5' };
  expect(desk.post(path, request({ ...back, idempotency_key: 'back' }))).toMatchObject({
    source_account_balance: '100.00',
    target_account_balance: '9999900.00',
  });
  expect(desk.rows(zaru)).toMatchObject([
    { row_index: 1, balance_delta: '100.50', kind: 'EXCHANGE' },
    { row_index: 2, balance_delta: '-0.50', kind: 'EXCHANGE' },
  ]);
});

describe('an idempotency key', () => {
  test('of a completed conversion returns its first answer and converts nothing', () => {
    const { desk } = exchange;
    const first = desk.post(path, request());
    desk.post(path, request({ idempotency_key: 'second' }));
    expect(desk.post(path, request())).toEqual(first);
    expect(desk.post(path, request({ amount: '100.50' }))).toEqual(first);
    expect(desk.money('ZARU')).toEqual(['201.00', '0.00']);
  });

  test('with another request is a mismatch', () => {
    exchange.desk.post(path, request());
    expect(codeOf({ amount: '100' })).toBe('ErrIdempotencyKeyRequestMismatch');
  });

  test('of a failed conversion cannot be used again', () => {
    const { desk, control } = exchange;
    expect(codeOf({ amount: '20000000' })).toBe('ErrInsufficientBalance');
    control({ kind: 'deposit', accountId: zar, amount: '20000000' });
    expect(codeOf({ amount: '20000000' })).toBe('ErrIdempotencyKeyConflict');
    expect(codeOf({ amount: '1' })).toBe('ErrIdempotencyKeyRequestMismatch');
    expect(desk.post(path, request({ amount: '20000000', idempotency_key: 'new' }))).toMatchObject({
      converted_amount: '20000000.00',
    });
  });

  test('can still be used after an invalid request', () => {
    expect(codeOf({ amount: '0' })).toBe('ErrInvalidAmount');
    expect(exchange.desk.post(path, request())).toMatchObject({ converted_amount: '100.50' });
  });

  test("of one user is not another user's", () => {
    exchange.desk.post(path, request());
    const { friend } = exchange;
    const own = {
      source_account_id: friend.account('ZAR'),
      target_account_id: friend.open('ZARU'),
    };
    expect(friend.post(path, request(own))).toMatchObject({ target_account_balance: '100.50' });
  });

  test.each([
    ['missing', { amount: '1', source_account_id: '1', target_account_id: '2' }],
    ['empty', { amount: '1', source_account_id: '1', target_account_id: '2', idempotency_key: '' }],
  ])('may not be %s', (_, values) => {
    expect(exchange.desk.post(path, values)['error_code']).toBe('ErrMissingIdempotencyKey');
  });
});

describe('a conversion is refused', () => {
  test('between currencies that are not ZAR and ZARU', () => {
    const { desk } = exchange;
    expect(codeOf({ target_account_id: desk.account('XBT') })).toBe('ErrConvertPairNotSupported');
    expect(codeOf({ target_account_id: desk.open('ZAR') })).toBe('ErrConvertPairNotSupported');
  });

  test('into the same account, an unknown one, or a spot account', () => {
    expect(codeOf({ target_account_id: zar })).toBe('ErrAccountsNotDifferent');
    expect(codeOf({ target_account_id: '1' })).toBe('ErrAccountNotFound');
    expect(codeOf({ source_account_id: exchange.friend.account('ZAR') })).toBe(
      'ErrAccountNotFound',
    );
    const spot = exchange.desk.open('ZARU', { account_type: 'SPOT' });
    expect(codeOf({ target_account_id: spot })).toBe('ErrCreditAccountTypeNotSupported');
    expect(codeOf({ source_account_id: spot, target_account_id: zar })).toBe(
      'ErrDebitAccountTypeNotSupported',
    );
  });

  test('while conversions are limited, without using up the key', () => {
    exchange.restrict('conversion-rate', 'desk');
    expect(codeOf({})).toBe('ErrConvertRateLimited');
    exchange.control({
      kind: 'restrict',
      restriction: 'conversion-rate',
      subject: 'desk',
      isSet: false,
    });
    expect(exchange.desk.post(path, request())).toMatchObject({ converted_amount: '100.50' });
  });

  test('for an amount with an exponent', () => {
    expect(codeOf({ amount: '1e3' })).toBe('ErrInvalidValue');
  });
});
