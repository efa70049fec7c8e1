/** The ids of an account's orders at the tape exchange: one sequence over all its markets. */

/** Gives the numbers of orders twelve digits behind its own first one. */
const firstOrderNumber = 1_000_000_000_000;

export class OrderIds {
  #given: number;

  /** `given`: how many an earlier life of the account has had. */
  constructor(given = 0) {
    this.#given = given;
  }

  next(): string {
    return `BXT${String(firstOrderNumber + ++this.#given).slice(1)}`;
  }
}
