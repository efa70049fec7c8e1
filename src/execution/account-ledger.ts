/**
 * One account's ledger: dense rows from 1, each continuing the one before. The only source in which
 * a missing fill shows.
 *
 * Invariant: rows are taken in order without a gap, and every running balance is checked; anything
 * else means that our picture of the exchange is wrong.
 */
import { Decimal, decimalOf } from '../domain/money.ts';
import type { LedgerRow } from '../domain/records.ts';
import type { TransactionEntry } from '../interface/operations/accounts.ts';

export class AccountLedger {
  readonly accountId: string;
  readonly currency: string;
  #last: LedgerRow | undefined;

  constructor(accountId: string, currency: string, last: LedgerRow | undefined) {
    this.accountId = accountId;
    this.currency = currency;
    this.#last = last;
  }

  /** The newest row taken, or undefined before the first. */
  get last(): LedgerRow | undefined {
    return this.#last;
  }

  /** The number of the next row to ask for; rows begin at 1, and 0 would mean "the newest". */
  get nextRow(): number {
    return (this.#last?.rowIndex ?? 0) + 1;
  }

  /** Takes the next row. Returns it as kept, or what is wrong with it. */
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
    const wrong = this.#wrongWith(row, entry.account_id);
    if (wrong !== undefined) return { wrong };
    this.#last = row;
    return row;
  }

  #wrongWith(row: LedgerRow, accountId: string): string | undefined {
    if (accountId !== this.accountId) return `row of account ${accountId}`;
    if (row.currency !== this.currency) return `row in ${row.currency}`;
    if (row.rowIndex !== this.nextRow) return `row ${row.rowIndex} instead of ${this.nextRow}`;
    const zero = new Decimal(0);
    const before = this.#last === undefined ? zero : decimalOf(this.#last.balance);
    const availableBefore = this.#last === undefined ? zero : decimalOf(this.#last.available);
    if (!before.plus(row.balanceDelta).eq(row.balance))
      return `row ${row.rowIndex}: ${before.toFixed()} + ${row.balanceDelta} is not ${row.balance}`;
    if (!availableBefore.plus(row.availableDelta).eq(row.available))
      return `row ${row.rowIndex}: available ${availableBefore.toFixed()} + ${row.availableDelta} is not ${row.available}`;
    return undefined;
  }
}
