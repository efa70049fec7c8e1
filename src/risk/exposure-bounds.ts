/**
 * An amount that may still move: what is held, and what open orders may add and take. Exact in
 * atoms, and as bounds in whole units of the currency for comparisons that must be fast.
 *
 * Invariant: `highestUnits` is never below the exact highest amount and `lowestUnits` never above
 * the exact lowest one; a bound that does not fit 2^53 is NaN, and nothing passes against NaN.
 */
import { unitsAbove, unitsBelow } from './whole-units.ts';

export class ExposureBounds {
  held = 0n;
  up = 0n;
  down = 0n;
  highestUnits = 0;
  lowestUnits = 0;
  /** How often it was changed. */
  changes = 0;
  readonly #amountPerUnit: bigint;

  constructor(amountPerUnit: bigint) {
    this.#amountPerUnit = amountPerUnit;
  }

  /** The amount if everything comes that may be added. */
  get highest(): bigint {
    return this.held + this.up;
  }

  /** The amount if everything goes that may be taken. */
  get lowest(): bigint {
    return this.held - this.down;
  }

  setHeld(held: bigint): void {
    this.held = held;
    this.#refresh();
  }

  addHeld(atoms: bigint): void {
    this.setHeld(this.held + atoms);
  }

  /** Adds to what open orders may add; negative when they may add less. */
  addUp(atoms: bigint): void {
    this.changes++;
    this.up += atoms;
    this.highestUnits = unitsAbove(this.held + this.up, this.#amountPerUnit);
  }

  /** Adds to what open orders may take; negative when they may take less. */
  addDown(atoms: bigint): void {
    this.changes++;
    this.down += atoms;
    this.lowestUnits = unitsBelow(this.held - this.down, this.#amountPerUnit);
  }

  #refresh(): void {
    this.changes++;
    this.highestUnits = unitsAbove(this.highest, this.#amountPerUnit);
    this.lowestUnits = unitsBelow(this.lowest, this.#amountPerUnit);
  }
}
