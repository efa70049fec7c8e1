/** The oracle's own arithmetic: integers in units of 10^-18 from decimal strings. */
export const one = 10n ** 18n;

const known = new Map<string, bigint>();

/** Returns an amount of at most 18 decimals in units of 10^-18. */
export function amount(text: string): bigint {
  const before = known.get(text);
  if (before !== undefined) return before;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = BigInt(whole + fraction.padEnd(18, '0'));
  const value = text.startsWith('-') ? -digits : digits;
  if (known.size > 100_000) known.clear();
  known.set(text, value);
  return value;
}

/** Returns the exact product of two amounts, whose scales add up to at most 18. */
export const times = (a: bigint, b: bigint): bigint => (a * b) / one;
export const size = (a: bigint): bigint => (a < 0n ? -a : a);
export const floor = (a: bigint, b: bigint): bigint => (a % b < 0n ? a / b - 1n : a / b);
