/**
 * Holds everything that the store keeps against everything that the exchange says: order by order,
 * fill by fill, ledger row by ledger row, balance by balance, to the last digit.
 *
 * Invariant: the lists are of one moment: if a balance moves while they are read, they are read
 * again.
 */
import { StoreError } from '../domain/errors.ts';
import { decimalOf } from '../domain/money.ts';
import type { TransactionEntry } from '../exchange-api/operations/account-operations.ts';
import type { OrderRecord, UserTrade } from '../exchange-api/operations/order-operations.ts';
import { clientOrderIdPrefix } from '../execution/orders/client-order-id.ts';
import type { StoreReports } from '../store/store-reports.ts';
import { type Audit, auditOf, type Pairs, tradeKeyOf } from './audit.ts';
import { compareSums } from './compare-fills.ts';
import { compareFillsWithLedger, compareLedger } from './compare-ledger.ts';
import { compareOrders } from './compare-orders.ts';
import type { Difference } from './difference.ts';
import {
  type AccountReader,
  readBalances,
  readLedger,
  readOrders,
  readTrades,
} from './exchange-account.ts';

export type Reconciliation = Audit & {
  readonly orders: number;
  readonly ordersAtExchange: number;
  readonly ledgerRows: number;
  readonly ledgerRowsAtExchange: number;
  /** Rows of reservations newer than the store's newest; they change no balance. */
  readonly ledgerRowsNotReadYet: number;
  /** Orders that are neither at the exchange nor proven never to have been. */
  readonly undecided: readonly string[];
};

/** All that the exchange says of a bot. Orders and trades are the bot's own only. */
export type ExchangeRecord = {
  readonly orders: readonly OrderRecord[];
  readonly trades: readonly UserTrade[];
  /** Of others on the same account. */
  readonly foreignTrades: readonly UserTrade[];
  /** Rows by account id. */
  readonly ledgers: ReadonlyMap<string, readonly TransactionEntry[]>;
  readonly balances: ReadonlyMap<string, string>;
};

export type ReconciliationOptions = {
  readonly reports: StoreReports;
  /** Account id per currency. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly pairs: Pairs;
};

const readsMax = 5;

type ReadOptions = Omit<ReconciliationOptions, 'reports'> & { readonly namespace: string };

/** Reads until nothing moves. Throws {@link StoreError} if it always does. */
export async function readExchange(
  client: AccountReader,
  options: ReadOptions,
): Promise<ExchangeRecord> {
  const prefix = clientOrderIdPrefix(options.namespace);
  for (let read = 1; read <= readsMax; read++) {
    const found = await readExchangeOnce(client, options);
    const { orders, ledgers, balances } = found;
    const newest = [...ledgers].map(([accountId, rows]) => [accountId, rows.at(-1)?.balance]);
    const isStill =
      newest.every(([id = '', balance = '0']) => isSame(balances.get(id) ?? '0', balance)) &&
      isSameSet(orders, await readOrders(client, prefix));
    if (isStill) return found;
  }
  throw new StoreError(
    `the account moved during each of ${readsMax} reads: its orders are at work; start the bot and stop it in order, then compare`,
  );
}

/**
 * Reads everything, each list after the one that explains it: what moves meanwhile is in the later
 * lists alone.
 */
export async function readExchangeOnce(
  client: AccountReader,
  { namespace, accounts, pairs }: ReadOptions,
): Promise<ExchangeRecord> {
  const prefix = clientOrderIdPrefix(namespace);
  const orders = await readOrders(client, prefix);
  const all: UserTrade[] = [];
  for (const pair of pairs.keys()) all.push(...(await readTrades(client, pair)));
  const ledgers = new Map<string, readonly TransactionEntry[]>();
  for (const accountId of Object.values(accounts))
    ledgers.set(accountId, await readLedger(client, accountId));
  const balances = await readBalances(client);
  const isOwn = (trade: UserTrade): boolean => trade.client_order_id.startsWith(prefix);
  const trades = all.filter(isOwn);
  return { orders, trades, foreignTrades: all.filter((trade) => !isOwn(trade)), ledgers, balances };
}

function isSame(a: string, b: string): boolean {
  return decimalOf(a).eq(decimalOf(b));
}

/** Whether no order was placed, filled or ended between two reads. */
function isSameSet(before: readonly OrderRecord[], after: readonly OrderRecord[]): boolean {
  const textOf = (orders: readonly OrderRecord[]): string =>
    orders
      .map((one) => `${one.order_id} ${one.status} ${one.base}`)
      .sort()
      .join();
  return textOf(before) === textOf(after);
}

/** Compares everything. The order of the differences: orders, fills, balances, ledger. */
export function reconcile(
  exchange: ExchangeRecord,
  { reports, accounts, pairs }: ReconciliationOptions,
): Reconciliation {
  const differences: Difference[] = [];
  const tell = (difference: Difference): void => void differences.push(difference);
  const orders = reports.orders();
  const fills = reports.fills();
  const ledger = reports.ledger();
  const { undecided } = compareOrders(orders, exchange.orders, tell);
  compareSums(orders, fills, tell);
  const openOrders = exchange.orders.filter(({ status }) => status !== 'COMPLETE').length;
  const found = auditOf({
    ...{ exchange: { ...exchange, openOrders }, fills, reports, accounts, pairs },
  });
  differences.push(...found.differences);
  let ledgerRowsNotReadYet = 0;
  for (const [currency, accountId] of Object.entries(accounts)) {
    const rows = ledger.filter((row) => row.accountId === accountId);
    const entries = exchange.ledgers.get(accountId) ?? [];
    const account = { currency, accountId };
    ledgerRowsNotReadYet += compareLedger(account, rows, entries, tell).rowsNotReadYet;
  }
  const foreign = new Set(exchange.foreignTrades.map(tradeKeyOf));
  compareFillsWithLedger({ fills, ledger }, pairs, foreign, tell);
  return {
    ...found,
    differences,
    orders: orders.length,
    ordersAtExchange: exchange.orders.length,
    ledgerRows: ledger.length,
    ledgerRowsAtExchange: [...exchange.ledgers.values()].reduce((sum, one) => sum + one.length, 0),
    ledgerRowsNotReadYet,
    undecided,
  };
}
