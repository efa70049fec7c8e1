/**
 * Withdrawals to bank accounts. Amount and fee are reserved at once and debited on completion. The
 * durations are ours.
 *
 *     PENDING ──▶ PROCESSING ──▶ COMPLETED
 *        └──────▶ CANCELLED
 */
import {
  type Amount,
  amountOf,
  amountScale,
  formatWireAmount,
  powerOfTen,
} from '../../../../domain/amount.ts';
import { type WithdrawalMethod, withdrawalMethods } from '../../api/currencies.ts';
import { limits } from '../../api/limits.ts';
import type { ParametersOf } from '../../api/operation.ts';
import type { BeneficiaryRecord } from '../../api/operations/beneficiary-operations.ts';
import type { WithdrawalRecord } from '../../api/operations/withdrawal-operations.ts';
import type { Operations } from '../../api/operations.ts';
import type { Account } from '../core/account.ts';
import { schedule } from '../core/agenda.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Handlers } from '../core/handler.ts';
import { moneyOf, mutableMoneyOf, type Withdrawal } from '../core/money-state.ts';
import { type CallContext, type Calls, change } from '../core/plan.ts';
import { type Refusal, refuse, refuseArguments } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { canPay, shortageMessage } from './account-access.ts';
import { withdrawalTerms } from './money-terms.ts';
import { addTransfer } from './transfers.ts';

type Parameters = ParametersOf<Operations['createWithdrawal']>;

