/**
 * Exact sums of decimal text, and the SQL aggregate `decimal_sum(text)` for them.
 *
 * Invariant: no floating point, which SQLite's own sum() would use.
 */
import type { Database } from 'better-sqlite3';
import { formatScaled } from '../domain/money.ts';

const plainDecimal = /^-?\d{1,40}(?:\.\d{1,40})?$/u;

/** Adds plain decimals of any scale without losing a digit. */
export class DecimalSum {
  #value = 0n;
  #scale = 0;

  /** Throws RangeError if `text` is not a plain decimal. */
  add(text: unknown): void {
    if (typeof text !== 'string' || !plainDecimal.test(text)) {
      throw new RangeError(`amount must be a plain decimal, was "${String(text)}"`);
    }
    const point = text.indexOf('.');
    const scale = point === -1 ? 0 : text.length - point - 1;
    const digits = point === -1 ? text : text.slice(0, point) + text.slice(point + 1);
    let value = BigInt(digits);
    if (scale > this.#scale) {
      this.#value *= 10n ** BigInt(scale - this.#scale);
      this.#scale = scale;
    } else if (scale < this.#scale) {
      value *= 10n ** BigInt(this.#scale - scale);
    }
    this.#value += value;
  }

  /** Returns the sum as a plain decimal without trailing zeros; `0` if nothing was added. */
  toString(): string {
    const text = formatScaled(this.#value, this.#scale);
    return this.#scale === 0 ? text : text.replace(/\.?0+$/u, '');
  }
}

export function registerDecimalSum(database: Database): void {
  database.aggregate('decimal_sum', {
    deterministic: true,
    start: () => new DecimalSum(),
    step: (sum: DecimalSum, text: unknown) => {
      sum.add(text);
    },
    result: (sum: DecimalSum) => sum.toString(),
  });
}
