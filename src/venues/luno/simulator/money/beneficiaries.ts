/**
 * Bank accounts of a user. A SWIFT code identifies the bank: its fifth and sixth letters are the
 * country, and its last three characters, which are optional, the branch.
 */

import type { Handlers } from '../core/handler.ts';
import { moneyOf, mutableMoneyOf } from '../core/money-state.ts';
import { type Calls, change } from '../core/plan.ts';
import { refuse } from '../core/refusal.ts';

const bankPattern = /^[A-Z]{6}[A-Z0-9]{2}/u;
const swiftPattern = /^[A-Z]{4}(?<country>[A-Z]{2})[A-Z0-9]{2}(?<branch>[A-Z0-9]{3})?$/u;
/** 4 to 34 letters, digits, blanks and hyphens. */
export const accountNumberPattern = /^[A-Z0-9](?:[A-Z0-9 -]{2,32}[A-Z0-9])$/u;
/** The only country with fast withdrawals. The documentation shows only that ZAR_EFT has them. */
export const fastCountry = 'ZA';

export const beneficiaryCalls: Pick<Calls, 'createBeneficiary' | 'deleteBeneficiary'> = {
  createBeneficiary: (parameters, { exchange, user }) => {
    const { bank_name: bankName, bank_account_number: accountNumber } = parameters;
    if (!bankPattern.test(bankName))
      return refuse('ErrInvalidDetails', 'The bank must be given by its SWIFT code');
    const swift = swiftPattern.exec(bankName)?.groups;
    if (swift === undefined)
      return refuse('ErrInvalidBranchCode', 'The branch in the SWIFT code must have 3 characters');
    if (!accountNumberPattern.test(accountNumber))
      return refuse(
        'ErrInvalidAccountNumber',
        'The account number must have 4 to 34 letters and digits',
      );
    const country = swift['country'] ?? '';
    return change(() => {
      const id = exchange.nextId();
      mutableMoneyOf(exchange.state.money, user.id).beneficiaries.set(id, {
        id,
        bank_name: bankName,
        bank_account_number: accountNumber,
        bank_account_branch: swift['branch'] ?? '',
        bank_account_type: parameters.account_type,
        bank_country: country,
        bank_recipient: parameters.bank_recipient,
        created_at: exchange.timeMs,
        supports_fast_withdrawals: country === fastCountry,
      });
      return { id };
    });
  },

  deleteBeneficiary: ({ id }, { exchange, user }) => {
    if (!moneyOf(exchange.state.money, user.id).beneficiaries.has(id))
      return refuse('ErrBeneficiaryNotFound', 'Beneficiary not found');
    return change(() => {
      mutableMoneyOf(exchange.state.money, user.id).beneficiaries.delete(id);
      return { code: '', message: '' };
    });
  },
};

export const beneficiaryHandlers: Pick<Handlers, 'listBeneficiaries'> = {
  listBeneficiaries: ({ bank_recipient: wanted }, { exchange, user }) => {
    const all = [...moneyOf(exchange.state.money, user().id).beneficiaries.values()];
    return {
      beneficiaries: all.filter(
        ({ bank_recipient: name }) => wanted === undefined || matchesWildcard(name, wanted),
      ),
    };
  },
};

/**
 * Returns whether `text` matches `wanted`, in which a `*` at the start or the end matches any text.
 */
export function matchesWildcard(text: string, wanted: string): boolean {
  const isOpenAtStart = wanted.startsWith('*');
  const isOpenAtEnd = wanted.length > 1 && wanted.endsWith('*');
  const middle = wanted.slice(isOpenAtStart ? 1 : 0, isOpenAtEnd ? -1 : undefined);
  if (isOpenAtStart && isOpenAtEnd) return text.includes(middle);
  if (isOpenAtStart) return text.endsWith(middle);
  return isOpenAtEnd ? text.startsWith(middle) : text === middle;
}
