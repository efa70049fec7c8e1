/** Splits the name of a pair into its two currencies. */

export type Names = { has(name: string): boolean };

/**
 * Splits `pair`, which is base and counter in one word, where both parts are among `named`. Returns
 * undefined if there is no such place.
 */
export function currenciesOf(
  pair: string,
  named: Names,
): { readonly base: string; readonly counter: string } | undefined {
  for (let end = 2; end <= pair.length - 2; end++) {
    const [base, counter] = [pair.slice(0, end), pair.slice(end)];
    if (named.has(base) && named.has(counter)) return { base, counter };
  }
  return undefined;
}
