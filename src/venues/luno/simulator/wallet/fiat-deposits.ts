/**
 * Deposits from bank accounts. The operator of the simulated exchange creates them and sets their
 * status. The documentation names the statuses but no transitions; ours are:
 *
 *     any status ─▶ any status, and the money is
 *         credited at the first COMPLETED, CONFIRMED or SETTLED
 *         debited at REVERSED or VOID_COMPLETED; if the wallet has too little: VOID_REQUIRED
 *
 * Invariant: a deposit is credited to its wallet once or not at all.
 */
import { amountOf, formatWireAmount } from '../../../../domain/amount.ts';
import { assert } from '../../../../domain/errors.ts';
import { availableOf } from '../../../../exchange-accounts/ledger.ts';
import type { FiatDepositRecord } from '../../api/wallet/operations/fiat-operations.ts';
import type { DepositStatus } from '../../api/wallet/scalars.ts';
import type { Exchange } from '../core/exchange.ts';
import type { FiatDeposit } from '../core/wallet-state.ts';
import { addTransfer } from '../money/transfers.ts';

export type NewFiatDeposit = {
  readonly accountId: string;
  readonly amount: string;
  /** Deducted from the amount. Default: 0. */
  readonly fee?: string;
  readonly providerReference?: string;
  /** Default: REQUESTED. */
  readonly status?: DepositStatus;
};

const creditingStatuses: readonly DepositStatus[] = ['COMPLETED', 'CONFIRMED', 'SETTLED'];
const debitingStatuses: readonly DepositStatus[] = ['REVERSED', 'VOID_COMPLETED'];

/** Creates a deposit. */
export function addFiatDeposit(exchange: Exchange, terms: NewFiatDeposit): void {
  const account = exchange.accountOf(terms.accountId);
  const amount = amountOf(terms.amount);
  const fee = amountOf(terms.fee ?? '0');
  assert(fee >= 0n && amount > fee, 'a deposit must be worth more than its fee');
  const deposit: FiatDeposit = {
    id: exchange.nextId(),
    userId: account.userId,
    walletId: account.id,
    currency: account.currency,
    amount,
    fee,
    paymentId: exchange.nextId(),
    providerReference: terms.providerReference ?? '',
    createdMs: exchange.timeMs,
    status: 'REQUESTED',
    statusNote: '',
    isCredited: false,
  };
  exchange.state.wallet.fiatDeposits.push(deposit);
  if (terms.status !== undefined) setFiatDepositStatus(exchange, deposit.id, terms.status);
}

/** Sets the status of a deposit, and credits or debits the wallet accordingly. */
export function setFiatDepositStatus(
  exchange: Exchange,
  depositId: string,
  status: DepositStatus,
  note = '',
): void {
  const deposit = exchange.state.wallet.fiatDeposits.find(({ id }) => id === depositId);
  assert(deposit !== undefined, `deposit ${depositId} must exist to change`);
  const account = exchange.accountOf(deposit.walletId);
  const value = deposit.amount - deposit.fee;
  if (deposit.isCredited && debitingStatuses.includes(status) && availableOf(account) < value) {
    deposit.status = 'VOID_REQUIRED';
    deposit.statusNote = 'The wallet has not enough to take the deposit back';
    return;
  }
  deposit.status = status;
  deposit.statusNote = note;
  if (!deposit.isCredited && creditingStatuses.includes(status)) book(exchange, deposit, value);
  if (deposit.isCredited && debitingStatuses.includes(status)) book(exchange, deposit, -value);
}

function book(exchange: Exchange, deposit: FiatDeposit, balanceDelta: bigint): void {
  const isCredit = balanceDelta > 0n;
  deposit.isCredited = isCredit;
  exchange.countDeposit(deposit.currency, balanceDelta);
  const account = exchange.accountOf(deposit.walletId);
  exchange.record(account, {
    balanceDelta,
    kind: 'TRANSFER',
    description: isCredit ? 'Bank deposit' : 'Bank deposit taken back',
    reference: deposit.id,
  });
  const { amount, fee, id: transactionId } = deposit;
  addTransfer(exchange, account, { amount, fee, isInbound: isCredit, transactionId });
}

export function fiatDepositRecordOf(deposit: FiatDeposit): FiatDepositRecord {
  return {
    amount: formatWireAmount(deposit.amount),
    createdTimestamp: deposit.createdMs,
    currency: deposit.currency,
    fee: formatWireAmount(deposit.fee),
    id: deposit.id,
    paymentId: deposit.paymentId,
    providerReference: deposit.providerReference,
    status: deposit.status,
    statusNote: deposit.statusNote,
    targetWalletId: deposit.walletId,
  };
}
