/**
 * Bank accounts for withdrawals, in the two forms of the wallet API: a bank given by its SWIFT
 * code, or a branch given by code and country. They are stored as beneficiaries of the exchange
 * API.
 */
import { assert } from '../../../../domain/errors.ts';
import type { ParametersOf } from '../../api/operation.ts';
import type { BeneficiaryRecord } from '../../api/operations/beneficiary-operations.ts';
import type { Operations } from '../../api/operations.ts';
import type { FiatBeneficiaryRecord } from '../../api/wallet/operations/fiat-operations.ts';
import { type BankAccountType, bankAccountTypes } from '../../api/wallet/scalars.ts';
import type { Handlers } from '../core/handler.ts';
import { moneyOf, mutableMoneyOf } from '../core/money-state.ts';
import { type CallContext, type Calls, change, type Plan } from '../core/plan.ts';
import { refuse, refuseArguments } from '../core/refusal.ts';
import { accountNumberPattern, beneficiaryCalls, fastCountry } from '../money/beneficiaries.ts';
import { mapPlan } from './map-plan.ts';
import { pageOf } from './selection.ts';

/**
 * Names of the account types in the exchange API, which documents only the first three. The other
 * names are ours.
 */
const exchangeTypes = {
  'CURRENT/CHEQUE': 'Current/Cheque',
  SAVINGS: 'Savings',
  TRANSMISSION: 'Transmission',
  MOBILE_MONEY: 'Mobile money',
  UNKNOWN: 'Unknown',
} as const satisfies Record<BankAccountType, string>;

const branchPattern = /^[A-Z0-9-]{3,11}$/u;

export const fiatBeneficiaryCalls: Pick<Calls, 'createFiatBeneficiary'> = {
  createFiatBeneficiary: (parameters, context) => {
    const { swiftCode, branchCode, country } = parameters;
    if (swiftCode === undefined) return planBranch(parameters, context);
    if (branchCode !== undefined || country !== undefined)
      return refuse('ErrInvalidRequest', `Give ${forms}, not parts of both`);
    const { accountNumber, accountType, accountHolder } = parameters;
    const request = {
      bank_name: swiftCode,
      bank_account_number: accountNumber,
      account_type: 'Current/Cheque' as const,
      bank_recipient: accountHolder,
    };
    const { money } = context.exchange.state;
    return mapPlan(beneficiaryCalls.createBeneficiary(request, context), ({ id }) => {
      const { beneficiaries } = mutableMoneyOf(money, context.user.id);
      const created = beneficiaries.get(id);
      assert(created !== undefined, `beneficiary ${id} must have been created`);
      const record = { ...created, bank_account_type: exchangeTypes[accountType] };
      beneficiaries.set(id, record);
      return fiatBeneficiaryRecordOf(record);
    });
  },
};

export const fiatBeneficiaryHandlers: Pick<Handlers, 'listFiatBeneficiaries'> = {
  listFiatBeneficiaries: (page, { exchange, user }) => {
    const { beneficiaries } = moneyOf(exchange.state.money, user().id);
    const newestFirst = [...beneficiaries.values()].reverse();
    return { beneficiaries: pageOf(newestFirst, page).map(fiatBeneficiaryRecordOf) };
  },
};

const forms = 'swiftCode, or branchCode and country';

function planBranch(
  parameters: ParametersOf<Operations['createFiatBeneficiary']>,
  { exchange, user }: CallContext,
): Plan<FiatBeneficiaryRecord> {
  const { accountNumber, accountType, accountHolder, branchCode, country } = parameters;
  if (branchCode === undefined || country === undefined) {
    const missing = branchCode === undefined ? 'branchCode' : 'country';
    return refuseArguments([missing], `Give ${forms}: ${missing} is missing`);
  }
  if (!branchPattern.test(branchCode)) return refuse('ErrBankNotFound', 'Branch not found');
  if (!accountNumberPattern.test(accountNumber))
    return refuseArguments(['accountNumber'], 'accountNumber must have 4 to 34 letters and digits');
  return change(() => {
    const record: BeneficiaryRecord = {
      id: exchange.nextId(),
      // Empty, because a branch has no SWIFT code. This distinguishes the two forms.
      bank_name: '',
      bank_account_branch: branchCode,
      bank_country: country,
      bank_account_number: accountNumber,
      bank_account_type: exchangeTypes[accountType],
      bank_recipient: accountHolder,
      created_at: exchange.timeMs,
      supports_fast_withdrawals: country === fastCountry,
    };
    mutableMoneyOf(exchange.state.money, user.id).beneficiaries.set(record.id, record);
    return fiatBeneficiaryRecordOf(record);
  });
}

function fiatBeneficiaryRecordOf(record: BeneficiaryRecord): FiatBeneficiaryRecord {
  const type = bankAccountTypes.find((name) => exchangeTypes[name] === record.bank_account_type);
  const bank =
    record.bank_name === ''
      ? { branchCode: record.bank_account_branch }
      : { swiftCode: record.bank_name };
  return {
    id: record.id,
    country: record.bank_country,
    accountNumber: record.bank_account_number,
    accountType: type ?? 'UNKNOWN',
    accountHolder: record.bank_recipient,
    supportsFastWithdrawals: record.supports_fast_withdrawals,
    createdTimestamp: record.created_at,
    ...bank,
  };
}
