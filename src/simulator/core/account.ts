/**
 * Accounts and their ledgers.
 *
 * Every change of `balance` or `available` is one row: money moving in or out, and money set aside
 * for an order or given back, which changes `available` only. A trade is one row in each of its two
 * accounts, with the fee already taken off what is received.
 *
 * Invariants: rows are numbered 1, 2, 3, … and never change; the balance is the sum of the rows'
 * deltas; `available` is the balance less what is reserved, and never below zero for a user's
 * account.
 */
import { type Amount, formatWireAmount } from '../../domain/amount.ts';
import type { AccountType } from '../../exchange-api/account-types.ts';
import type { TransactionEntry } from '../../exchange-api/operations/account-operations.ts';

export type TradeDetails = NonNullable<
  NonNullable<TransactionEntry['detail_fields']>['trade_details']
>;

export type CryptoDetails = { readonly address: string; readonly txid: string };

export type LedgerRow = {
  readonly rowIndex: number;
  readonly timeMs: number;
  readonly balance: Amount;
  readonly balanceDelta: Amount;
  readonly available: Amount;
  readonly availableDelta: Amount;
  readonly kind: 'TRANSFER' | 'EXCHANGE' | 'FEE' | 'INTEREST';
  readonly description: string;
  readonly reference: string;
  readonly trade: TradeDetails | undefined;
  readonly crypto: CryptoDetails | undefined;
};

export type Account = {
  readonly id: string;
  readonly userId: string;
  readonly currency: string;
  readonly type: AccountType;
  name: string;
  balance: Amount;
  reserved: Amount;
  rowCount: number;
  /** Left empty for the exchange's own users, whose ledgers nobody reads. */
  readonly rows: LedgerRow[] | undefined;
};

export type LedgerEntry = {
  readonly timeMs: number;
  readonly balanceDelta: Amount;
  readonly reservedDelta: Amount;
  readonly kind: LedgerRow['kind'];
  readonly description: string;
  readonly reference?: string;
  readonly trade?: TradeDetails;
  readonly crypto?: CryptoDetails | undefined;
};

/** Appends one row and returns it. */
export function appendRow(account: Account, entry: LedgerEntry): LedgerRow {
  account.balance += entry.balanceDelta;
  account.reserved += entry.reservedDelta;
  account.rowCount += 1;
  const row: LedgerRow = {
    rowIndex: account.rowCount,
    timeMs: entry.timeMs,
    balance: account.balance,
    balanceDelta: entry.balanceDelta,
    available: account.balance - account.reserved,
    availableDelta: entry.balanceDelta - entry.reservedDelta,
    kind: entry.kind,
    description: entry.description,
    reference: entry.reference ?? '',
    trade: entry.trade,
    crypto: entry.crypto,
  };
  account.rows?.push(row);
  return row;
}

/** Returns what the account can spend. */
export function availableOf(account: Account): Amount {
  return account.balance - account.reserved;
}

/** Returns a ledger row as the transactions operation answers it. */
export function transactionEntryOf(account: Account, row: LedgerRow): TransactionEntry {
  return {
    row_index: row.rowIndex,
    timestamp: row.timeMs,
    account_id: account.id,
    currency: account.currency,
    balance: formatWireAmount(row.balance),
    balance_delta: formatWireAmount(row.balanceDelta),
    available: formatWireAmount(row.available),
    available_delta: formatWireAmount(row.availableDelta),
    description: row.description,
    reference: row.reference,
    kind: row.kind,
    details: {},
    detail_fields: {
      ...(row.trade === undefined ? {} : { trade_details: row.trade }),
      ...(row.crypto === undefined ? {} : { crypto_details: row.crypto }),
    },
  };
}
