/**
 * Bounds on the history that the exchange keeps, so that it can run for months.
 *
 * The API promises orders of the last 100 days and every ledger row. Up to these bounds the
 * exchange answers with all of them. Beyond the bounds the oldest entries are dropped, as if they
 * were older than 100 days: the order is not found, its client order id can be used again, and the
 * list of ledger rows starts with the oldest row kept. Balances, open orders and row numbers stay
 * correct.
 *
 * Invariant: what is dropped depends only on what happened, so a replay of the log drops the same
 * entries.
 */
import { forgetRows } from '../../../../exchange-accounts/ledger.ts';
import type { Account } from './account.ts';
import type { ExchangeState, User } from './exchange-state.ts';
import type { HistoryBounds } from './simulator-settings.ts';

/**
 * Enough for half a day of a bot that quotes every few seconds; takes about 40 MB of memory.
 */
export const historyBounds: HistoryBounds = { orders: 20_000, trades: 20_000, rows: 50_000 };

/** History may exceed its bounds by 10 %, so that it is trimmed rarely. */
const slack = 1.1;

/** Drops a user's oldest trades and completed orders beyond the bounds. Open orders stay. */
export function boundHistory(state: ExchangeState, user: User): void {
  const bounds = state.history ?? historyBounds;
  if (user.trades.length > bounds.trades * slack)
    user.trades.splice(0, user.trades.length - bounds.trades);
  if (user.orderIds.length <= bounds.orders * slack + user.openOrderIds.size) return;
  const kept: string[] = [];
  let excess = user.orderIds.length - bounds.orders;
  for (const id of user.orderIds) {
    if (excess <= 0 || user.openOrderIds.has(id)) {
      kept.push(id);
      continue;
    }
    excess--;
    const order = state.orders.get(id);
    if (order !== undefined) user.orderIdByClientOrderId.delete(order.clientOrderId);
    state.orders.delete(id);
  }
  user.orderIds.length = 0;
  for (const id of kept) user.orderIds.push(id);
}

/** Drops the oldest ledger rows of an account beyond the bound. */
export function boundRows(state: ExchangeState, account: Account): void {
  const countMax = (state.history ?? historyBounds).rows;
  const { length } = account.rows ?? [];
  if (length > countMax * slack) forgetRows(account, length - countMax);
}
