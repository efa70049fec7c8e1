/** Converts balances and ledger rows to the records that the exchange answers. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import { formatLots, formatTicks, type Market } from '../../../../domain/market.ts';
import type { AccountTrade } from '../../../../exchange-accounts/account-order.ts';
import type { LedgerAccount, LedgerRow, TradeName } from '../../../../exchange-accounts/ledger.ts';
import type { ResponseOf } from '../../api/operation.ts';
import type { balance, TransactionEntry } from '../../api/operations/account-operations.ts';

/** The figures of an account as the balance operation answers them. */
type BalanceRecord = ResponseOf<typeof balance>['balance'][number];

/** Returns the account's balance without its unconfirmed amount. */
export function balanceRecordOf(
  account: LedgerAccount,
): Omit<BalanceRecord, 'unconfirmed' | 'name'> {
  return {
    account_id: account.id,
    asset: account.currency,
    balance: formatWireAmount(account.balance),
    reserved: formatWireAmount(account.reserved),
  };
}

type MarketOf = (pair: string) => Market;

/** Returns consecutive ledger rows as the transactions operation answers them. */
export function transactionEntriesOf(
  account: LedgerAccount,
  rows: readonly LedgerRow[],
  marketOf: MarketOf,
): TransactionEntry[] {
  const entries: TransactionEntry[] = [];
  let before: LedgerRow | undefined;
  for (const row of rows) {
    const entry = transactionEntryOf(account, row, marketOf, before, entries.at(-1));
    entries.push(entry);
    before = row;
  }
  return entries;
}

/**
 * Returns one row. `before`, `entryBefore`: the previous row, if it is known; unchanged figures
 * reuse its text.
 */
function transactionEntryOf(
  account: LedgerAccount,
  row: LedgerRow,
  marketOf: MarketOf,
  before?: LedgerRow,
  entryBefore?: TransactionEntry,
): TransactionEntry {
  const isSameBalance = before?.balance === row.balance;
  const isSameAvailable = before?.available === row.available;
  return {
    row_index: row.rowIndex,
    timestamp: row.timeMs,
    account_id: account.id,
    currency: account.currency,
    balance: (isSameBalance && entryBefore?.balance) || formatWireAmount(row.balance),
    balance_delta: formatWireAmount(row.balanceDelta),
    available: (isSameAvailable && entryBefore?.available) || formatWireAmount(row.available),
    available_delta: formatWireAmount(row.availableDelta),
    description: descriptionOf(row, marketOf),
    reference: row.reference,
    kind: row.kind,
    details: {},
    detail_fields: detailFieldsOf(row, marketOf),
  };
}

const noDetails = Object.freeze({});

/** Returns the details of a row. */
function detailFieldsOf(
  { trade, crypto }: LedgerRow,
  marketOf: MarketOf,
): TransactionEntry['detail_fields'] {
  if (trade !== undefined) return { trade_details: tradeDetailsOf(trade, marketOf) };
  return crypto === undefined ? noDetails : { crypto_details: crypto };
}

/** Returns the description of a row or an entry. */
function descriptionOf(
  { description = '', trade }: Pick<LedgerRow, 'description' | 'trade'>,
  marketOf: MarketOf,
): string {
  if (trade === undefined || !('side' in trade)) return description;
  const market = marketOf(trade.pair);
  const verb = trade.side === 'BID' ? 'Bought' : 'Sold';
  return `${verb} ${formatLots(trade.volume, market)} ${market.base}`;
}

type TradeDetails = NonNullable<NonNullable<TransactionEntry['detail_fields']>['trade_details']>;

function tradeDetailsOf(trade: AccountTrade | TradeName, marketOf: MarketOf): TradeDetails {
  // An older version of the simulator stored the details instead of the trade.
  if (!('side' in trade)) return trade as TradeDetails;
  const { pair, price, sequence, volume } = trade;
  const market = marketOf(pair);
  return {
    pair,
    price: formatTicks(price, market),
    sequence: String(sequence),
    volume: formatLots(volume, market),
  };
}
