/**
 * Bank accounts to withdraw to, in the two shapes of the wallet document. They are the exchange
 * document's beneficiaries: a bank named by its SWIFT code, or a branch named by code and country.
 */
import { assert } from '../../domain/errors.ts';
import type { ParametersOf } from '../../exchange-api/operation.ts';
import type { BeneficiaryRecord } from '../../exchange-api/operations/beneficiary-operations.ts';
import type { Operations } from '../../exchange-api/operations.ts';
import type { FiatBeneficiaryRecord } from '../../exchange-api/wallet/operations/fiat-operations.ts';
import { type BankAccountType, bankAccountTypes } from '../../exchange-api/wallet/scalars.ts';
import type { Handlers } from '../core/handler.ts';
import { moneyOf, moneyToChange } from '../core/money-state.ts';
import { type CallContext, type Calls, change, type Plan } from '../core/plan.ts';
import { refuse, refuseArguments } from '../core/refusal.ts';
import { accountNumberPattern, beneficiaryCalls, fastCountry } from '../money/beneficiaries.ts';
import { mapPlan } from './map-plan.ts';
import { pageOf } from './selection.ts';

/** The exchange document has the first three; it shows the others by names of ours. */
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
      return refuse('ErrInvalidRequest', `Give ${shapes}, not parts of both`);
    const { accountNumber, accountType, accountHolder } = parameters;
    const request = {
      bank_name: swiftCode,
      bank_account_number: accountNumber,
      account_type: 'Current/Cheque' as const,
      bank_recipient: accountHolder,
    };
    const { money } = context.exchange.state;
    return mapPlan(beneficiaryCalls.createBeneficiary(request, context), ({ id }) => {
      const { beneficiaries } = moneyToChange(money, context.user.id);
      const made = beneficiaries.get(id);
      assert(made !== undefined, `beneficiary ${id} must have been made`);
      const record = { ...made, bank_account_type: exchangeTypes[accountType] };
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

const shapes = 'swiftCode, or branchCode and country';

function planBranch(
  parameters: ParametersOf<Operations['createFiatBeneficiary']>,
  { exchange, user }: CallContext,
): Plan<FiatBeneficiaryRecord> {
  const { accountNumber, accountType, accountHolder, branchCode, country } = parameters;
  if (branchCode === undefined || country === undefined) {
    const missing = branchCode === undefined ? 'branchCode' : 'country';
    return refuseArguments([missing], `Give ${shapes}: ${missing} is missing`);
  }
  if (!branchPattern.test(branchCode)) return refuse('ErrBankNotFound', 'Branch not found');
  if (!accountNumberPattern.test(accountNumber))
    return refuseArguments(['accountNumber'], 'accountNumber must have 4 to 34 letters and digits');
  return change(() => {
    const record: BeneficiaryRecord = {
      id: exchange.nextId(),
      // A branch has no SWIFT code; that tells the two shapes apart.
      bank_name: '',
      bank_account_branch: branchCode,
      bank_country: country,
      bank_account_number: accountNumber,
      bank_account_type: exchangeTypes[accountType],
      bank_recipient: accountHolder,
      created_at: exchange.timeMs,
      supports_fast_withdrawals: country === fastCountry,
    };
    moneyToChange(exchange.state.money, user.id).beneficiaries.set(record.id, record);
    return fiatBeneficiaryRecordOf(record);
  });
}

function fiatBeneficiaryRecordOf(record: BeneficiaryRecord): FiatBeneficiaryRecord {
  const type = bankAccountTypes.find((one) => exchangeTypes[one] === record.bank_account_type);
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
