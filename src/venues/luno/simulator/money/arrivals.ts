/**
 * Crypto deposits that are not confirmed yet. They are listed as pending, without a row number;
 * they change with every confirmation, and they disappear if the network drops them. A confirmed
 * deposit becomes a ledger row and a transfer.
 */
import { type Amount, amountOf, formatWireAmount } from '../../../../domain/amount.ts';
import { assert } from '../../../../domain/errors.ts';
import { availableOf } from '../../../../exchange-accounts/ledger.ts';
import type { PendingEntry } from '../../api/operations/account-operations.ts';
import type { Account } from '../core/account.ts';
import { schedule } from '../core/agenda.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Arrival } from '../core/money-state.ts';
import { transactionIdOf } from './address-maker.ts';
import { confirmationMs, confirmationsNeeded } from './money-terms.ts';
import { addTransfer } from './transfers.ts';

/** Starts a deposit to a receive address of a user. */
export function startArrival(
  exchange: Exchange,
  terms: {
    readonly address: string;
    readonly amount: string;
    readonly isQuarantined?: boolean | undefined;
  },
): void {
  const { money, idSeed } = exchange.state;
  const target = money.addresses.get(terms.address);
  const amount = amountOf(terms.amount);
  assert(target !== undefined, `address ${terms.address} must exist to receive`);
  assert(amount > 0n, 'the amount of a deposit must be more than zero');
  const id = exchange.nextId();
  money.arrivals.set(id, {
    id,
    accountId: target.accountId,
    address: target.address,
    amount,
    txid: transactionIdOf(idSeed, id),
    createdMs: exchange.timeMs,
    confirmations: 0,
    isQuarantined: terms.isQuarantined ?? false,
  });
  schedule(exchange, confirmationMs, { kind: 'arrival', id });
}

/** Adds a confirmation. The last one completes the deposit, unless it is quarantined. */
export function confirmArrival(exchange: Exchange, id: string): void {
  const arrival = exchange.state.money.arrivals.get(id);
  if (arrival === undefined) return;
  arrival.confirmations += 1;
  if (arrival.confirmations < confirmationsNeeded)
    schedule(exchange, confirmationMs, { kind: 'arrival', id });
  else if (!arrival.isQuarantined) finish(exchange, arrival);
}

/** Ends the quarantine of a deposit, and completes the deposit if it is confirmed. */
export function releaseArrival(exchange: Exchange, id: string): void {
  const arrival = exchange.state.money.arrivals.get(id);
  if (arrival === undefined) return;
  arrival.isQuarantined = false;
  if (arrival.confirmations >= confirmationsNeeded) finish(exchange, arrival);
}

/** Removes every unconfirmed deposit to the address, as if its block were lost. */
export function dropArrivals(exchange: Exchange, address: string): void {
  const { arrivals } = exchange.state.money;
  for (const arrival of [...arrivals.values()])
    if (arrival.address === address) arrivals.delete(arrival.id);
}

/** Returns the sum of the unconfirmed deposits to an account. */
export function unconfirmedOf(exchange: Exchange, account: Account): Amount {
  let sum = 0n;
  for (const arrival of exchange.state.money.arrivals.values())
    if (arrival.accountId === account.id) sum += arrival.amount;
  return sum;
}

/** Returns the pending entries of an account, newest first. */
export function pendingEntriesOf(exchange: Exchange, account: Account): PendingEntry[] {
  return [...exchange.state.money.arrivals.values()]
    .filter((arrival) => arrival.accountId === account.id)
    .reverse()
    .map((arrival) => ({
      row_index: 0,
      payment_id: arrival.id,
      timestamp: arrival.createdMs,
      account_id: account.id,
      currency: account.currency,
      balance: formatWireAmount(account.balance),
      balance_delta: formatWireAmount(arrival.amount),
      available: formatWireAmount(availableOf(account)),
      available_delta: formatWireAmount(0n),
      description: descriptionOf(arrival, account),
      reference: '',
      kind: 'TRANSFER' as const,
      details: {},
      detail_fields: { crypto_details: { address: arrival.address, txid: arrival.txid } },
    }));
}

function descriptionOf({ confirmations, isQuarantined }: Arrival, account: Account): string {
  if (isQuarantined) return `Receiving ${account.currency}: originator needed`;
  return `Receiving ${account.currency}: ${confirmations} of ${confirmationsNeeded} confirmations`;
}

function finish(exchange: Exchange, arrival: Arrival): void {
  const { money } = exchange.state;
  const account = exchange.accountOf(arrival.accountId);
  money.arrivals.delete(arrival.id);
  exchange.countDeposit(account.currency, arrival.amount);
  receive(exchange, account, arrival);
}

/** Credits money that was received at an address, and adds it to the total of the address. */
export function receive(
  exchange: Exchange,
  account: Account,
  { address, amount, txid }: Pick<Arrival, 'address' | 'amount' | 'txid'>,
): void {
  exchange.record(account, {
    balanceDelta: amount,
    kind: 'TRANSFER',
    description: `Received ${account.currency}`,
    reference: txid,
    crypto: { address, txid },
  });
  addTransfer(exchange, account, { amount, fee: 0n, isInbound: true, transactionId: txid });
  const target = exchange.state.money.addresses.get(address);
  if (target !== undefined) target.totalReceived += amount;
}
