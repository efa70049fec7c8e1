/** Bank beneficiaries in both forms, withdrawals to them, and deposits. */
import { expect, test } from 'vitest';
import type { Control } from '../../../../../../src/venues/luno/simulator/world/world-command.ts';
import { second, startMicros } from '../../../../../support/simulated-exchange.ts';
import {
  deskWallets,
  friendKey,
  refusal,
  WalletCaller,
  walletKey,
  walletSimulator,
} from '../../../../../support/wallet-caller.ts';

const caller = (): WalletCaller => new WalletCaller(walletSimulator());
const { ZAR } = deskWallets;
const account = {
  accountNumber: '62000000001',
  accountType: 'CURRENT/CHEQUE',
  accountHolder: 'A Person',
};
const swift = { ...account, swiftCode: 'FIRNZAJJ' };
const branch = { ...account, branchCode: '250655', country: 'ZA' };
const withdrawal = { type: 'ZAR_EFT', amount: '100' };

function control(desk: WalletCaller, what: Control): void {
  desk.simulator.control(what, desk.timeMicros);
}

test('a beneficiary is created with a SWIFT code and with a branch', () => {
  const desk = caller();
  const bySwift = desk.post('/fiat_beneficiaries', swift);
  expect(bySwift).toEqual({
    id: bySwift['id'],
    ...account,
    swiftCode: 'FIRNZAJJ',
    country: 'ZA',
    supportsFastWithdrawals: true,
    createdTimestamp: startMicros / 1000,
  });
  const byBranch = desk.post('/fiat_beneficiaries', { ...branch, country: 'NA' });
  expect(byBranch).toEqual({
    id: byBranch['id'],
    ...account,
    branchCode: '250655',
    country: 'NA',
    supportsFastWithdrawals: false,
    createdTimestamp: startMicros / 1000,
  });
  expect(desk.get('/fiat_beneficiaries')['beneficiaries']).toEqual([byBranch, bySwift]);
  expect(desk.get('/fiat_beneficiaries?pageSize=1&pageIndex=1')['beneficiaries']).toEqual([
    bySwift,
  ]);
});

test.each(['CURRENT/CHEQUE', 'SAVINGS', 'TRANSMISSION', 'MOBILE_MONEY', 'UNKNOWN'])(
  'an account of type %s keeps its type in both forms',
  (accountType) => {
    const desk = caller();
    for (const shape of [swift, branch])
      expect(desk.post('/fiat_beneficiaries', { ...shape, accountType })).toMatchObject({
        accountType,
      });
  },
);

test('both APIs have the same beneficiaries', () => {
  const desk = caller();
  const { id } = desk.post('/fiat_beneficiaries', { ...swift, accountType: 'SAVINGS' });
  const request = { pairs: [], credentials: walletKey, path: '/api/1/beneficiaries' } as const;
  const { body } = desk.simulator.handle(
    { ...request, method: 'GET', bodyKind: 'none' },
    startMicros,
  );
  expect(JSON.parse(body ?? '')['beneficiaries']).toMatchObject([
    { id, bank_name: 'FIRNZAJJ', bank_account_type: 'Savings', bank_recipient: 'A Person' },
  ]);
  const pairs = Object.entries({
    bank_name: 'SBZAZAJJ',
    bank_account_number: '123456',
    account_type: 'Transmission',
    bank_recipient: 'Another',
  });
  desk.simulator.handle({ ...request, method: 'POST', bodyKind: 'form', pairs }, startMicros);
  expect(desk.get('/fiat_beneficiaries')['beneficiaries']).toMatchObject([
    { swiftCode: 'SBZAZAJJ', accountType: 'TRANSMISSION', accountHolder: 'Another' },
    { id },
  ]);
});

test.each<[string, object, Parameters<typeof refusal>[0]]>([
  ['of neither form', account, 'ErrInvalidArguments'],
  ['of both forms', { ...swift, ...branch }, 'ErrInvalidRequest'],
  ['with a SWIFT code and a country', { ...swift, country: 'ZA' }, 'ErrInvalidRequest'],
  ['without a country', { ...account, branchCode: '250655' }, 'ErrInvalidArguments'],
  ['without a branch', { ...account, country: 'ZA' }, 'ErrInvalidArguments'],
  ['at an unknown bank', { ...swift, swiftCode: 'NOBANK' }, 'ErrBankNotFound'],
  ['at an unknown branch of a bank', { ...swift, swiftCode: 'FIRNZAJJ1' }, 'ErrBankNotFound'],
  ['at an unknown branch', { ...branch, branchCode: '!' }, 'ErrBankNotFound'],
  ['with a country in lower case', { ...branch, country: 'za' }, 'ErrInvalidArguments'],
  ['in an unknown country', { ...branch, country: 'XX' }, 'ErrInvalidArguments'],
  ['of an unknown type', { ...swift, accountType: 'Savings' }, 'ErrInvalidArguments'],
  ['with an invalid number', { ...swift, accountNumber: '1' }, 'ErrInvalidArguments'],
  ['with an invalid number at a branch', { ...branch, accountNumber: '?' }, 'ErrInvalidArguments'],
])('a beneficiary %s is refused', (_, body, code) => {
  const desk = caller();
  const refused = desk.post('/fiat_beneficiaries', body);
  expect(refused).toEqual(refusal(code));
  // The caller does not know the parameter names of the other API.
  expect(refused['message']).not.toMatch(/bank_/u);
  expect(desk.get('/fiat_beneficiaries')['beneficiaries']).toEqual([]);
});

