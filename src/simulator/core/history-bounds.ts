/**
 * How much the exchange remembers of what is over, so that it can run for months.
 *
 * The interface promises orders of the last 100 days and every ledger row. Up to these counts all
 * of that is answered; beyond them the oldest are forgotten as if they were older than that: an
 * order is not found, its client order id is free again, rows before the first that is kept are
 * left out. Balances, open orders and the numbers of rows are never touched.
 *
 * Invariant: what is kept is a function of what happened, so that a replay of the log keeps the
 * same.
 */
import type { Account, LedgerRow } from './account.ts';
import type { ExchangeState, User } from './exchange-state.ts';
import type { HistoryBounds } from './simulator-settings.ts';

/** About two days of a bot that quotes every few seconds, and about 300 MB of memory. */
export const historyBounds: HistoryBounds = { orders: 100_000, trades: 100_000, rows: 250_000 };

/** Dropping a tenth at once makes it rare. */
const slack = 1.1;

/** Forgets what a user has too much of; open orders stay. */
export function boundHistory(state: ExchangeState, user: User): void {
  const bounds = state.history ?? historyBounds;
  if (user.trades.length > bounds.trades * slack)
    user.trades.splice(0, user.trades.length - bounds.trades);
  if (user.orderIds.length <= bounds.orders * slack + user.openOrderIds.size) return;
  const kept: string[] = [];
  let tooMany = user.orderIds.length - bounds.orders;
  for (const id of user.orderIds) {
    if (tooMany <= 0 || user.openOrderIds.has(id)) {
      kept.push(id);
      continue;
    }
    tooMany--;
    const order = state.orders.get(id);
    if (order !== undefined) user.orderIdByClientOrderId.delete(order.clientOrderId);
    state.orders.delete(id);
  }
  user.orderIds.length = 0;
  for (const id of kept) user.orderIds.push(id);
}

/** Forgets the oldest rows of an account if there are too many. */
export function boundRows(state: ExchangeState, { rows }: Account): void {
  const countMax = (state.history ?? historyBounds).rows;
  if (rows !== undefined && rows.length > countMax * slack) rows.splice(0, rows.length - countMax);
}

/** Returns the rows with the numbers from `first` to before `end`, of those that are kept. */
export function rowsBetween(account: Account, first: bigint, end: bigint): LedgerRow[] {
  const rows = account.rows ?? [];
  const firstKept = BigInt(account.rowCount - rows.length + 1);
  const indexOf = (row: bigint): number => {
    const index = row - firstKept;
    if (index <= 0n) return 0;
    return index >= BigInt(rows.length) ? rows.length : Number.parseInt(index.toString(), 10);
  };
  return rows.slice(indexOf(first), indexOf(end));
}
