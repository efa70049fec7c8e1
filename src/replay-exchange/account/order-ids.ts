/** The ids of an account's orders at the tape exchange: one sequence over all its markets. */

/** Gives the numbers of orders twelve digits. */
const digits = 12;

/** Returns the exchange's id of an order, from its number. */
export function orderIdOf(number: number): string {
  return `BXT${String(number).padStart(digits, '0')}`;
}

export class OrderIds {
  #given: number;

  /** `given`: how many an earlier life of the account has had. */
  constructor(given = 0) {
    this.#given = given;
  }

  /** Returns the next order's number. */
  next(): number {
    return ++this.#given;
  }
}
