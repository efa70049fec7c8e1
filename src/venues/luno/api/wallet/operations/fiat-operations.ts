/**
 * Fiat money: bank beneficiaries, withdrawals and deposits.
 *
 * Bodies and records are documented, except: the record of a withdrawal (our own), and the name of
 * a deposit's target wallet (our own: targetWalletId) and any members after it.
 */
import * as z from 'zod';
import { optional, required } from '../../parameter.ts';
import { list, openEnumeration, optionalMember, textId, time } from '../../wire.ts';
import {
  amount,
  answeredAmount,
  answeredBankAccountType,
  answeredDepositStatus,
  bankAccountType,
  country,
  externalId,
  flag,
  label,
  numericId,
  withdrawalMethod,
} from '../scalars.ts';
import { page, range, rangeErrors, walletOperation } from '../wallet-operation.ts';

const beneficiary = z.object({
  id: z.string(),
  country: z.string(),
  accountNumber: z.string(),
  accountType: answeredBankAccountType,
  accountHolder: z.string(),
  supportsFastWithdrawals: z.boolean(),
  createdTimestamp: time,
  branchCode: optionalMember(z.string()),
  swiftCode: optionalMember(z.string()),
});
export type FiatBeneficiaryRecord = z.output<typeof beneficiary>;

export const createFiatBeneficiary = walletOperation({
  name: 'createFiatBeneficiary',
  method: 'POST',
  path: '/api/wallet/1/fiat_beneficiaries',
  permission: 'Perm_W_Beneficiaries',
  repeat: 'never',
  description:
    'Adds a bank account to withdraw to. The body has one of two shapes: with swiftCode, or with ' +
    'branchCode and country.',
  parameters: {
    accountNumber: required(label(50), 'number of the bank account'),
    accountType: required(bankAccountType, 'kind of the bank account'),
    accountHolder: required(label(200), 'owner of the bank account'),
    swiftCode: optional(label(20), 'the bank, in the swift shape'),
    branchCode: optional(label(20), 'the branch, in the branch shape'),
    country: optional(country, 'country of the branch, in the branch shape'),
  },
  errors: ['ErrBankNotFound', 'ErrInvalidArguments', 'ErrInvalidRequest'],
  response: beneficiary,
});

export const listFiatBeneficiaries = walletOperation({
  name: 'listFiatBeneficiaries',
  method: 'GET',
  path: '/api/wallet/1/fiat_beneficiaries',
  permission: 'Perm_R_Beneficiaries',
  repeat: 'read',
  description: 'Lists the bank accounts to withdraw to, newest first.',
  parameters: page,
  errors: [],
  response: z.object({ beneficiaries: list(beneficiary) }),
});

const withdrawal = z.object({
  id: z.string(),
  type: z.string(),
  currency: z.string(),
  amount: answeredAmount,
  fee: answeredAmount,
  status: openEnumeration(['PENDING', 'PROCESSING', 'COMPLETED', 'CANCELLED']),
  walletId: textId,
  externalId: optionalMember(z.string()),
  createdAt: time,
});
export type FiatWithdrawalRecord = z.output<typeof withdrawal>;

export const createFiatWithdrawal = walletOperation({
  name: 'createFiatWithdrawal',
  method: 'POST',
  path: '/api/wallet/1/fiat_withdrawals',
  permission: 'Perm_W_Withdrawals',
  repeat: 'keyed',
  description:
    'Requests a payment to a bank account. Only ZAR_EFT can be fast, for a fee, and not to ' +
    'every bank. The record is ours.',
  parameters: {
    type: required(withdrawalMethod, 'withdrawal method'),
    amount: required(amount, 'how much, without the fee'),
    beneficiaryId: optional(numericId, 'needed when there are several beneficiaries'),
    externalId: optional(externalId, "the caller's own id, against duplicates"),
    fast: optional(flag, 'pay at once, for a fee; ZAR_EFT only'),
  },
  errors: [
    'ErrAmountTooBig',
    'ErrAmountTooSmall',
    'ErrBlocked',
    'ErrDuplicateSend',
    'ErrInsufficientBalance',
    'ErrInvalidIdFormat',
    'ErrInvalidRequest',
    'ErrMaxActiveRequests',
    'ErrMultipleBeneficiaries',
    'ErrNotFound',
    'ErrRequestTypeDoesNotSupportFastWithdrawals',
    'ErrResourceNotFound',
  ],
  response: withdrawal,
});

const deposit = z.object({
  amount: answeredAmount,
  createdTimestamp: time,
  currency: z.string(),
  fee: answeredAmount,
  id: z.string(),
  paymentId: z.string(),
  providerReference: z.string(),
  status: answeredDepositStatus,
  statusNote: z.string(),
  /** Documented without its name, so it is optional: with another name, decoding must not fail. */
  targetWalletId: optionalMember(textId),
});
export type FiatDepositRecord = z.output<typeof deposit>;

export const listFiatDeposits = walletOperation({
  name: 'listFiatDeposits',
  method: 'GET',
  path: '/api/wallet/1/fiat_deposits',
  permission: 'Perm_R_Transfers',
  repeat: 'read',
  description: 'Lists the deposits from bank accounts in all their states, newest first.',
  parameters: { ...range, ...page },
  errors: rangeErrors,
  response: z.object({ deposits: list(deposit) }),
});
