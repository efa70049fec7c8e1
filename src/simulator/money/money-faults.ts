/** Whether moves, sends, withdrawals and deposits agree with the accounts. */
import { type Amount, formatWireAmount } from '../../domain/amount.ts';
import type { Exchange } from '../core/exchange.ts';

/** Returns what moves, sends and withdrawals hold back, by account. */
export function reservedByMoney(exchange: Exchange): Map<string, Amount> {
  const { moves, sends, withdrawals } = exchange.state.money;
  const sums = new Map<string, Amount>();
  const add = (accountId: string, amount: Amount): unknown =>
    sums.set(accountId, (sums.get(accountId) ?? 0n) + amount);
  for (const move of moves.values())
    if (move.status === 'MOVING') add(move.debitAccountId, move.amount);
  for (const send of sends.values())
    if (send.status !== 'COMPLETED') add(send.accountId, send.amount + send.fee);
  for (const one of withdrawals.values())
    if (one.status === 'PENDING' || one.status === 'PROCESSING')
      add(one.accountId, one.amount + one.fee);
  return sums;
}

/** Returns every broken invariant as a sentence. */
export function moneyRecordFaults(exchange: Exchange): string[] {
  const { agenda, money, timeMicros } = exchange.state;
  const faults: string[] = [];
  for (const [index, entry] of agenda.entries()) {
    if (entry.micros < timeMicros) faults.push(`${entry.kind} ${entry.id} is overdue`);
    if (index > 0 && (agenda[index - 1]?.micros ?? 0) > entry.micros)
      faults.push(`${entry.kind} ${entry.id} is too late on the agenda`);
  }
  const due = new Set(agenda.map((entry) => `${entry.kind} ${entry.id}`));
  for (const { id, status } of money.moves.values())
    if ((status === 'CREATED' || status === 'MOVING') !== due.has(`move ${id}`))
      faults.push(`move ${id} is ${status}, and that does not agree with the agenda`);
  for (const { id, status } of money.sends.values())
    if ((status === 'PENDING') !== due.has(`send ${id}`))
      faults.push(`send ${id} is ${status}, and that does not agree with the agenda`);
  for (const { id, status } of money.withdrawals.values())
    if ((status === 'PENDING' || status === 'PROCESSING') && !due.has(`withdrawal ${id}`))
      faults.push(`withdrawal ${id} is ${status} and will stay so`);
  return [...faults, ...addressFaults(exchange)];
}

/** What came in at an address is in the transfers of its account, and in no more than those. */
function addressFaults(exchange: Exchange): string[] {
  const { addresses, transfers } = exchange.state.money;
  const received = new Map<string, Amount>();
  for (const { accountId, totalReceived } of addresses.values())
    received.set(accountId, (received.get(accountId) ?? 0n) + totalReceived);
  return [...received].flatMap(([accountId, sum]) => {
    let inbound = 0n;
    for (const one of transfers.get(accountId) ?? []) if (one.isInbound) inbound += one.amount;
    if (sum <= inbound) return [];
    return [
      `addresses of account ${accountId} received ${formatWireAmount(sum)}, more than arrived`,
    ];
  });
}
