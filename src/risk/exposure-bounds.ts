/**
 * An amount with the range that open orders may move it to: what is held, and what open orders may
 * add and take. Exact in units of 10^-18, and as bounds in whole units of the currency for fast
 * comparisons.
 *
 * Invariant: `highestUnits` is never below the exact highest amount and `lowestUnits` never above
 * the exact lowest one; a bound that does not fit 2^53 is NaN, so that every comparison with it
 * fails.
 */

import { type UnitParts, UnitSum } from './unit-amount.ts';
import { sumOfUnits, type UnitCount } from './unit-count.ts';
import { unitsAbove, unitsBelow } from './whole-units.ts';

export class ExposureBounds {
  highestUnits = 0;
  lowestUnits = 0;
  /** Number of changes. */
  changes = 0;
  readonly #amountPerUnit: bigint;
  readonly #held: UnitSum;
  // Orders are whole units, so only the held amount has to be rounded.
  #up: UnitCount = 0;
  #down: UnitCount = 0;

  constructor(amountPerUnit: bigint) {
    this.#amountPerUnit = amountPerUnit;
    this.#held = new UnitSum(amountPerUnit);
  }

  get held(): bigint {
    return this.#held.amount;
  }

  /**
   * What the exact lowest amount has beyond {@link lowestUnits}, in 10^-18; less than one unit. Not
   * meaningful while that is NaN.
   */
  get lowestRest(): UnitCount {
    return this.#held.rest;
  }

  /** The amount if every open order that adds to it fills. */
  get highest(): bigint {
    return this.#up === 0 ? this.held : this.held + BigInt(this.#up) * this.#amountPerUnit;
  }

  /** The amount if every open order that takes from it fills. */
  get lowest(): bigint {
    return this.#down === 0 ? this.held : this.held - BigInt(this.#down) * this.#amountPerUnit;
  }

  /** What is held in whole units, rounded towards zero; NaN if that does not fit 2^53. */
  get heldWhole(): number {
    return this.#held.wholeWith(0);
  }

  /** {@link highest} and {@link lowest} in the same way. */
  get highestWhole(): number {
    return this.#held.wholeWith(this.#up);
  }

  get lowestWhole(): number {
    return this.#held.wholeWith(typeof this.#down === 'number' ? 0 - this.#down : -this.#down);
  }

  addHeld(amount: UnitParts): void {
    this.#held.add(amount);
    this.#moveHighest();
    this.#moveLowest();
  }

  /** Changes what open orders may add, in whole units. */
  addUp(units: UnitCount): void {
    this.#up = sumOfUnits(this.#up, units);
    this.#moveHighest();
  }

  /** Changes what open orders may take, in whole units. */
  addDown(units: UnitCount): void {
    this.#down = sumOfUnits(this.#down, units);
    this.#moveLowest();
  }

  #moveHighest(): void {
    this.changes++;
    const units = typeof this.#up === 'number' ? this.#held.above + this.#up : Number.NaN;
    this.highestUnits = Number.isSafeInteger(units)
      ? units
      : unitsAbove(this.highest, this.#amountPerUnit);
  }

  #moveLowest(): void {
    this.changes++;
    const units = typeof this.#down === 'number' ? this.#held.below - this.#down : Number.NaN;
    this.lowestUnits = Number.isSafeInteger(units)
      ? units
      : unitsBelow(this.lowest, this.#amountPerUnit);
  }
}
