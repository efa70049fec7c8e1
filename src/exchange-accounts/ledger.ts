/**
 * An account and its ledger.
 *
 * Every change of `balance` or `available` is one row: a movement of money, or a reservation for an
 * order and its release, which change only `available`. A trade is one row in each of its two
 * accounts; the fee is already deducted from the received amount.
 *
 * Invariants: rows are numbered 1, 2, 3, … and never change; the balance is the sum of the rows'
 * deltas; `available` is the balance minus what is reserved. The oldest rows may be dropped.
 */
import type { Amount } from '../domain/amount.ts';
import type { AccountTrade } from './account-order.ts';

/** Which trade it was: what is known of it from an account file. */
export type TradeName = Readonly<Record<'pair' | 'sequence', string>>;

export type CryptoDetails = { readonly address: string; readonly txid: string };

/** Why a row was written. */
type RowReason = {
  readonly kind: 'TRANSFER' | 'EXCHANGE' | 'FEE' | 'INTEREST';
  /** Undefined for a row of a trade, whose text is made from the trade when it is read. */
  readonly description?: string | undefined;
  readonly reference?: string | undefined;
  readonly trade?: AccountTrade | TradeName | undefined;
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
  /** Undefined for an account whose ledger is never read. */
  readonly rows: LedgerRow[] | undefined;
};

export type LedgerEntry = RowReason & {
  readonly timeMs: number;
  readonly balanceDelta: Amount;
  readonly reservedDelta: Amount;
};

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

export function availableOf(account: Pick<LedgerAccount, 'balance' | 'reserved'>): Amount {
  return account.balance - account.reserved;
}

/** Returns the number of the oldest kept row; if no row is kept, the number of the next row. */
export function firstKeptRowOf({ rowCount, rows = [] }: LedgerAccount): number {
  return rowCount - rows.length + 1;
}

/** Returns the kept rows with numbers from `first` up to, but not including, `end`. */
export function rowsBetween(
  account: LedgerAccount,
  first: number,
  end: number,
): readonly LedgerRow[] {
  const { rows = [] } = account;
  const firstKept = firstKeptRowOf(account);
  return rows.slice(Math.max(0, first - firstKept), Math.max(0, end - firstKept));
}

/** Drops the oldest `count` rows. */
export function forgetRows({ rows }: LedgerAccount, count: number): void {
  if (count > 0) rows?.splice(0, count);
}
