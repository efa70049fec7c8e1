/**
 * Compares everything in the store with the exchange's records, exactly: orders, fills, ledger rows
 * and balances.
 *
 * Invariant: the exchange's lists belong to one moment. If a balance changes while they are read,
 * they are read again.
 */
import { amountOf } from '../domain/amount.ts';
import { StoreError } from '../domain/errors.ts';
import { clientOrderIdPrefix } from '../execution/orders/client-order-id.ts';
import type { StoreReports } from '../store/store-reports.ts';
import type { VenueReader } from '../venue/venue-reader.ts';
import type { MovementView, OrderView, TradeView } from '../venue/venue-reply.ts';
import { type Audit, auditOf, type Pairs, tradeKeyOf } from './audit.ts';
import { compareSums } from './compare-fills.ts';
import { compareFillsWithLedger, compareLedger } from './compare-ledger.ts';
import { compareOrders } from './compare-orders.ts';
import type { Difference } from './difference.ts';
import { readBalances, readLedger, readOrders, readTrades } from './exchange-account.ts';

export type Reconciliation = Audit & {
  readonly orders: number;
  readonly ordersAtExchange: number;
  readonly ledgerRows: number;
  readonly ledgerRowsAtExchange: number;
  /** Rows newer than the store's newest that only change a reservation, not a balance. */
  readonly ledgerRowsNotReadYet: number;
  /** Orders that are not at the exchange and not yet proven absent. */
  readonly undecided: readonly string[];
};

/** The exchange's records of a bot. `orders` and `trades` are the bot's only. */
export type ExchangeRecord = {
  readonly orders: readonly OrderView[];
  readonly trades: readonly TradeView[];
  /** Trades of others on the same account. */
  readonly foreignTrades: readonly TradeView[];
  /** Ledger rows by account id. */
  readonly ledgers: ReadonlyMap<string, readonly MovementView[]>;
  /** By account id. */
  readonly balances: ReadonlyMap<string, string>;
};

export type ReconciliationOptions = {
  readonly reports: StoreReports;
  /** Account id by currency. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly pairs: Pairs;
};

const readsMax = 5;

type ReadOptions = Omit<ReconciliationOptions, 'reports'> & { readonly namespace: string };

/** Reads until nothing changes during a read. Throws {@link StoreError} after five attempts. */
export async function readExchange(
  venue: VenueReader,
  options: ReadOptions,
): Promise<ExchangeRecord> {
  const prefix = clientOrderIdPrefix(options.namespace);
  for (let read = 1; read <= readsMax; read++) {
    const found = await readExchangeOnce(venue, options);
    const { orders, ledgers, balances } = found;
    const newest = [...ledgers].map(
      ([accountId, rows]) => [accountId, rows.at(-1)?.balance ?? 0n] as const,
    );
    const isUnchanged =
      newest.every(([id, balance]) => amountOf(balances.get(id) ?? '0') === balance) &&
      areSameOrders(orders, await readOrders(venue, prefix));
    if (isUnchanged) return found;
  }
  throw new StoreError(
    `the account changed during each of ${readsMax} reads because its orders are still open; ` +
      'start the bot and stop it normally, then compare',
  );
}

/**
 * Reads orders, then trades, then ledgers, then balances: what happens during the read is only in
 * the later lists.
 */
export async function readExchangeOnce(
  venue: VenueReader,
  { namespace, accounts, pairs }: ReadOptions,
): Promise<ExchangeRecord> {
  const prefix = clientOrderIdPrefix(namespace);
  const orders = await readOrders(venue, prefix);
  const all: TradeView[] = [];
  for (const pair of pairs.keys()) all.push(...(await readTrades(venue, pair, { prefix })));
  const ledgers = new Map<string, readonly MovementView[]>();
  for (const accountId of Object.values(accounts))
    ledgers.set(accountId, await readLedger(venue, accountId));
  const balances = await readBalances(venue);
  const isOwn = (trade: TradeView): boolean => trade.clientOrderId.startsWith(prefix);
  const trades = all.filter(isOwn);
  return { orders, trades, foreignTrades: all.filter((trade) => !isOwn(trade)), ledgers, balances };
}

/** Returns whether no order was placed, filled or ended between two reads. */
function areSameOrders(before: readonly OrderView[], after: readonly OrderView[]): boolean {
  const textOf = (orders: readonly OrderView[]): string =>
    orders
      .map((one) => `${one.orderId} ${one.isEnded} ${one.sums.base}`)
      .sort()
      .join();
  return textOf(before) === textOf(after);
}

/** Compares everything. Differences are in the order: orders, fills, balances, ledger. */
export function reconcile(
  exchange: ExchangeRecord,
  { reports, accounts, pairs }: ReconciliationOptions,
): Reconciliation {
  const differences: Difference[] = [];
  const report = (difference: Difference): void => void differences.push(difference);
  const orders = reports.orders();
  const fills = reports.fills();
  const ledger = reports.ledger();
  const { undecided } = compareOrders(orders, exchange.orders, report);
  compareSums(orders, fills, report);
  const openOrders = exchange.orders.filter(({ isEnded }) => !isEnded).length;
  const found = auditOf({
    ...{ exchange: { ...exchange, openOrders }, fills, reports, accounts, pairs },
  });
  differences.push(...found.differences);
  let ledgerRowsNotReadYet = 0;
  for (const [currency, accountId] of Object.entries(accounts)) {
    const rows = ledger.filter((row) => row.accountId === accountId);
    const entries = exchange.ledgers.get(accountId) ?? [];
    const account = { currency, accountId };
    ledgerRowsNotReadYet += compareLedger(account, rows, entries, report).rowsNotReadYet;
  }
  const foreign = new Set(exchange.foreignTrades.map(tradeKeyOf));
  compareFillsWithLedger({ fills, ledger }, pairs, foreign, report);
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
