/**
 * One account's ledger: rows numbered from 1 without gaps, each continuing the balance of the one
 * before. It is the only source that reveals a missing fill.
 *
 * Invariant: rows are taken in order without a gap, and every balance is checked; a violation means
 * that our view of the exchange is wrong.
 */
import { type Amount, amountOf, formatAmount, parseAmount } from '../../domain/amount.ts';
import type { LedgerRow } from '../../domain/records.ts';
import type { TransactionEntry } from '../../exchange-api/operations/account-operations.ts';

/** At least this many recent rows are kept, to compare balances with. */
const recentMax = 1_000;

export class AccountLedger {
  readonly accountId: string;
  readonly currency: string;
  #last: LedgerRow | undefined;
  /** The balances after the last row. */
  #balance: Amount;
  #available: Amount;
  /** The newest rows, oldest first, to compare reported balances with. */
  readonly #recent: LedgerRow[] = [];

  constructor(accountId: string, currency: string, last: LedgerRow | undefined) {
    this.accountId = accountId;
    this.currency = currency;
    this.#last = last;
    this.#balance = amountOf(last?.balance ?? '0');
    this.#available = amountOf(last?.available ?? '0');
    if (last !== undefined) this.#recent.push(last);
  }

  /** The newest row taken, or undefined before the first. */
  get last(): LedgerRow | undefined {
    return this.#last;
  }

  /**
   * Returns whether the account had `balance` at any time from just before row `fromRow` until now;
   * undefined if that row is no longer kept.
   */
  hadBalance(balance: string, fromRow: number): boolean | undefined {
    const since = this.#recent.filter(({ rowIndex }) => rowIndex >= fromRow - 1);
    const isWhole = this.nextRow === fromRow || since.length >= this.nextRow - fromRow;
    if (!isWhole) return undefined;
    const reported = parseAmount(balance);
    if (reported === this.#balance) return true;
    return since.some((row) => reported === parseAmount(row.balance));
  }

  /**
   * Returns whether the balance after row `rowIndex` was `balance`; undefined if the row has not
   * been read or is no longer kept.
   */
  isBalanceAfter(rowIndex: number, balance: string): boolean | undefined {
    // Rows have no gaps, so the index is the distance from the oldest.
    const row = this.#recent[rowIndex - (this.#recent[0]?.rowIndex ?? 0)];
    if (row === undefined) return undefined;
    return balance === row.balance || parseAmount(balance) === parseAmount(row.balance);
  }

  /** The number of the next row to request; rows start at 1, and 0 would mean "the newest". */
  get nextRow(): number {
    return (this.#last?.rowIndex ?? 0) + 1;
  }

  /** Takes the next row. Returns it in our format, or why it is wrong. */
  take(entry: TransactionEntry): LedgerRow | { readonly wrong: string } {
    const wrong = this.#wrongWith(entry) ?? this.#continueWith(entry);
    if (wrong !== undefined) return { wrong };
    const trade = entry.detail_fields?.trade_details ?? undefined;
    const row: LedgerRow = {
      accountId: this.accountId,
      rowIndex: entry.row_index,
      currency: entry.currency,
      kind: entry.kind,
      balance: entry.balance,
      balanceDelta: entry.balance_delta,
      available: entry.available,
      availableDelta: entry.available_delta,
      pair: trade?.pair,
      sequence: trade?.sequence,
      description: entry.description,
      timestampMs: entry.timestamp,
    };
    this.#last = row;
    this.#recent.push(row);
    // Removed in batches, since each removal moves the rest of the list.
    if (this.#recent.length >= 2 * recentMax) this.#recent.splice(0, recentMax);
    return row;
  }

  #wrongWith(entry: TransactionEntry): string | undefined {
    if (entry.currency !== this.currency) return `a row in ${entry.currency}`;
    if (entry.row_index !== this.nextRow)
      return `row ${entry.row_index} instead of ${this.nextRow}`;
    return undefined;
  }

  /** Moves both balances by a row; returns what is wrong if they then differ from the row. */
  #continueWith(entry: TransactionEntry): string | undefined {
    const { balance, available } = entry;
    const balanceDelta = parseAmount(entry.balance_delta);
    const availableDelta = parseAmount(entry.available_delta);
    if (balanceDelta === undefined || availableDelta === undefined)
      return `row ${entry.row_index}: a change has more than 18 decimals`;
    // Most rows only reserve funds, and repeat the balance as written in the row before.
    const isSame = balanceDelta === 0n && balance === this.#last?.balance;
    if (!isSame && parseAmount(balance) !== this.#balance + balanceDelta)
      return `row ${entry.row_index}: ${formatAmount(this.#balance)} + ${entry.balance_delta} is not ${balance}`;
    if (parseAmount(available) !== this.#available + availableDelta)
      return `row ${entry.row_index}: available ${formatAmount(this.#available)} + ${entry.available_delta} is not ${available}`;
    this.#balance += balanceDelta;
    this.#available += availableDelta;
    return undefined;
  }
}
