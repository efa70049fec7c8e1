/**
 * One account at the tape exchange and its ledger, in the exchange's own shapes.
 *
 * Every change of balance or available is one row; what is set aside for an order changes available
 * only. Invariant: rows are numbered 1, 2, 3, … and never change.
 */
import { type Amount, formatAmount } from '../../domain/amount.ts';
import type { TransactionEntry } from '../../exchange-api/operations/account-operations.ts';
import type { UserMessage } from '../../exchange-api/user-messages.ts';
import { RecentList } from './recent-list.ts';

export type AccountEntry = {
  readonly timeMs: number;
  readonly balanceDelta: Amount;
  readonly reservedDelta: Amount;
  readonly kind: 'TRANSFER' | 'EXCHANGE';
  readonly description: string;
  /** The order's id, empty if none. */
  readonly reference: string;
  readonly trade?: TradeDetails;
};

type TradeDetails = NonNullable<NonNullable<TransactionEntry['detail_fields']>['trade_details']>;

export class CurrencyAccount {
  readonly id: string;
  readonly currency: string;
  readonly #rows = new RecentList<TransactionEntry>();
  #balance: Amount = 0n;
  #reserved: Amount = 0n;

  constructor(id: string, currency: string) {
    this.id = id;
    this.currency = currency;
  }

  get balance(): Amount {
    return this.#balance;
  }

  get reserved(): Amount {
    return this.#reserved;
  }

  /** Whether anything was ever appended. */
  get hasRows(): boolean {
    return this.#rows.count > 0;
  }

  get available(): Amount {
    return this.#balance - this.#reserved;
  }

  /** Appends a row and returns what the user stream says of it. */
  append(entry: AccountEntry): UserMessage {
    this.#balance += entry.balanceDelta;
    this.#reserved += entry.reservedDelta;
    const balance = formatAmount(this.#balance);
    const balanceDelta = formatAmount(entry.balanceDelta);
    const available = formatAmount(this.available);
    const availableDelta = formatAmount(entry.balanceDelta - entry.reservedDelta);
    const rowIndex = this.#rows.count + 1;
    this.#rows.push({
      row_index: rowIndex,
      timestamp: entry.timeMs,
      account_id: this.id,
      currency: this.currency,
      balance,
      balance_delta: balanceDelta,
      available,
      available_delta: availableDelta,
      description: entry.description,
      reference: entry.reference,
      kind: entry.kind,
      details: {},
      detail_fields: entry.trade === undefined ? {} : { trade_details: entry.trade },
    });
    const update = {
      account_id: this.id,
      row_index: rowIndex,
      balance,
      balance_delta: balanceDelta,
      available,
      available_delta: availableDelta,
    };
    return { kind: 'balance', timestamp: entry.timeMs, update };
  }

  /**
   * Returns the rows from `first` to before `end`; a number of zero or less counts from the row
   * after the newest.
   */
  rowsBetween(first: bigint, end: bigint): readonly TransactionEntry[] {
    return this.#rows.between(this.#indexOf(first), this.#indexOf(end));
  }

  /** Forgets rows of before `timeMs`; nobody may ask for them any more. */
  forgetBefore(timeMs: number): void {
    this.#rows.forget((row) => row.timestamp < timeMs);
  }

  #indexOf(row: bigint): number {
    const count = BigInt(this.#rows.count);
    const index = (row > 0n ? row : count + 1n + row) - 1n;
    if (index <= 0n) return 0;
    return Number.parseInt((index < count ? index : count).toString(), 10);
  }
}
