/**
 * Exact amounts in two parts: whole units of a currency (see `currency-units.ts`), and a rest below
 * one unit. Nearly all that a fill moves is whole units, so sums that are kept this way need no
 * division of bigints, which takes fifty times as long as the addition of numbers.
 */
import { sumOfUnits, type UnitCount, unitCountOf } from './unit-count.ts';
import { safe } from './whole-units.ts';

/** Invariant: `amount` is `units` times the unit plus `rest`, which is from 0 to below one unit. */
export type UnitAmount = UnitParts & { readonly amount: bigint };

/** The parts alone; the rest is counted in 10^-18. */
export type UnitParts = { readonly units: UnitCount; readonly rest: UnitCount };

/** Returns an amount in parts. */
export function unitAmountOf(amount: bigint, amountPerUnit: bigint): UnitAmount {
  const whole = amount / amountPerUnit;
  const rest = amount - whole * amountPerUnit;
  return rest < 0n
    ? { amount, units: unitCountOf(whole - 1n), rest: unitCountOf(rest + amountPerUnit) }
    : { amount, units: unitCountOf(whole), rest: unitCountOf(rest) };
}

/** Returns a whole number of units as an amount. */
export function wholeUnitAmount(units: UnitCount, amountPerUnit: bigint): UnitAmount {
  return { amount: BigInt(units) * amountPerUnit, units, rest: 0 };
}

/** A sum of amounts of one currency. */
export class UnitSum {
  readonly #amountPerUnit: bigint;
  /** The same, as it is compared with the rest. */
  readonly #perUnit: UnitCount;
  #units: UnitCount = 0;
  #rest: UnitCount = 0;
  /** Computed when it is read. */
  #amount: bigint | undefined = 0n;

  constructor(amountPerUnit: bigint) {
    this.#amountPerUnit = amountPerUnit;
    this.#perUnit = unitCountOf(amountPerUnit);
  }

  get amount(): bigint {
    this.#amount ??= BigInt(this.#units) * this.#amountPerUnit + BigInt(this.#rest);
    return this.#amount;
  }

  /** What the sum has beyond its whole units. */
  get rest(): UnitCount {
    return this.#rest;
  }

  get isZero(): boolean {
    return this.#units === 0 && this.#rest === 0;
  }

  /** The sum in whole units, rounded down; NaN if that does not fit 2^53. */
  get below(): number {
    return typeof this.#units === 'number' ? this.#units : Number.NaN;
  }

  /** The sum in whole units, rounded up; NaN if that does not fit 2^53. */
  get above(): number {
    if (typeof this.#units !== 'number') return Number.NaN;
    return this.#rest === 0 ? this.#units : safe(this.#units + 1);
  }

  /**
   * Returns the sum and `units` together in whole units, rounded towards zero; NaN if that does not
   * fit 2^53.
   */
  wholeWith(units: UnitCount): number {
    const whole = sumOfUnits(this.#units, units);
    if (typeof whole !== 'number') return Number.NaN;
    return whole < 0 && this.#rest !== 0 ? whole + 1 : whole;
  }

  set(amount: bigint): void {
    const { units, rest } = unitAmountOf(amount, this.#amountPerUnit);
    this.#units = units;
    this.#rest = rest;
    this.#amount = amount;
  }

  add({ units, rest }: UnitParts): void {
    this.#amount = undefined;
    this.#units = sumOfUnits(this.#units, units);
    if (rest === 0) return;
    this.#rest = sumOfUnits(this.#rest, rest);
    if (this.#rest < this.#perUnit) return;
    this.#rest = sumOfUnits(this.#rest, -this.#perUnit);
    this.#units = sumOfUnits(this.#units, 1);
  }
}
