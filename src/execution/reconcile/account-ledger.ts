/**
 * One account's ledger: dense rows from 1, each continuing the one before. The only source in which
 * a missing fill shows.
 *
 * Invariant: rows are taken in order without a gap, and every running balance is checked; anything
 * else means that our picture of the exchange is wrong.
 */
import { parseAmount } from '../../domain/amount.ts';
import { decimalOf, isSum } from '../../domain/money.ts';
import type { LedgerRow } from '../../domain/records.ts';
import type { TransactionEntry } from '../../exchange-api/operations/account-operations.ts';

/** More rows than this between two looks cannot be told apart any more. */
const recentMax = 1_000;
/** What an account has before its first row. */
const nothing = { balance: '0', available: '0' };

export class AccountLedger {
  readonly accountId: string;
  readonly currency: string;
  #last: LedgerRow | undefined;
  /** Balances after the newest rows, oldest first: what a balance that is told now may be. */
  readonly #recent: { readonly rowIndex: number; readonly balance: string }[] = [];

  constructor(accountId: string, currency: string, last: LedgerRow | undefined) {
    this.accountId = accountId;
    this.currency = currency;
    this.#last = last;
    if (last !== undefined) this.#recent.push({ rowIndex: last.rowIndex, balance: last.balance });
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
    const told = decimalOf(balance);
    if (told.eq(this.#last?.balance ?? 0)) return true;
    return since.some((row) => told.eq(row.balance));
  }

  /**
   * Returns whether the balance after row `rowIndex` was `balance`; undefined if the row has not
   * been read, or too long ago.
   */
  saysOf(rowIndex: number, balance: string): boolean | undefined {
    // Rows are dense, so each stands at its distance from the oldest.
    const row = this.#recent[rowIndex - (this.#recent[0]?.rowIndex ?? 0)];
    if (row === undefined) return undefined;
    return balance === row.balance || decimalOf(balance).eq(row.balance);
  }

  /** The number of the next row to ask for; rows begin at 1, and 0 would mean "the newest". */
  get nextRow(): number {
    return (this.#last?.rowIndex ?? 0) + 1;
  }

  /** Takes the next row of this account. Returns it as kept, or what is wrong with it. */
  take(entry: TransactionEntry): LedgerRow | { readonly wrong: string } {
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
    const wrong = this.#wrongWith(row);
    if (wrong !== undefined) return { wrong };
    this.#last = row;
    this.#recent.push({ rowIndex: row.rowIndex, balance: row.balance });
    if (this.#recent.length > recentMax) this.#recent.shift();
    return row;
  }

  #wrongWith(row: LedgerRow): string | undefined {
    if (row.currency !== this.currency) return `row in ${row.currency}`;
    if (row.rowIndex !== this.nextRow) return `row ${row.rowIndex} instead of ${this.nextRow}`;
    const { balance: before, available: availableBefore } = this.#last ?? nothing;
    if (!isContinued(before, row.balanceDelta, row.balance))
      return `row ${row.rowIndex}: ${before} + ${row.balanceDelta} is not ${row.balance}`;
    if (!isContinued(availableBefore, row.availableDelta, row.available))
      return `row ${row.rowIndex}: available ${availableBefore} + ${row.availableDelta} is not ${row.available}`;
    return undefined;
  }
}

/** Whether `before + delta` is `after` to the last digit; all integers where they can be. */
function isContinued(before: string, delta: string, after: string): boolean {
  const [start, change, end] = [parseAmount(before), parseAmount(delta), parseAmount(after)];
  if (start === undefined || change === undefined || end === undefined)
    return isSum(before, delta, after);
  return start + change === end;
}
