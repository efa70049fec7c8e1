/**
 * An amount with the range that open orders may move it to: what is held, and what open orders may
 * add and take.
 */
import type { CurrencyUnit, Exact } from './currency-unit.ts';

export class ExposureBounds {
  readonly unit: CurrencyUnit;
  /** Number of changes. */
  changes = 0;
  #held: Exact = 0;
  #up: Exact = 0;
  #down: Exact = 0;

  constructor(unit: CurrencyUnit) {
    this.unit = unit;
  }

  get held(): Exact {
    return this.#held;
  }

  /** The amount if every open order that adds to it fills. */
  get highest(): Exact {
    return this.unit.plus(this.#held, this.#up);
  }

  /** The amount if every open order that takes from it fills. */
  get lowest(): Exact {
    return this.unit.minus(this.#held, this.#down);
  }

  addHeld(value: Exact): void {
    this.#held = this.unit.plus(this.#held, value);
    this.changes++;
  }

  /** Changes what open orders may add. */
  addUp(value: Exact): void {
    this.#up = this.unit.plus(this.#up, value);
    this.changes++;
  }

  /** Changes what open orders may take. */
  addDown(value: Exact): void {
    this.#down = this.unit.plus(this.#down, value);
    this.changes++;
  }
}
