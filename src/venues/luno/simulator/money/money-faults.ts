/** Checks that moves, sends, withdrawals and deposits agree with the accounts. */
import { type Amount, formatWireAmount } from '../../../../domain/amount.ts';
import type { Exchange } from '../core/exchange.ts';

/** Returns the sums that moves, sends and withdrawals reserve, by account. */
export function reservedByMoney(exchange: Exchange): Map<string, Amount> {
  const { moves, sends, withdrawals } = exchange.state.money;
  const sums = new Map<string, Amount>();
  const add = (accountId: string, amount: Amount): unknown =>
    sums.set(accountId, (sums.get(accountId) ?? 0n) + amount);
  for (const move of moves.values())
    if (move.status === 'MOVING') add(move.debitAccountId, move.amount);
  for (const send of sends.values())
    if (send.status !== 'COMPLETED') add(send.accountId, send.amount + send.fee);
  for (const { accountId, status, amount, fee } of withdrawals.values())
    if (status === 'PENDING' || status === 'PROCESSING') add(accountId, amount + fee);
  return sums;
}

/** Returns a sentence for every broken invariant. */
export function moneyRecordFaults(exchange: Exchange): string[] {
  const { agenda, money, timeMicros } = exchange.state;
  const faults: string[] = [];
  for (const [index, entry] of agenda.entries()) {
    if (entry.micros < timeMicros) faults.push(`${entry.kind} ${entry.id} is overdue`);
    if (index > 0 && (agenda[index - 1]?.micros ?? 0) > entry.micros)
      faults.push(`${entry.kind} ${entry.id} is out of order on the agenda`);
  }
  const due = new Set(agenda.map((entry) => `${entry.kind} ${entry.id}`));
  for (const { id, status } of money.moves.values())
    if ((status === 'CREATED' || status === 'MOVING') !== due.has(`move ${id}`))
      faults.push(`move ${id} is ${status}, which contradicts the agenda`);
  for (const { id, status } of money.sends.values())
    if ((status === 'PENDING') !== due.has(`send ${id}`))
      faults.push(`send ${id} is ${status}, which contradicts the agenda`);
  for (const { id, status } of money.withdrawals.values())
    if ((status === 'PENDING' || status === 'PROCESSING') && !due.has(`withdrawal ${id}`))
      faults.push(`withdrawal ${id} is ${status}, but is not on the agenda`);
  return [...faults, ...addressFaults(exchange)];
}

/** Checks that the inbound transfers of an account cover what its addresses received. */
function addressFaults(exchange: Exchange): string[] {
  const { addresses, transfers } = exchange.state.money;
  const received = new Map<string, Amount>();
  for (const { accountId, totalReceived } of addresses.values())
    received.set(accountId, (received.get(accountId) ?? 0n) + totalReceived);
  return [...received].flatMap(([accountId, sum]) => {
    let inbound = 0n;
    for (const { isInbound, amount } of transfers.get(accountId) ?? [])
      if (isInbound) inbound += amount;
    if (sum <= inbound) return [];
    return [
      `addresses of account ${accountId} received ${formatWireAmount(sum)}, more than its inbound transfers`,
    ];
  });
}
