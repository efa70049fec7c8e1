/** The ids of an account's orders at the tape exchange: one sequence over all its markets. */

const prefix = 'BXT';
/** Gives the numbers of orders twelve digits. */
const digits = 12;
/** The code of the character 0. */
const zero = 48;

/** What stands before the digits of a number, by how many they are. */
const beginnings: readonly string[] = Array.from(
  { length: digits + 1 },
  (_, count) => `${prefix}${'0'.repeat(digits - count)}`,
);

/** Returns the exchange's id of an order, from its number. */
export function orderIdOf(number: number): string {
  const text = String(number);
  return (beginnings[text.length] ?? prefix) + text;
}

/**
 * Returns the number in an order's id; 0 for a text that is no id. Several texts may have the same
 * number, of which only what {@link orderIdOf} returns is an id.
 */
export function orderNumberOf(id: string): number {
  if (!id.startsWith(prefix)) return 0;
  let number = 0;
  for (let index = prefix.length; index < id.length; index++) {
    const digit = id.charCodeAt(index) - zero;
    if (digit < 0 || digit > 9) return 0;
    number = number * 10 + digit;
  }
  return number;
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
