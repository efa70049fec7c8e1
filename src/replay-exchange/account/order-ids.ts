/** The order ids of an account at the replay exchange: one sequence for all its markets. */

const prefix = 'BXT';
/** The number of digits in an id. */
const digits = 12;
/** The code of the character 0. */
const zero = 48;

/** The prefix with leading zeros, by the number of digits that follow. */
const paddedPrefixes: readonly string[] = Array.from(
  { length: digits + 1 },
  (_, count) => `${prefix}${'0'.repeat(digits - count)}`,
);

/** Returns the exchange's id of an order, from its number. */
export function orderIdOf(number: number): string {
  const text = String(number);
  return (paddedPrefixes[text.length] ?? prefix) + text;
}

/**
 * Returns the number in an order id, 0 for other text. Several texts may give the same number;
 * only the one that {@link orderIdOf} returns is an id.
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
  #lastNumber: number;

  /** `lastNumber`: the last number that an earlier process assigned. */
  constructor(lastNumber = 0) {
    this.#lastNumber = lastNumber;
  }

  /** Returns the next order's number. */
  next(): number {
    return ++this.#lastNumber;
  }
}
