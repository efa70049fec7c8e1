/** Withdrawals to bank accounts in the format of the wallet API. */
import { amountOf, formatWireAmount } from '../../../../domain/amount.ts';
import { assert } from '../../../../domain/errors.ts';
import type { FiatWithdrawalRecord } from '../../api/wallet/operations/fiat-operations.ts';
import { moneyOf, type Withdrawal } from '../core/money-state.ts';
import type { Calls } from '../core/plan.ts';
import { refuse } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { withdrawalCalls } from '../money/withdrawals.ts';
import { mapPlan } from './map-plan.ts';

export const fiatWithdrawalCalls: Pick<Calls, 'createFiatWithdrawal'> = {
  createFiatWithdrawal: (parameters, context) => {
    const { type, amount, beneficiaryId, externalId, fast } = parameters;
    const { exchange, user } = context;
    if (amountOf(amount) === 0n)
      return refuse('ErrAmountTooSmall', 'The amount must be more than zero');
    const { beneficiaries } = moneyOf(exchange.state.money, user.id);
    if (fast === true && type !== 'ZAR_EFT')
      return refuse(
        'ErrRequestTypeDoesNotSupportFastWithdrawals',
        'Only ZAR_EFT has fast withdrawals',
      );
    if (beneficiaryId === undefined && beneficiaries.size > 1)
      return refuse('ErrMultipleBeneficiaries', 'There are several: beneficiaryId is required');
    const chosen =
      beneficiaryId === undefined
        ? [...beneficiaries.values()][0]
        : beneficiaries.get(beneficiaryId);
    if (fast === true && chosen?.supports_fast_withdrawals === false)
      return refuse(
        'ErrRequestTypeDoesNotSupportFastWithdrawals',
        'This bank takes no fast withdrawals',
      );
    const blocked = refusalOf(exchange.state, 'blocked-user', user.id);
    if (blocked !== undefined) return blocked;
    const request = {
      type,
      amount,
      beneficiary_id: beneficiaryId,
      external_id: externalId,
      fast,
    };
    return mapPlan(withdrawalCalls.createWithdrawal(request, context), ({ id }) => {
      const withdrawal = exchange.state.money.withdrawals.get(id);
      assert(withdrawal !== undefined, `withdrawal ${id} must have been created`);
      return recordOf(withdrawal);
    });
  },
};

function recordOf(withdrawal: Withdrawal): FiatWithdrawalRecord {
  return {
    id: withdrawal.id,
    type: withdrawal.type,
    currency: withdrawal.currency,
    amount: formatWireAmount(withdrawal.amount),
    fee: formatWireAmount(withdrawal.fee),
    status: withdrawal.status,
    walletId: withdrawal.accountId,
    ...(withdrawal.externalId === '' ? {} : { externalId: withdrawal.externalId }),
    createdAt: withdrawal.createdMs,
  };
}
