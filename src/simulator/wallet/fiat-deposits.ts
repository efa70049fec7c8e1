/**
 * Deposits from bank accounts, which the operator of the simulated exchange makes and moves from
 * state to state. The document names the states and not the transitions; ours:
 *
 *     any state ─▶ any state, and the money
 *         arrives with the first COMPLETED, CONFIRMED or SETTLED
 *         leaves with REVERSED or VOID_COMPLETED; if the wallet has not enough: VOID_REQUIRED
 *
 * Invariant: a deposit is in its wallet exactly once or not at all.
 */
import { amountOf, formatWireAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import { availableOf } from '../../exchange-accounts/ledger.ts';
import type { FiatDepositRecord } from '../../exchange-api/wallet/operations/fiat-operations.ts';
import type { DepositStatus } from '../../exchange-api/wallet/scalars.ts';
import type { Exchange } from '../core/exchange.ts';
import type { FiatDeposit } from '../core/wallet-state.ts';
import { addTransfer } from '../money/transfers.ts';

export type NewFiatDeposit = {
  readonly accountId: string;
  readonly amount: string;
  /** Taken off the amount; none unless given. */
  readonly fee?: string;
  readonly providerReference?: string;
  /** REQUESTED unless given. */
  readonly status?: DepositStatus;
};

const arriving: readonly DepositStatus[] = ['COMPLETED', 'CONFIRMED', 'SETTLED'];
const leaving: readonly DepositStatus[] = ['REVERSED', 'VOID_COMPLETED'];

/** Makes a deposit. */
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

/** Moves a deposit on, and the money with it. */
export function setFiatDepositStatus(
  exchange: Exchange,
  depositId: string,
  status: DepositStatus,
  note = '',
): void {
  const deposit = exchange.state.wallet.fiatDeposits.find((one) => one.id === depositId);
  assert(deposit !== undefined, `deposit ${depositId} must exist to change`);
  const account = exchange.accountOf(deposit.walletId);
  const value = deposit.amount - deposit.fee;
  if (deposit.isCredited && leaving.includes(status) && availableOf(account) < value) {
    deposit.status = 'VOID_REQUIRED';
    deposit.statusNote = 'The wallet has not enough to take the deposit back';
    return;
  }
  deposit.status = status;
  deposit.statusNote = note;
  if (!deposit.isCredited && arriving.includes(status)) book(exchange, deposit, value);
  if (deposit.isCredited && leaving.includes(status)) book(exchange, deposit, -value);
}

function book(exchange: Exchange, deposit: FiatDeposit, balanceDelta: bigint): void {
  const isArrival = balanceDelta > 0n;
  deposit.isCredited = isArrival;
  exchange.countDeposit(deposit.currency, balanceDelta);
  const account = exchange.accountOf(deposit.walletId);
  exchange.record(account, {
    balanceDelta,
    kind: 'TRANSFER',
    description: isArrival ? 'Bank deposit' : 'Bank deposit taken back',
    reference: deposit.id,
  });
  const { amount, fee, id: transactionId } = deposit;
  addTransfer(exchange, account, { amount, fee, isInbound: isArrival, transactionId });
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
