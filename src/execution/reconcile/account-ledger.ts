/**
 * One account's ledger: dense rows from 1, each continuing the one before. The only source in which
 * a missing fill shows.
 *
 * Invariant: rows are taken in order without a gap, and every running balance is checked; anything
 * else means that our picture of the exchange is wrong.
 */
import { type Amount, amountOf, formatAmount, parseAmount } from '../../domain/amount.ts';
import type { LedgerRow } from '../../domain/records.ts';
import type { TransactionEntry } from '../../exchange-api/operations/account-operations.ts';

/** At least so many rows are kept; if more come between two looks, they cannot be told apart. */
const recentMax = 1_000;
export class AccountLedger {
  readonly accountId: string;
  readonly currency: string;
  #last: LedgerRow | undefined;
  /** What the account has after the last row. */
  #balance: Amount;
  #available: Amount;
  /** The newest rows, oldest first: what a balance that is told now may be. */
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
   * Returns whether `balance` was the account's at some time from just before row `fromRow` until
   * now; undefined if that was too many rows ago to tell.
   */
  hadBalance(balance: string, fromRow: number): boolean | undefined {
    const since = this.#recent.filter(({ rowIndex }) => rowIndex >= fromRow - 1);
    const isWhole = this.nextRow === fromRow || since.length >= this.nextRow - fromRow;
    if (!isWhole) return undefined;
    const told = parseAmount(balance);
    if (told === this.#balance) return true;
    return since.some((row) => told === parseAmount(row.balance));
  }

  /**
   * Returns whether the balance after row `rowIndex` was `balance`; undefined if the row has not
   * been read, or too long ago.
   */
  saysOf(rowIndex: number, balance: string): boolean | undefined {
    // Rows are dense, so each stands at its distance from the oldest.
    const row = this.#recent[rowIndex - (this.#recent[0]?.rowIndex ?? 0)];
    if (row === undefined) return undefined;
    return balance === row.balance || parseAmount(balance) === parseAmount(row.balance);
  }

  /** The number of the next row to ask for; rows begin at 1, and 0 would mean "the newest". */
  get nextRow(): number {
    return (this.#last?.rowIndex ?? 0) + 1;
  }

  /** Takes the next row of this account. Returns it as kept, or what is wrong with it. */
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
    // Taking one at a time off a long list would move all the others each time.
    if (this.#recent.length >= 2 * recentMax) this.#recent.splice(0, recentMax);
    return row;
  }

  #wrongWith(entry: TransactionEntry): string | undefined {
    if (entry.currency !== this.currency) return `row in ${entry.currency}`;
    if (entry.row_index !== this.nextRow)
      return `row ${entry.row_index} instead of ${this.nextRow}`;
    return undefined;
  }

  /** Moves both balances by a row; returns what is wrong if they are not what the row says then. */
  #continueWith(entry: TransactionEntry): string | undefined {
    const { balance, available } = entry;
    const balanceDelta = parseAmount(entry.balance_delta);
    const availableDelta = parseAmount(entry.available_delta);
    if (balanceDelta === undefined || availableDelta === undefined)
      return `row ${entry.row_index}: a change is finer than any amount of the exchange`;
    // Most rows set something aside, and leave the balance as it was written before.
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
