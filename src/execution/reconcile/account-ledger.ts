/**
 * One account's ledger: rows numbered from 1 without gaps, each continuing the balance of the one
 * before. It is the only source that reveals a missing fill.
 *
 * Invariant: rows are taken in order without a gap, and every balance is checked; a violation means
 * that our view of the exchange is wrong.
 */
import { type Amount, amountOf, formatAmount } from '../../domain/amount.ts';
import type { LedgerRow } from '../../domain/records.ts';
import type { MovementView } from '../../venue/venue-reply.ts';

/** What a row of a ledger moves, and its balances afterwards. */
export type LedgerMove = Pick<
  MovementView,
  'row' | 'atMs' | 'currency' | 'delta' | 'balance' | 'availableDelta' | 'available'
>;

/** At least this many recent rows are kept, to compare balances with. */
const recentMax = 1_000;

export class AccountLedger {
  readonly accountId: string;
  readonly currency: string;
  #rowIndex: number;
  #timestampMs: number | undefined;
  /** The balances after the newest row. */
  #balance: Amount;
  #available: Amount;
  /** The balances after the newest rows, oldest first, to compare reported balances with. */
  readonly #recent: Amount[] = [];

  /** `last`: the newest row in the store. */
  constructor(accountId: string, currency: string, last: LedgerRow | undefined) {
    this.accountId = accountId;
    this.currency = currency;
    this.#rowIndex = last?.rowIndex ?? 0;
    this.#timestampMs = last?.timestampMs;
    this.#balance = amountOf(last?.balance ?? '0');
    this.#available = amountOf(last?.available ?? '0');
    if (last !== undefined) this.#recent.push(this.#balance);
  }

  /** The time of the newest row, by the exchange's clock; undefined before the first row. */
  get timestampMs(): number | undefined {
    return this.#timestampMs;
  }

  /** The balance after the newest row. */
  get balance(): Amount {
    return this.#balance;
  }

  /** What can be spent after the newest row. */
  get available(): Amount {
    return this.#available;
  }

  /**
   * Returns whether the account had `balance` at any time from just before row `fromRow` until now;
   * undefined if that row is no longer kept.
   */
  hadBalance(balance: Amount, fromRow: number): boolean | undefined {
    const since = this.#recent.slice(Math.max(0, fromRow - 1 - this.#oldestRow()));
    const isWhole = this.nextRow === fromRow || since.length >= this.nextRow - fromRow;
    if (!isWhole) return undefined;
    return balance === this.#balance || since.includes(balance);
  }

  /**
   * Returns whether the balance after row `rowIndex` was `balance`; undefined if the row has not
   * been read or is no longer kept.
   */
  isBalanceAfter(rowIndex: number, balance: Amount): boolean | undefined {
    const known = this.#recent[rowIndex - this.#oldestRow()];
    return known === undefined ? undefined : balance === known;
  }

  /** The number of the next row to request; rows start at 1, and 0 would mean "the newest". */
  get nextRow(): number {
    return this.#rowIndex + 1;
  }

  /** The number of the oldest row that is kept: rows have no gaps. */
  #oldestRow(): number {
    return this.nextRow - this.#recent.length;
  }

  /** Takes the next row. Returns what is wrong with it; a row that is wrong is not taken. */
  take(move: LedgerMove): string | undefined {
    const wrong = this.#wrongWith(move) ?? this.#continueWith(move);
    if (wrong !== undefined) return wrong;
    this.#rowIndex = move.row;
    this.#timestampMs = move.atMs;
    this.#recent.push(this.#balance);
    // Removed in batches, since each removal moves the rest of the list.
    if (this.#recent.length >= 2 * recentMax) this.#recent.splice(0, recentMax);
    return undefined;
  }

  #wrongWith({ currency, row }: LedgerMove): string | undefined {
    if (currency !== this.currency) return `a row in ${currency}`;
    return row === this.nextRow ? undefined : `row ${row} instead of ${this.nextRow}`;
  }

  /** Moves both balances by a row; returns what is wrong if they then differ from the row. */
  #continueWith(move: LedgerMove): string | undefined {
    const { row, delta, balance, availableDelta, available } = move;
    if (balance !== this.#balance + delta)
      return `row ${row}: ${sumText(this.#balance, delta)} is not ${formatAmount(balance)}`;
    if (available !== this.#available + availableDelta)
      return `row ${row}: available ${sumText(this.#available, availableDelta)} is not ${formatAmount(available)}`;
    this.#balance = balance;
    this.#available = available;
    return undefined;
  }
}

function sumText(before: Amount, delta: Amount): string {
  return `${formatAmount(before)} + ${formatAmount(delta)}`;
}

/** Returns a row of an account in our format. */
export function ledgerRowOf(accountId: string, move: MovementView): LedgerRow {
  return {
    accountId,
    rowIndex: move.row,
    currency: move.currency,
    kind: move.kind,
    balance: formatAmount(move.balance),
    balanceDelta: formatAmount(move.delta),
    available: formatAmount(move.available),
    availableDelta: formatAmount(move.availableDelta),
    pair: move.trade?.pair,
    sequence: move.trade?.sequence,
    description: move.text,
    timestampMs: move.atMs,
  };
}
