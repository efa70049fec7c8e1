/**
 * An amount that may still move: what is held, and what open orders may add and take. Exact in
 * atoms, and as bounds in whole units of the currency for comparisons that must be fast.
 *
 * Invariant: `highestUnits` is never below the exact highest amount and `lowestUnits` never above
 * the exact lowest one; a bound that does not fit 2^53 is NaN, and nothing passes against NaN.
 */
import { sumOfUnits, type UnitCount } from './unit-count.ts';
import { unitsAbove, unitsBelow } from './whole-units.ts';

export class ExposureBounds {
  held = 0n;
  highestUnits = 0;
  lowestUnits = 0;
  /** How often it was changed. */
  changes = 0;
  readonly #amountPerUnit: bigint;
  // Orders are whole units, so that only what is held has to be rounded.
  #up: UnitCount = 0;
  #down: UnitCount = 0;
  #heldAbove = 0;
  #heldBelow = 0;

  constructor(amountPerUnit: bigint) {
    this.#amountPerUnit = amountPerUnit;
  }

  /** The amount if everything comes that may be added. */
  get highest(): bigint {
    return this.#up === 0 ? this.held : this.held + BigInt(this.#up) * this.#amountPerUnit;
  }

  /** The amount if everything goes that may be taken. */
  get lowest(): bigint {
    return this.#down === 0 ? this.held : this.held - BigInt(this.#down) * this.#amountPerUnit;
  }

  setHeld(held: bigint): void {
    this.held = held;
    this.#heldAbove = unitsAbove(held, this.#amountPerUnit);
    this.#heldBelow = unitsBelow(held, this.#amountPerUnit);
    this.#moveHighest();
    this.#moveLowest();
  }

  addHeld(atoms: bigint): void {
    this.setHeld(this.held + atoms);
  }

  /** Adds whole units to what open orders may add; negative when they may add less. */
  addUp(units: UnitCount): void {
    this.#up = sumOfUnits(this.#up, units);
    this.#moveHighest();
  }

  /** Adds whole units to what open orders may take; negative when they may take less. */
  addDown(units: UnitCount): void {
    this.#down = sumOfUnits(this.#down, units);
    this.#moveLowest();
  }

  #moveHighest(): void {
    this.changes++;
    const units = typeof this.#up === 'number' ? this.#heldAbove + this.#up : Number.NaN;
    this.highestUnits = Number.isSafeInteger(units)
      ? units
      : unitsAbove(this.highest, this.#amountPerUnit);
  }

  #moveLowest(): void {
    this.changes++;
    const units = typeof this.#down === 'number' ? this.#heldBelow - this.#down : Number.NaN;
    this.lowestUnits = Number.isSafeInteger(units)
      ? units
      : unitsBelow(this.lowest, this.#amountPerUnit);
  }
}
