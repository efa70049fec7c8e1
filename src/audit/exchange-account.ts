/**
 * Reads from the exchange what it says of a bot: orders, trades, ledger rows and balances. It only
 * reads, and follows every list to its end.
 */
import type { Client } from '../client/client.ts';
import { limits } from '../exchange-api/limits.ts';
import type { TransactionEntry } from '../exchange-api/operations/account-operations.ts';
import type { OrderRecord, UserTrade } from '../exchange-api/operations/order-operations.ts';
import type { OperationName } from '../exchange-api/operations.ts';

/** Everything that these functions call. None of it changes anything. */
export const accountReads: readonly OperationName[] = [
  'markets',
  'ticker',
  'feeInfo',
  'balance',
  'transactions',
  'listOrdersV2',
  'listtrades',
];

/** The part of a client that is needed here. */
export type AccountReader = Pick<
  Client,
  'balance' | 'transactions' | 'listOrdersV2' | 'listtrades'
>;

const pageSize = limits.listLimitMax;

/**
 * Returns every own trade of a pair with this sequence or a later one, also those of orders that
 * are not of this bot.
 */
export async function readTrades(
  client: Pick<Client, 'listtrades'>,
  pair: string,
  fromSequence = '1',
): Promise<readonly UserTrade[]> {
  const bySequence = new Map<string, UserTrade>();
  let from = fromSequence;
  for (;;) {
    const { trades } = await client.listtrades({ pair, after_seq: from, limit: pageSize });
    for (const trade of trades) bySequence.set(`${trade.sequence} ${trade.order_id}`, trade);
    const last = trades.at(-1)?.sequence;
    if (trades.length < pageSize || last === undefined || last === from)
      return [...bySequence.values()];
    from = last;
  }
}

/** Returns the open orders whose client_order_id begins with `prefix`. */
export async function readOpenOrders(
  client: Pick<Client, 'listOrdersV2'>,
  prefix: string,
): Promise<readonly OrderRecord[]> {
  const orders = await readPages(client, false);
  return orders.filter((order) => order.client_order_id.startsWith(prefix));
}

/** Returns every order, open or closed, whose client_order_id begins with `prefix`. */
export async function readOrders(
  client: AccountReader,
  prefix: string,
): Promise<readonly OrderRecord[]> {
  // One that closes between the two lists is in both; the later one is right.
  const all = [...(await readPages(client, false)), ...(await readPages(client, true))];
  const byId = new Map(all.map((order) => [order.order_id, order]));
  return [...byId.values()].filter((order) => order.client_order_id.startsWith(prefix));
}

/** Newest first; several can share a millisecond, so each page begins with the last one's end. */
async function readPages(
  client: Pick<Client, 'listOrdersV2'>,
  closed: boolean,
): Promise<readonly OrderRecord[]> {
  const byId = new Map<string, OrderRecord>();
  let before: number | undefined;
  for (;;) {
    const { orders } = await client.listOrdersV2({
      closed,
      limit: pageSize,
      ...(before === undefined ? {} : { created_before: before }),
    });
    for (const order of orders) byId.set(order.order_id, order);
    const last = orders.at(-1)?.creation_timestamp;
    if (orders.length < pageSize || last === undefined) return [...byId.values()];
    // More in one millisecond than a page has: what is behind them cannot be listed together.
    before = last + 1 === before ? last : last + 1;
  }
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

/** Returns the balance by account id. */
export async function readBalances(
  client: Pick<Client, 'balance'>,
): Promise<ReadonlyMap<string, string>> {
  const { balance } = await client.balance({});
  return new Map(balance.map((entry) => [entry.account_id, entry.balance]));
}
