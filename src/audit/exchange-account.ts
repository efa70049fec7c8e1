/**
 * Reads a bot's orders, trades, ledger rows and balances from the exchange. Changes nothing, and
 * reads every list to its end.
 */

import { limits } from '../venues/luno/api/limits.ts';
import type { TransactionEntry } from '../venues/luno/api/operations/account-operations.ts';
import type { OrderRecord, UserTrade } from '../venues/luno/api/operations/order-operations.ts';
import type { OperationName } from '../venues/luno/api/operations.ts';
import { TradePages } from '../venues/luno/api/trade-pages.ts';
import type { Client } from '../venues/luno/client/client.ts';
import { listOrders } from '../venues/luno/client/list-orders.ts';

/** Every operation that these functions may call. None of them changes anything. */
export const accountReads: readonly OperationName[] = [
  'markets',
  'ticker',
  'feeInfo',
  'balance',
  'transactions',
  'listOrdersV2',
  'listtrades',
];

/** The operations of a client that an audit needs. */
export type AccountReader = Pick<
  Client,
  'balance' | 'transactions' | 'listOrdersV2' | 'listtrades'
>;

/**
 * Returns the account's trades on a pair from a sequence on, including those of orders that are not
 * this bot's.
 */
export async function readTrades(
  client: Pick<Client, 'listtrades'>,
  pair: string,
  fromSequence = '1',
): Promise<readonly UserTrade[]> {
  const bySequence = new Map<string, UserTrade>();
  const pages = new TradePages(fromSequence);
  while (pages.end === undefined) {
    const { trades } = await client.listtrades({ pair, ...pages.next });
    for (const trade of trades) bySequence.set(`${trade.sequence} ${trade.order_id}`, trade);
    pages.take(trades);
  }
  return [...bySequence.values()];
}

/** Returns the open orders whose client_order_id begins with `prefix`. */
export async function readOpenOrders(
  client: Pick<Client, 'listOrdersV2'>,
  prefix: string,
): Promise<readonly OrderRecord[]> {
  const orders = await listOrders(client, { closed: false });
  return orders.filter((order) => order.client_order_id.startsWith(prefix));
}

/** Returns every order, open or closed, whose client_order_id begins with `prefix`. */
export async function readOrders(
  client: AccountReader,
  prefix: string,
): Promise<readonly OrderRecord[]> {
  // An order that closes between the two reads is in both lists; the later record is right.
  const all = [
    ...(await listOrders(client, { closed: false })),
    ...(await listOrders(client, { closed: true })),
  ];
  const byId = new Map(all.map((order) => [order.order_id, order]));
  return [...byId.values()].filter((order) => order.client_order_id.startsWith(prefix));
}

/** Returns every ledger row of an account, oldest first. */
export async function readLedger(
  client: AccountReader,
  accountId: string,
): Promise<readonly TransactionEntry[]> {
  const rows: TransactionEntry[] = [];
  for (;;) {
    const from = rows.length + 1;
    const { transactions } = await client.transactions({
      id: accountId,
      min_row: String(from),
      max_row: String(from + limits.ledgerRowsPerCallMax),
    });
    rows.push(...transactions);
    if (transactions.length < limits.ledgerRowsPerCallMax) return rows;
  }
}

/** Returns balances by account id. */
export async function readBalances(
  client: Pick<Client, 'balance'>,
): Promise<ReadonlyMap<string, string>> {
  const { balance } = await client.balance({});
  return new Map(balance.map((entry) => [entry.account_id, entry.balance]));
}
