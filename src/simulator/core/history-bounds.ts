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
import { forgetRows } from '../../exchange-accounts/ledger.ts';
import type { Account } from './account.ts';
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
export function boundRows(state: ExchangeState, account: Account): void {
  const countMax = (state.history ?? historyBounds).rows;
  const { length } = account.rows ?? [];
  if (length > countMax * slack) forgetRows(account, length - countMax);
}
