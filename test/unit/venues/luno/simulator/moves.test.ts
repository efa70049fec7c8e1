/** Moves between accounts of one user, from creation to the end. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  expectInOrder,
  type MoneyExchange,
  moneyExchange,
} from '../../../../support/money-exchange.ts';

let exchange: MoneyExchange;
let from: string;
let to: string;
beforeEach(() => {
  exchange = moneyExchange();
  from = exchange.desk.account('ZAR');
  to = exchange.desk.open('ZAR');
});
afterEach(() => expectInOrder(exchange));

const path = '/api/exchange/1/move';
const create = (more: Readonly<Record<string, string>> = {}) =>
  exchange.desk.post(path, {
    amount: '250.50',
    debit_account_id: from,
    credit_account_id: to,
    ...more,
  });

test('a move is created, then moving, then successful; the money is reserved in between', () => {
  const { simulator, desk } = exchange;
  const created = create({ client_move_id: 'rent;1' });
  expect(created).toEqual({ id: expect.any(String), status: 'CREATED' });
  expect(simulator.truth('desk').accounts.find((one) => one.id === from)?.reserved).toBe('0.00');

  simulator.advance(desk.timeMicros + 100_000);
  expect(simulator.truth('desk').accounts.find((one) => one.id === from)).toMatchObject({
    balance: '10000000.00',
    reserved: '250.50',
  });
  expectInOrder(exchange);

  desk.wait(1000);
  expect(desk.get(path, { client_move_id: 'rent;1' })).toEqual({
    id: created['id'],
    client_move_id: 'rent;1',
    amount: '250.50',
    debit_account_id: from,
    credit_account_id: to,
    status: 'SUCCESSFUL',
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
  });
  expect(desk.balances('ZAR')).toMatchObject([
    { balance: '9999749.50', reserved: '0.00' },
    { balance: '250.50', reserved: '0.00' },
  ]);
  expect(desk.rows(from).slice(1)).toMatchObject([
    { balance_delta: '0.00', available_delta: '-250.50' },
    { balance_delta: '-250.50', available_delta: '0.00', kind: 'TRANSFER' },
  ]);
  const transfers = desk.get('/api/exchange/1/transfers', { account_id: to })['transfers'];
  expect(transfers).toEqual([]);
});

test('reads find it CREATED, MOVING and SUCCESSFUL, one after the other', () => {
  const { desk } = exchange;
  const { id } = create();
  // Each call comes half a second after the previous one.
  const statusAfter = (ms: number): unknown => {
    desk.wait(ms - 500);
    return desk.get(path, { id: String(id) })['status'];
  };
  expect([0, 99, 1, 399, 1].map(statusAfter)).toEqual([
    'CREATED',
    'CREATED',
    'MOVING',
    'MOVING',
    'SUCCESSFUL',
  ]);
});

test('a move fails if the account is emptied before it advances', () => {
  const { control, desk, simulator } = exchange;
  const { id } = create({ client_move_id: 'late' });
  control({ kind: 'deposit', accountId: from, amount: '-10000000' });
  simulator.advance(desk.timeMicros + 1_000_000);
  expect(desk.get(path, { id: String(id) })['status']).toBe('FAILED');
  expect(desk.balances('ZAR')).toMatchObject([{ balance: '0.00' }, { balance: '0.00' }]);
});

describe('a client move id', () => {
  test('that was used before gives 409, even when the money is gone', () => {
    expect(create({ client_move_id: 'once', amount: '10000000' })['status']).toBe('CREATED');
    exchange.desk.wait(5000);
    const values = { amount: '1', debit_account_id: from, credit_account_id: to };
    expect(exchange.desk.statusOf('POST', path, { ...values, client_move_id: 'once' })).toBe(409);
    expect(create({ client_move_id: 'once' })['error_code']).toBe('ErrDuplicateClientMoveID');
  });

  test('of a refused creation can be used again', () => {
    const refused = create({ client_move_id: 'again', amount: '10000001' });
    expect(refused['error_code']).toBe('ErrInsufficientFunds');
    expect(create({ client_move_id: 'again' })['status']).toBe('CREATED');
  });

  test('may have 255 characters and no more', () => {
    expect(create({ client_move_id: 'a'.repeat(256) })['error_code']).toBe('ErrInvalidArguments');
    expect(create({ client_move_id: 'a'.repeat(255) })['status']).toBe('CREATED');
  });

  test.each(['a b', 'a/b', 'ä', 'a\n'])('may not be %j', (id) => {
    expect(create({ client_move_id: id })['error_code']).toBe('ErrInvalidArguments');
  });
});

describe('a read', () => {
  test.each([
    ['neither id', {}],
    ['both ids', { id: '1', client_move_id: 'a' }],
    ['both empty', { id: '', client_move_id: '' }],
  ])('with %s is refused', (_, values) => {
    expect(exchange.desk.get(path, values)).toMatchObject({
      error_code: 'ErrInvalidArguments',
      fields: ['id', 'client_move_id'],
    });
  });

  test('with one id and the other empty is answered, as Go clients send it', () => {
    const { id } = create();
    expect(exchange.desk.get(path, { id: String(id), client_move_id: '' })['id']).toBe(id);
  });

  test("of an unknown or another user's move is refused", () => {
    const { id } = create();
    expect(exchange.desk.get(path, { id: '1' })['error_code']).toBe('ErrFundsMoveNotFound');
    expect(exchange.friend.get(path, { id: String(id) })['error_code']).toBe(
      'ErrFundsMoveNotFound',
    );
  });
});

test('moves are listed newest first, before a time and up to a limit', () => {
  const { desk } = exchange;
  const ids = [1, 2, 3].map(() => String(create()['id']));
  const list = (values: Readonly<Record<string, string>>): unknown[] =>
    (desk.get(`${path}/list_moves`, values)['moves'] ?? []).map((one) => one['id']);
  expect(list({})).toEqual([...ids].reverse());
  expect(list({ limit: '2' })).toEqual([ids[2], ids[1]]);
  const second = desk.get(path, { id: String(ids[1]) })['created_at'];
  expect(list({ before: String(second) })).toEqual([ids[0]]);
  expect(desk.get(`${path}/list_moves`, { limit: '1001' })['error_code']).toBe(
    'ErrLimitOutOfRange',
  );
  expect(list({ limit: '0', before: '0' })).toHaveLength(3);
});

describe('a creation is refused', () => {
  test('for zero, and for text that is not an amount', () => {
    expect(create({ amount: '0' })['error_code']).toBe('ErrInvalidAmount');
    expect(create({ amount: '-1' })['error_code']).toBe('ErrInvalidValue');
  });

  test('between accounts that are the same, unknown, of other currencies or types', () => {
    const { desk, friend } = exchange;
    expect(create({ credit_account_id: from })['error_code']).toBe('ErrAccountsNotDifferent');
    expect(create({ credit_account_id: '1' })['error_code']).toBe('ErrAccountNotFound');
    expect(create({ credit_account_id: friend.account('ZAR') })['error_code']).toBe(
      'ErrAccountNotFound',
    );
    expect(create({ credit_account_id: desk.account('XBT') })['error_code']).toBe(
      'ErrDifferentCurrencies',
    );
    const spot = desk.open('ZAR', { account_type: 'SPOT' });
    expect(create({ credit_account_id: spot })['error_code']).toBe(
      'ErrCreditAccountTypeNotSupported',
    );
    expect(create({ debit_account_id: spot })['error_code']).toBe(
      'ErrDebitAccountTypeNotSupported',
    );
  });

  test('while accounts are migrating', () => {
    exchange.restrict('migrating-accounts', 'desk');
    expect(create()['error_code']).toBe('ErrAccountIsMigrating');
  });
});
