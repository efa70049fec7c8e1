/**
 * An account and its ledger.
 *
 * Every change of `balance` or `available` is one row: money moving in or out, and money set aside
 * for an order or given back, which changes `available` only. A trade is one row in each of its two
 * accounts, with the fee already taken off what is received.
 *
 * Invariants: rows are numbered 1, 2, 3, … and never change; the balance is the sum of the rows'
 * deltas; `available` is the balance less what is reserved. The rows that are kept are the newest.
 */
import type { Amount } from '../domain/amount.ts';
import type { TransactionEntry } from '../exchange-api/operations/account-operations.ts';
import type { AccountTrade } from './account-order.ts';

/** The texts of a trade, as an answer has them and older files store them. */
export type TradeDetails = NonNullable<
  NonNullable<TransactionEntry['detail_fields']>['trade_details']
>;

export type CryptoDetails = { readonly address: string; readonly txid: string };

/** Why a row was written. */
type RowReason = {
  readonly kind: 'TRANSFER' | 'EXCHANGE' | 'FEE' | 'INTEREST';
  /** Left out for a row of a trade: its text is made from the trade when somebody reads it. */
  readonly description?: string | undefined;
  readonly reference?: string | undefined;
  readonly trade?: AccountTrade | TradeDetails | undefined;
  readonly crypto?: CryptoDetails | undefined;
};

export type LedgerRow = RowReason & {
  readonly rowIndex: number;
  readonly timeMs: number;
  readonly balance: Amount;
  readonly balanceDelta: Amount;
  readonly available: Amount;
  readonly availableDelta: Amount;
  readonly reference: string;
};

export type LedgerAccount = {
  readonly id: string;
  readonly currency: string;
  balance: Amount;
  reserved: Amount;
  rowCount: number;
  /** Undefined for an account whose ledger nobody reads. */
  readonly rows: LedgerRow[] | undefined;
};

export type LedgerEntry = RowReason & {
  readonly timeMs: number;
  readonly balanceDelta: Amount;
  readonly reservedDelta: Amount;
};

/** Appends one row and returns it. */
export function appendRow(account: LedgerAccount, entry: LedgerEntry): LedgerRow {
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
export function availableOf(account: Pick<LedgerAccount, 'balance' | 'reserved'>): Amount {
  return account.balance - account.reserved;
}

/** Returns the number of the oldest row that is kept; one more than the newest if none is. */
export function firstKeptRowOf({ rowCount, rows = [] }: LedgerAccount): number {
  return rowCount - rows.length + 1;
}

/** Returns the rows with the numbers from `first` to before `end`, of those that are kept. */
export function rowsBetween(
  account: LedgerAccount,
  first: number,
  end: number,
): readonly LedgerRow[] {
  const { rows = [] } = account;
  const firstKept = firstKeptRowOf(account);
  return rows.slice(Math.max(0, first - firstKept), Math.max(0, end - firstKept));
}

/** Forgets the oldest `count` rows. */
export function forgetRows({ rows }: LedgerAccount, count: number): void {
  if (count > 0) rows?.splice(0, count);
}