/** Countries of the bank accounts of each method. SEPA has more members than are listed here. */
const countries: Readonly<Record<WithdrawalMethod, readonly string[]>> = {
  ZAR_EFT: ['ZA'],
  NAD_EFT: ['NA'],
  KES_EFT: ['KE'],
  KES_MPESA: ['KE'],
  MYR_IBG: ['MY'],
  IDR_LLG: ['ID'],
  NGN_EFT: ['NG'],
  ZMW_EFT: ['ZM'],
  SGD_GIRO: ['SG'],
  SGD_WIRE: ['SG'],
  EUR_SEPA: [
    ...['AT', 'BE', 'BG', 'CH', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
    ...['IE', 'IS', 'IT', 'LI', 'LT', 'LU', 'LV', 'MC', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE'],
    ...['SI', 'SK', 'SM'],
  ],
  GBP: ['GB'],
  UGX_EFT: ['UG'],
};

export const withdrawalCalls: Pick<Calls, 'createWithdrawal' | 'cancelWithdrawal'> = {
  createWithdrawal: (parameters, context) => {
    const { exchange, user } = context;
    const { type, external_id: externalId = '', fast: isFast = false } = parameters;
    const amount = amountOf(parameters.amount);
    const money = moneyOf(exchange.state.money, user.id);
    const amountFault = refusalOfAmount(amount);
    if (amountFault !== undefined) return amountFault;
    if (externalId !== '' && money.externalIds.has(externalId))
      return refuse('ErrDuplicateExternalID', 'A withdrawal with this external id exists');
    const source = sourceOf(parameters, context);
    if (source.kind === 'refused') return source;
    const chosen = beneficiaryFor(parameters, context);
    if (chosen.kind === 'refused') return chosen;
    const refusal = refusalOfRestrictions(parameters, context, chosen.beneficiary);
    if (refusal !== undefined) return refusal;
    if (money.activeWithdrawalIds.size >= withdrawalTerms.activeMax)
      return refuse(
        'ErrMaxActiveFiatRequestsExists',
        `At most ${withdrawalTerms.activeMax} withdrawals in progress`,
      );
    const fee = isFast ? withdrawalTerms.fastFee : withdrawalTerms.fee;
    const { account } = source;
    if (!canPay(account, amount + fee))
      return refuse('ErrInsufficientBalance', shortageMessage(account, amount + fee));
    return change(() =>
      recordOf(
        start(exchange, {
          id: exchange.nextId(),
          userId: user.id,
          accountId: account.id,
          beneficiaryId: chosen.beneficiary.id,
          type,
          currency: account.currency,
          amount,
          fee,
          externalId,
          isFast,
          createdMs: exchange.timeMs,
          status: 'PENDING',
          transferId: '',
        }),
      ),
    );
  },

  cancelWithdrawal: ({ id }, context) => {
    const { exchange, user } = context;
    const withdrawal = ownWithdrawal(exchange, user.id, id);
    if (withdrawal === undefined) return refuse('ErrWithdrawalNotFound', 'Withdrawal not found');
    const refusal = refusalOf(exchange.state, 'blocked-withdrawal-cancels', user.id);
    if (refusal !== undefined) return refusal;
    if (withdrawal.status !== 'PENDING')
      return refuseArguments(['id'], `The withdrawal is ${withdrawal.status}, no longer PENDING`);
    return change(() => {
      withdrawal.status = 'CANCELLED';
      release(exchange, withdrawal);
      return recordOf(withdrawal);
    });
  },
};

export const withdrawalHandlers: Pick<Handlers, 'listWithdrawals' | 'getWithdrawal'> = {
  listWithdrawals: ({ before_id: before, limit = limits.listLimitDefault }, context) => {
    const { exchange, user } = context;
    const ids = moneyOf(exchange.state.money, user().id).withdrawalIds;
    const withdrawals: WithdrawalRecord[] = [];
    for (let i = ids.length - 1; i >= 0 && withdrawals.length < limit; i--) {
      const id = ids[i] as string;
      const withdrawal = ownWithdrawal(exchange, user().id, id);
      if (withdrawal !== undefined && (before === undefined || BigInt(id) <= BigInt(before)))
        withdrawals.push(recordOf(withdrawal));
    }
    return { withdrawals };
  },

  getWithdrawal: ({ id }, { exchange, user }) => {
    const withdrawal = ownWithdrawal(exchange, user().id, id);
    if (withdrawal === undefined) return refuse('ErrWithdrawalNotFound', 'Withdrawal not found');
    return recordOf(withdrawal);
  },
};

/** Advances a withdrawal by one step, unless it was cancelled. */
export function advanceWithdrawal(exchange: Exchange, id: string): void {
  const withdrawal = exchange.state.money.withdrawals.get(id);
  if (withdrawal?.status === 'PENDING') {
    withdrawal.status = 'PROCESSING';
    const { fastProcessingMs, processingMs } = withdrawalTerms;
    schedule(exchange, withdrawal.isFast ? fastProcessingMs : processingMs, {
      kind: 'withdrawal',
      id,
    });
  } else if (withdrawal?.status === 'PROCESSING') {
    withdrawal.status = 'COMPLETED';
    complete(exchange, withdrawal);
  }
}

function start(exchange: Exchange, withdrawal: Withdrawal): Withdrawal {
  const { id, userId, externalId } = withdrawal;
  const money = mutableMoneyOf(exchange.state.money, userId);
  exchange.state.money.withdrawals.set(id, withdrawal);
  money.withdrawalIds.push(id);
  money.activeWithdrawalIds.add(id);
  if (externalId !== '') money.externalIds.add(externalId);
  exchange.record(exchange.accountOf(withdrawal.accountId), {
    reservedDelta: withdrawal.amount + withdrawal.fee,
    kind: 'TRANSFER',
    description: 'Reserved for a withdrawal',
    reference: id,
  });
  const { fastPendingMs, pendingMs } = withdrawalTerms;
  schedule(exchange, withdrawal.isFast ? fastPendingMs : pendingMs, { kind: 'withdrawal', id });
  return withdrawal;
}

/** Releases the reserved amount and fee. */
function release(exchange: Exchange, withdrawal: Withdrawal): void {
  const money = mutableMoneyOf(exchange.state.money, withdrawal.userId);
  money.activeWithdrawalIds.delete(withdrawal.id);
  exchange.record(exchange.accountOf(withdrawal.accountId), {
    reservedDelta: -(withdrawal.amount + withdrawal.fee),
    kind: 'TRANSFER',
    description: 'Released from a withdrawal',
    reference: withdrawal.id,
  });
}

function complete(exchange: Exchange, withdrawal: Withdrawal): void {
  const { id, amount, fee, type, currency } = withdrawal;
  const account = exchange.accountOf(withdrawal.accountId);
  mutableMoneyOf(exchange.state.money, withdrawal.userId).activeWithdrawalIds.delete(id);
  exchange.countDeposit(currency, -amount);
  exchange.collectFee(currency, fee);
  const entry = { reference: id };
  exchange.record(account, {
    ...entry,
    balanceDelta: -amount,
    reservedDelta: -amount,
    kind: 'TRANSFER',
    description: `Withdrawal by ${type}`,
  });
  exchange.record(account, {
    ...entry,
    balanceDelta: -fee,
    reservedDelta: -fee,
    kind: 'FEE',
    description: 'Fee of a withdrawal',
  });
  withdrawal.transferId = addTransfer(exchange, account, {
    amount,
    fee,
    isInbound: false,
    transactionId: id,
  });
}

function refusalOfAmount(amount: Amount): Refusal | undefined {
  const { amountMin, amountMax, decimalsMax } = withdrawalTerms;
  if (amount === 0n || amount % powerOfTen(amountScale - decimalsMax) !== 0n)
    return refuse('ErrInvalidAmount', `More than zero, with at most ${decimalsMax} decimals`);
  if (amount < amountMin) return refuse('ErrAmountTooSmall', 'The amount is below the minimum');
  if (amount > amountMax) return refuse('ErrAmountTooBig', 'The amount is above the maximum');
  return undefined;
}

function sourceOf(
  { type, source_account_id: given }: Parameters,
  { exchange, user }: CallContext,
): { readonly kind: 'found'; readonly account: Account } | Refusal {
  const currency = withdrawalMethods[type];
  const id = given ?? user.accountIds.get(currency);
  const account = id === undefined ? undefined : exchange.state.accounts.get(id);
  if (account === undefined && given === undefined)
    return refuse('ErrAccountNotFound', `No account of ${currency}`);
  const isUsable =
    account?.userId === user.id &&
    account.currency === currency &&
    account.type === 'TRANSACTIONAL';
  if (account === undefined || !isUsable)
    return refuse('ErrInvalidSourceAccount', `Not an own transactional account of ${currency}`);
  return { kind: 'found', account };
}

function beneficiaryFor(
  { type, beneficiary_id: given, fast }: Parameters,
  { exchange, user }: CallContext,
): { readonly kind: 'found'; readonly beneficiary: BeneficiaryRecord } | Refusal {
  const { beneficiaries } = moneyOf(exchange.state.money, user.id);
  if (given === undefined && beneficiaries.size > 1)
    return refuseArguments(['beneficiary_id'], 'beneficiary_id is required: there are several');
  const id = given ?? [...beneficiaries.keys()][0];
  const beneficiary = id === undefined ? undefined : beneficiaries.get(id);
  if (beneficiary === undefined) return refuse('ErrBeneficiaryNotFound', 'Beneficiary not found');
  if (fast === true && type !== 'ZAR_EFT')
    return refuse('ErrRequestTypeDoesNotSupportFastWithdrawals', `${type} has no fast withdrawals`);
  if (
    !countries[type].includes(beneficiary.bank_country) ||
    (fast === true && !beneficiary.supports_fast_withdrawals)
  )
    return refuse('ErrIncompatibleBeneficiary', `The bank account cannot be paid by ${type}`);
  return { kind: 'found', beneficiary };
}

function refusalOfRestrictions(
  { reference }: Parameters,
  { exchange: { state }, user }: CallContext,
  { id }: BeneficiaryRecord,
): Refusal | undefined {
  return (
    refusalOf(state, 'rejected-beneficiary', id) ??
    refusalOf(state, 'screened-beneficiary', id) ??
    refusalOf(state, 'migrating-accounts', user.id) ??
    refusalOf(state, 'blocked-withdrawals', user.id) ??
    (reference === undefined ? undefined : refusalOf(state, 'no-custom-references', user.id))
  );
}

function ownWithdrawal(exchange: Exchange, userId: string, id: string): Withdrawal | undefined {
  const withdrawal = exchange.state.money.withdrawals.get(id);
  return withdrawal?.userId === userId ? withdrawal : undefined;
}

function recordOf(withdrawal: Withdrawal): WithdrawalRecord {
  return {
    id: withdrawal.id,
    status: withdrawal.status,
    created_at: withdrawal.createdMs,
    type: withdrawal.type,
    currency: withdrawal.currency,
    amount: formatWireAmount(withdrawal.amount),
    fee: formatWireAmount(withdrawal.fee),
    external_id: withdrawal.externalId,
    transfer_id: withdrawal.transferId,
  };
}
