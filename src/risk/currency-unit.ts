/**
 * Exact amounts as the gate counts them. The unit of a currency is the finest step of volumes,
 * values (one tick × one lot) and fees that any market has in it, so that nearly every amount is a
 * number of units. One that is not whole, or does not fit 2^53, is a bigint of 10^-18 instead.
 *
 * Invariants: nothing is rounded and nothing overflows; equal amounts are equal values.
 */
import {
  type Amount,
  amountOfScaled,
  amountScale,
  formatAmount,
  powerOfTen,
} from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import type { Whole } from './whole-numbers.ts';

/** An amount of one currency: a number of its units, or a bigint of 10^-18. */
export type Exact = number | bigint;

export class CurrencyUnit {
  readonly currency: string;
  /** How many decimals one unit has. */
  readonly scale: number;
  readonly #amountPerUnit: bigint;
  /** The units in 10^-0, 10^-1 and so on, down to one unit. */
  readonly #unitsPer: readonly number[];

  constructor(currency: string, scale: number) {
    this.currency = currency;
    this.scale = scale;
    this.#amountPerUnit = powerOfTen(amountScale - scale);
    this.#unitsPer = Array.from({ length: scale + 1 }, (_, decimals) => 10 ** (scale - decimals));
  }

  of(amount: Amount): Exact {
    const whole = amount / this.#amountPerUnit;
    const units = Number(whole); // not money: a count, checked to be exact
    const isExact = Number.isSafeInteger(units) && whole * this.#amountPerUnit === amount;
    return isExact ? units : amount;
  }

  /** Returns `count × 10^-decimals`; `decimals` is 0 to 18. */
  scaled(count: Whole, decimals: number): Exact {
    const perCount = this.#unitsPer[decimals];
    if (perCount !== undefined && typeof count === 'number') {
      const units = count * perCount;
      if (Number.isSafeInteger(units)) return units;
    }
    return this.of(amountOfScaled(count, decimals));
  }

  amount(value: Exact): Amount {
    return typeof value === 'bigint' ? value : BigInt(value) * this.#amountPerUnit;
  }

  plus(a: Exact, b: Exact): Exact {
    if (typeof a === 'number' && typeof b === 'number') {
      const sum = a + b;
      if (Number.isSafeInteger(sum)) return sum;
    }
    return this.of(this.amount(a) + this.amount(b));
  }

  minus(a: Exact, b: Exact): Exact {
    return this.plus(a, -b);
  }

  /** Whether `a <= b`. */
  isAtMost(a: Exact, b: Exact): boolean {
    return typeof a === typeof b ? a <= b : this.amount(a) <= this.amount(b);
  }

  text(value: Exact): string {
    return formatAmount(this.amount(value));
  }
}

export class CurrencyUnits {
  readonly #units = new Map<string, CurrencyUnit>();

  constructor(markets: readonly Market[]) {
    for (const { base, counter, volumeScale, priceScale, feeScale } of markets) {
      this.#refine(base, Math.max(volumeScale, feeScale));
      this.#refine(counter, Math.max(priceScale + volumeScale, feeScale));
    }
  }

  /** Returns the unit of a currency; 10^-18 of one that no market has. */
  of(currency: string): CurrencyUnit {
    return this.#units.get(currency) ?? new CurrencyUnit(currency, amountScale);
  }

  #refine(currency: string, scale: number): void {
    const known = this.#units.get(currency)?.scale ?? 0;
    const finest = Math.min(Math.max(scale, known), amountScale);
    this.#units.set(currency, new CurrencyUnit(currency, finest));
  }
}