test('a withdrawal is created, and then advances as in the exchange API', () => {
  const desk = caller();
  const { id: beneficiaryId } = desk.post('/fiat_beneficiaries', branch);
  const made = desk.post('/fiat_withdrawals', { ...withdrawal, beneficiaryId, externalId: 'w-1' });
  expect(made).toMatchObject({
    type: 'ZAR_EFT',
    currency: 'ZAR',
    amount: '100.00',
    status: 'PENDING',
    walletId: ZAR,
    externalId: 'w-1',
    createdAt: startMicros / 1000,
  });
  expect(desk.get(`/wallets/${ZAR}`)).toMatchObject({
    balance: '100000.00',
    available: '99895.00',
  });
  desk.timeMicros += 300 * second;
  expect(desk.get(`/wallets/${ZAR}`)).toMatchObject({ balance: '99895.00', available: '99895.00' });
  const path = `/api/1/withdrawals/${made['id']}`;
  const { body } = desk.simulator.handle(
    { method: 'GET', path, pairs: [], credentials: walletKey, bodyKind: 'none' },
    desk.timeMicros,
  );
  expect(JSON.parse(body ?? '')).toMatchObject({ id: made['id'], status: 'COMPLETED' });
  expect(desk.simulator.faults()).toEqual([]);
});

test('a fast withdrawal costs more, and needs ZAR_EFT and a bank that takes it', () => {
  const desk = caller();
  const { id: fastBank } = desk.post('/fiat_beneficiaries', swift);
  const { id: slowBank } = desk.post('/fiat_beneficiaries', { ...branch, country: 'NA' });
  const ask = (change: object) => desk.post('/fiat_withdrawals', { ...withdrawal, ...change });
  const slow = ask({ beneficiaryId: fastBank });
  const fast = ask({ beneficiaryId: fastBank, fast: true });
  expect(Number(fast['fee'])).toBeGreaterThan(Number(slow['fee']));
  const code = 'ErrRequestTypeDoesNotSupportFastWithdrawals';
  expect(ask({ beneficiaryId: slowBank, fast: true })).toEqual(refusal(code));
  for (const type of ['NAD_EFT', 'EUR_SEPA', 'GBP'])
    expect(ask({ type, beneficiaryId: fastBank, fast: true })).toEqual(refusal(code));
});

test.each<[string, object, Parameters<typeof refusal>[0]]>([
  ['of nothing', { amount: '0' }, 'ErrAmountTooSmall'],
  ['of too little', { amount: '1' }, 'ErrAmountTooSmall'],
  ['of too much', { amount: '999999999999' }, 'ErrAmountTooBig'],
  ['of a fraction of a cent', { amount: '100.001' }, 'ErrInvalidArguments'],
  ['of more than the balance', { amount: '100000' }, 'ErrInsufficientBalance'],
  ['by an unknown method', { type: 'ZAR' }, 'ErrInvalidArguments'],
  ['to an invalid id', { beneficiaryId: 'bank' }, 'ErrInvalidIdFormat'],
  ['to an unknown beneficiary', { beneficiaryId: '1' }, 'ErrResourceNotFound'],
  ['in a currency without a wallet', { type: 'EUR_SEPA' }, 'ErrNotFound'],
  ['with an invalid external id', { externalId: 'a b' }, 'ErrInvalidArguments'],
  ['with a flag that is text', { fast: 'true' }, 'ErrInvalidArguments'],
])('a withdrawal %s is refused', (_, change, code) => {
  const desk = caller();
  desk.post('/fiat_beneficiaries', branch);
  expect(desk.post('/fiat_withdrawals', { ...withdrawal, ...change })).toEqual(refusal(code));
  expect(desk.get(`/wallets/${ZAR}`)).toMatchObject({ available: '100000.00' });
});

test('a beneficiary must be named if there are several, and need not be named if there is one', () => {
  const desk = caller();
  expect(desk.post('/fiat_withdrawals', withdrawal)).toEqual(refusal('ErrResourceNotFound'));
  desk.post('/fiat_beneficiaries', branch);
  expect(desk.post('/fiat_withdrawals', withdrawal)).toMatchObject({ status: 'PENDING' });
  desk.post('/fiat_beneficiaries', swift);
  expect(desk.post('/fiat_withdrawals', withdrawal)).toEqual(refusal('ErrMultipleBeneficiaries'));
});

