/** The oracle's own arithmetic: integers of 10^-18 from decimal strings. */
export const one = 10n ** 18n;

const known = new Map<string, bigint>();

/** An amount of at most 18 decimals as an integer of 10^-18. */
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

/** The product of two amounts; exact, since scales add up to 18 at most. */
export const times = (a: bigint, b: bigint): bigint => (a * b) / one;
export const size = (a: bigint): bigint => (a < 0n ? -a : a);
export const floor = (a: bigint, b: bigint): bigint => (a % b < 0n ? a / b - 1n : a / b);
