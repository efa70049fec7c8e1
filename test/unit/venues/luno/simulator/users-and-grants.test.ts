/** Linked users, the legacy grant and the list of transfers. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  expectInOrder,
  type MoneyExchange,
  moneyExchange,
} from '../../../../support/money-exchange.ts';
import { bodyOf, Caller } from '../../../../support/simulated-exchange.ts';

let exchange: MoneyExchange;
beforeEach(() => {
  exchange = moneyExchange();
});
afterEach(() => expectInOrder(exchange));

test('linked users are listed at both paths, in pages', () => {
  const { desk, friend, control } = exchange;
  for (const label of ['a', 'b', 'c'])
    control({
      kind: 'link-user',
      userId: 'desk',
      linkedUserId: `471${label.charCodeAt(0)}`,
      label,
      permissions: ['Perm_R_Balance'],
    });
  const labels = (path: string, values: Readonly<Record<string, string>> = {}): unknown[] =>
    (desk.get(path, values)['users'] ?? []).map((one) => one['label']);
  expect(desk.get('/api/1/users/linked')['users']?.[0]).toEqual({
    user_id: '47197',
    label: 'a',
    permissions: ['Perm_R_Balance'],
    created_at: expect.any(Number),
  });
  expect(labels('/api/1/users/list')).toEqual(['a', 'b', 'c']);
  expect(labels('/api/1/users/linked', { limit: '1', offset: '1' })).toEqual(['b']);
  expect(labels('/api/1/users/linked', { limit: '0', offset: '0' })).toEqual(['a', 'b', 'c']);
  expect(friend.get('/api/1/users/linked')['users']).toEqual([]);
});

test('a grant is refused to a new application, and works once for an existing one', () => {
  const { desk, friend, control, simulator } = exchange;
  const path = '/api/oauth2/grant';
  const values = { grant_type: 'authorization_code', code: 'abc' };
  expect(desk.post(path, values)['error_code']).toBe('ErrUnauthorised');
  expect(desk.statusOf('POST', path, values)).toBe(401);
  expect(desk.post(path, { ...values, grant_type: 'password' })['error_code']).toBe(
    'ErrInvalidArguments',
  );

  control({
    kind: 'offer-grant',
    clientUserId: 'desk',
    code: 'abc',
    keyId: 'granted',
    secret: 'granted-secret',
    userId: 'other',
    permissions: 1,
  });
  const caller = new Caller(simulator, { id: 'granted', secret: 'granted-secret' });
  expect(caller.get('/api/1/balance')['error_code']).toBe('ErrAPIKeyNotFound');
  expect(desk.post(path, { ...values, code: 'other' })['error_code']).toBe('ErrNotFound');
  expect(friend.post(path, values)['error_code']).toBe('ErrUnauthorised');
  expect(desk.post(path, values)).toEqual({
    api_key_id: 'granted',
    api_key_secret: 'granted-secret',
  });
  expect(desk.post(path, values)['error_code']).toBe('ErrUnauthorised');
  const ids = (caller.get('/api/1/balance')['balance'] ?? []).map((one) => one['account_id']);
  expect(ids).toContain(friend.account('XBT'));
  expect(bodyOf(caller.send('GET', '/api/1/beneficiaries'))['error_code']).toBe(
    'ErrInsufficientPerms',
  );
});

test('transfers are listed newest first, before a time and up to a limit', () => {
  const { desk, friend, control } = exchange;
  const account = desk.account('ZAR');
  for (const amount of ['1', '-2', '3']) {
    desk.get('/api/1/balance');
    control({ kind: 'deposit', accountId: account, amount });
  }
  const path = '/api/exchange/1/transfers';
  const list = (values: Readonly<Record<string, string>> = {}) =>
    desk.get(path, { account_id: account, ...values })['transfers'] ?? [];
  expect(list()).toMatchObject([
    { amount: '3.00', inbound: true },
    { amount: '2.00', inbound: false },
    { amount: '1.00', inbound: true },
  ]);
  expect(list({ limit: '1' })).toMatchObject([{ amount: '3.00' }]);
  expect(list({ before: String(list()[1]?.['created_at']) })).toMatchObject([{ amount: '1.00' }]);
  expect(friend.get(path, { account_id: account })['error_code']).toBe('ErrAccountNotFound');
  expect(desk.get(path)['error_code']).toBe('ErrInvalidArguments');
});