test('an external id can be used for one withdrawal or send', () => {
  const desk = caller();
  desk.post('/fiat_beneficiaries', branch);
  const body = { ...withdrawal, externalId: 'one' };
  expect(desk.post('/fiat_withdrawals', body)).toMatchObject({ status: 'PENDING' });
  expect(desk.post('/fiat_withdrawals', body)).toEqual(refusal('ErrDuplicateSend'));
});

test('a sixth withdrawal in progress is refused', () => {
  const desk = caller();
  desk.post('/fiat_beneficiaries', branch);
  for (let i = 0; i < 5; i++)
    expect(desk.post('/fiat_withdrawals', withdrawal)).toMatchObject({ status: 'PENDING' });
  expect(desk.post('/fiat_withdrawals', withdrawal)).toEqual(refusal('ErrMaxActiveRequests'));
});

test.each([
  ['blocked-user', 'desk'],
  ['blocked-withdrawals', 'desk'],
] as const)('a withdrawal under %s is refused', (restriction, subject) => {
  const desk = caller();
  desk.post('/fiat_beneficiaries', branch);
  control(desk, { kind: 'restrict', restriction, subject, isSet: true });
  expect(desk.post('/fiat_withdrawals', withdrawal)).toEqual(refusal('ErrBlocked'));
});

test('a deposit is listed from the start, and credited at its completion', () => {
  const desk = caller();
  const terms = { accountId: ZAR, amount: '1000', fee: '2.5', providerReference: 'EFT 1' };
  control(desk, { kind: 'fiat-deposit', ...terms });
  const list = () => desk.get('/fiat_deposits')['deposits'] ?? [];
  const [deposit] = list();
  expect(deposit).toMatchObject({
    amount: '1000.00',
    fee: '2.50',
    currency: 'ZAR',
    providerReference: 'EFT 1',
    status: 'REQUESTED',
    statusNote: '',
    targetWalletId: ZAR,
    createdTimestamp: startMicros / 1000,
  });
  const depositId = String(deposit?.['id']);
  const balance = () => desk.get(`/wallets/${ZAR}`)['balance'];
  const steps = [
    ['CONFIRMED', '100997.50'],
    ['COMPLETED', '100997.50'],
    ['SETTLED', '100997.50'],
    ['REVERSED', '100000.00'],
    ['VOID_COMPLETED', '100000.00'],
    ['COMPLETED', '100997.50'],
    ['CANCELLED', '100997.50'],
  ] as const;
  for (const [status, expected] of steps) {
    control(desk, { kind: 'set-fiat-deposit-status', depositId, status, note: `now ${status}` });
    expect(list()).toMatchObject([{ status, statusNote: `now ${status}` }]);
    expect(balance()).toBe(expected);
  }
  expect(desk.simulator.faults()).toEqual([]);
});

test('a deposit that was spent cannot be reversed', () => {
  const simulator = walletSimulator();
  const desk = new WalletCaller(simulator);
  control(desk, { kind: 'fiat-deposit', accountId: ZAR, amount: '1000', status: 'COMPLETED' });
  control(desk, { kind: 'deposit', accountId: ZAR, amount: '-100500' });
  const [deposit] = desk.get('/fiat_deposits')['deposits'] ?? [];
  const depositId = String(deposit?.['id']);
  control(desk, { kind: 'set-fiat-deposit-status', depositId, status: 'REVERSED' });
  expect(desk.get('/fiat_deposits')['deposits']).toMatchObject([{ status: 'VOID_REQUIRED' }]);
  expect(desk.get(`/wallets/${ZAR}`)).toMatchObject({ balance: '500.00' });
  expect(simulator.faults()).toEqual([]);
});

test('deposits are listed newest first, by time and page, only to their owner', () => {
  const simulator = walletSimulator();
  const desk = new WalletCaller(simulator);
  for (const amount of ['1', '2', '3']) {
    desk.timeMicros += second;
    control(desk, { kind: 'fiat-deposit', accountId: ZAR, amount });
  }
  const start = startMicros / 1000;
  const amounts = (query: string) =>
    (desk.get(`/fiat_deposits${query}`)['deposits'] ?? []).map((one) => String(one['amount']));
  expect(amounts('')).toEqual(['3.00', '2.00', '1.00']);
  expect(amounts(`?from=${start + 2000}`)).toEqual(['3.00', '2.00']);
  expect(amounts(`?from=${start + 1000}&to=${start + 3000}`)).toEqual(['2.00', '1.00']);
  expect(amounts('?pageSize=1&pageIndex=2')).toEqual(['1.00']);
  expect(new WalletCaller(simulator, friendKey).get('/fiat_deposits')['deposits']).toEqual([]);
});
