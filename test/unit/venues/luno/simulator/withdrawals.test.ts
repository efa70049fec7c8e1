/** Bank accounts, and withdrawals to them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withdrawalMethodCodes } from '../../../../../src/venues/luno/api/currencies.ts';
import { matchesWildcard } from '../../../../../src/venues/luno/simulator/money/beneficiaries.ts';
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

const bankPath = '/api/1/beneficiaries';
const addBank = (more: Values = {}) =>
  exchange.desk.post(bankPath, {
    bank_name: 'FIRNZAJJ123',
    bank_account_number: '62000000001',
    account_type: 'Savings',
    bank_recipient: 'Jane Doe',
    ...more,
  });

const path = '/api/1/withdrawals';
const create = (more: Values = {}) =>
  exchange.desk.post(path, { type: 'ZAR_EFT', amount: '1000', ...more });
const codeOf = (more: Values = {}) => create(more)['error_code'];

describe('a bank account', () => {
  test('has the given details, with country and branch from the SWIFT code', () => {
    const { id } = addBank();
    expect(exchange.desk.get(bankPath)['beneficiaries']).toEqual([
      {
        id,
        bank_name: 'FIRNZAJJ123',
        bank_account_number: '62000000001',
        bank_account_branch: '123',
        bank_account_type: 'Savings',
        bank_country: 'ZA',
        bank_recipient: 'Jane Doe',
        created_at: expect.any(Number),
        supports_fast_withdrawals: true,
      },
    ]);
    expect(exchange.friend.get(bankPath)['beneficiaries']).toEqual([]);
  });

  test.each([
    ['a bank that is not a SWIFT code', { bank_name: 'First Bank' }, 'ErrInvalidDetails'],
    ['a branch of two characters', { bank_name: 'FIRNZAJJ12' }, 'ErrInvalidBranchCode'],
    ['a short number', { bank_account_number: '12' }, 'ErrInvalidAccountNumber'],
    ['an unknown type', { account_type: 'CURRENT' }, 'ErrInvalidAccountType'],
    ['no recipient', { bank_recipient: '' }, 'ErrInvalidArguments'],
  ])('is refused with %s', (_, more, code) => {
    expect(addBank(more)['error_code']).toBe(code);
    expect(exchange.desk.get(bankPath)['beneficiaries']).toEqual([]);
  });

  test('is deleted with the members of the document, once', () => {
    const { id } = addBank();
    expect(exchange.friend.call('DELETE', `${bankPath}/${id}`)['error_code']).toBe(
      'ErrBeneficiaryNotFound',
    );
    expect(exchange.desk.call('DELETE', `${bankPath}/${id}`)).toEqual({ code: '', message: '' });
    expect(exchange.desk.call('DELETE', `${bankPath}/${id}`)['error_code']).toBe(
      'ErrBeneficiaryNotFound',
    );
    expect(exchange.desk.get(bankPath)['beneficiaries']).toEqual([]);
  });

  test.each([
    ['Jane Doe', true],
    ['Jane*', true],
    ['*Doe', true],
    ['*ne D*', true],
    ['*', true],
    ['**', true],
    ['Jane', false],
    ['*Jane', false],
    ['Doe*', false],
    ['J*e', false],
    ['jane doe', false],
  ])('of "Jane Doe" matches %j: %s', (wanted, isFound) => {
    addBank();
    const found = exchange.desk.get(bankPath, { bank_recipient: wanted })['beneficiaries'];
    expect(found).toHaveLength(isFound ? 1 : 0);
    expect(matchesWildcard('Jane Doe', wanted)).toBe(isFound);
  });
});

describe('a withdrawal', () => {
  test('is reserved, then processed, then paid, and then is listed as a transfer', () => {
    const { desk } = exchange;
    addBank();
    const created = create({ external_id: 'payday' });
    expect(created).toEqual({
      id: expect.any(String),
      status: 'PENDING',
      created_at: expect.any(Number),
      type: 'ZAR_EFT',
      currency: 'ZAR',
      amount: '1000.00',
      fee: '5.00',
      external_id: 'payday',
      transfer_id: '',
    });
    expect(desk.money('ZAR')).toEqual(['10000000.00', '1005.00']);
    const one = `${path}/${created['id']}`;
    desk.wait(60_000);
    expect(desk.get(one)['status']).toBe('PROCESSING');
    desk.wait(60_000);
    const done = desk.get(one);
    expect(done['status']).toBe('COMPLETED');
    expect(desk.money('ZAR')).toEqual(['9998995.00', '0.00']);
    const account = desk.account('ZAR');
    expect(desk.rows(account).slice(1)).toMatchObject([
      { kind: 'TRANSFER', balance_delta: '0.00', available_delta: '-1005.00' },
      { kind: 'TRANSFER', balance_delta: '-1000.00', available_delta: '0.00' },
      { kind: 'FEE', balance_delta: '-5.00', available_delta: '0.00' },
    ]);
    expect(desk.get('/api/exchange/1/transfers', { account_id: account })['transfers']).toEqual([
      {
        id: done['transfer_id'],
        amount: '1000.00',
        fee: '5.00',
        created_at: expect.any(Number),
        inbound: false,
        transaction_id: created['id'],
      },
    ]);
  });

  test('can be cancelled only while it is pending', () => {
    const { desk } = exchange;
    addBank();
    const { id } = create();
    expect(exchange.friend.call('DELETE', `${path}/${id}`)['error_code']).toBe(
      'ErrWithdrawalNotFound',
    );
    expect(desk.call('DELETE', `${path}/${id}`)).toMatchObject({ id, status: 'CANCELLED' });
    expect(desk.money('ZAR')).toEqual(['10000000.00', '0.00']);
    expect(desk.call('DELETE', `${path}/${id}`)['error_code']).toBe('ErrInvalidArguments');
    desk.wait(300_000);
    expect(desk.get(`${path}/${id}`)['status']).toBe('CANCELLED');
    const late = create()['id'];
    desk.wait(60_000);
    expect(desk.call('DELETE', `${path}/${late}`)['error_code']).toBe('ErrInvalidArguments');
  });

  test('cannot be cancelled by a user who is blocked from cancels', () => {
    addBank();
    const { id } = create();
    exchange.restrict('blocked-withdrawal-cancels', 'desk');
    expect(exchange.desk.call('DELETE', `${path}/${id}`)['error_code']).toBe(
      'ErrUserBlockedForCancelWithdrawal',
    );
  });

  test('that is fast costs more and completes in seconds', () => {
    addBank();
    const { id } = create({ fast: 'true' });
    expect(exchange.desk.money('ZAR')).toEqual(['10000000.00', '1030.00']);
    exchange.desk.wait(5_000);
    expect(exchange.desk.get(`${path}/${id}`)).toMatchObject({ status: 'COMPLETED', fee: '30.00' });
  });

  test('needs the id of one of the bank accounts when there are several', () => {
    expect(codeOf()).toBe('ErrBeneficiaryNotFound');
    const first = String(addBank()['id']);
    expect(create()['status']).toBe('PENDING');
    addBank();
    expect(create()).toMatchObject({
      error_code: 'ErrInvalidArguments',
      fields: ['beneficiary_id'],
    });
    expect(create({ beneficiary_id: first })['status']).toBe('PENDING');
    expect(codeOf({ beneficiary_id: '1' })).toBe('ErrBeneficiaryNotFound');
  });

  test('with a used external id is refused, even when the money is gone', () => {
    addBank();
    const { id } = create({ amount: '9999000', external_id: 'once' });
    expect(codeOf({ amount: '9999000', external_id: 'once' })).toBe('ErrDuplicateExternalID');
    exchange.desk.call('DELETE', `${path}/${id}`);
    expect(codeOf({ external_id: 'once' })).toBe('ErrDuplicateExternalID');
    expect(codeOf({ external_id: 'a b' })).toBe('ErrInvalidArguments');
  });

  test('can use the external id of a refused withdrawal', () => {
    addBank();
    expect(codeOf({ amount: '9999999', external_id: 'again' })).toBe('ErrInsufficientBalance');
    expect(create({ external_id: 'again' })['status']).toBe('PENDING');
  });

  test.each([
    ['of zero', { amount: '0' }, 'ErrInvalidAmount'],
    ['of a tenth of a cent', { amount: '10.001' }, 'ErrInvalidAmount'],
    ['below the minimum', { amount: '9.99' }, 'ErrAmountTooSmall'],
    ['above the maximum', { amount: '10000000.01' }, 'ErrAmountTooBig'],
    ['of an unknown type', { type: 'USD_WIRE' }, 'ErrInvalidRequestType'],
    ['of more than the balance, with the fee', { amount: '9999995.01' }, 'ErrInsufficientBalance'],
    ['from an unknown account', { source_account_id: '1' }, 'ErrInvalidSourceAccount'],
  ])('%s is refused', (_, more, code) => {
    addBank();
    expect(codeOf(more)).toBe(code);
  });

  test('from a spot account or an account of another currency is refused', () => {
    addBank();
    const { desk } = exchange;
    for (const id of [desk.account('XBT'), desk.open('ZAR', { account_type: 'SPOT' })])
      expect(codeOf({ source_account_id: id })).toBe('ErrInvalidSourceAccount');
    const second = desk.open('ZAR');
    expect(codeOf({ source_account_id: second })).toBe('ErrInsufficientBalance');
  });

  test('needs a bank account that its method can pay to', () => {
    addBank({ bank_name: 'DEUTDEFF' });
    expect(codeOf()).toBe('ErrIncompatibleBeneficiary');
    exchange.desk.open('EUR');
    expect(codeOf({ type: 'EUR_SEPA' })).toBe('ErrInsufficientBalance');
  });

  test('cannot be fast unless its method is ZAR_EFT', () => {
    addBank({ bank_name: 'DEUTDEFF' });
    exchange.desk.open('EUR');
    expect(codeOf({ type: 'EUR_SEPA', fast: 'true' })).toBe(
      'ErrRequestTypeDoesNotSupportFastWithdrawals',
    );
    expect(codeOf({ type: 'EUR_SEPA', fast: 'false' })).toBe('ErrInsufficientBalance');
  });

  test('is refused while five are in progress', () => {
    addBank();
    for (let count = 0; count < 5; count++) expect(create()['status']).toBe('PENDING');
    expect(codeOf()).toBe('ErrMaxActiveFiatRequestsExists');
    exchange.desk.wait(120_000);
    expect(create()['status']).toBe('PENDING');
  });

  test.each([
    ['blocked-withdrawals', 'ErrWithdrawalBlocked'],
    ['migrating-accounts', 'ErrAccountIsMigrating'],
    ['no-custom-references', 'ErrCustomRefNotAllowed'],
  ] as const)('is refused under %s', (restriction, code) => {
    addBank();
    expect(create({ reference: 'rent' })['status']).toBe('PENDING');
    exchange.restrict(restriction, 'desk');
    expect(codeOf({ reference: 'rent' })).toBe(code);
  });

  test.each([
    ['rejected-beneficiary', 'ErrRejectedBeneficiary'],
    ['screened-beneficiary', 'ErrBeneficiaryScreeningRejected'],
  ] as const)('is refused to a %s', (restriction, code) => {
    const { id } = addBank();
    exchange.restrict(restriction, String(id));
    expect(codeOf()).toBe(code);
  });
});

test('withdrawals are listed newest first, from an id downwards, up to a limit', () => {
  addBank();
  const ids = [1, 2, 3].map(() => String(create()['id']));
  const list = (values: Values): unknown[] =>
    (exchange.desk.get(path, values)['withdrawals'] ?? []).map((one) => one['id']);
  expect(list({})).toEqual([...ids].reverse());
  expect(list({ before_id: String(ids[1]) })).toEqual([ids[1], ids[0]]);
  expect(list({ limit: '1' })).toEqual([ids[2]]);
  expect(list({ limit: '0', before_id: '0' })).toHaveLength(3);
  expect(exchange.friend.get(path)['withdrawals']).toEqual([]);
  expect(exchange.friend.get(`${path}/${ids[0]}`)['error_code']).toBe('ErrWithdrawalNotFound');
});

test('all 13 methods are known, and a method without an account of its currency is refused', () => {
  expect(withdrawalMethodCodes).toHaveLength(13);
  addBank();
  for (const type of withdrawalMethodCodes.filter((one) => one !== 'ZAR_EFT'))
    expect(codeOf({ type })).toBe('ErrAccountNotFound');
});
