/**
 * Order ids: `BX` and 13 characters of [0-9A-Z], as on the wire.
 *
 * Invariant: an id depends only on the seed and the order number. No two numbers share an id for
 * the same seed, because every mixing step is reversible.
 */

const mask = (1n << 64n) - 1n;

/** Returns the id of the order with this number. */
export function orderIdOf(seed: bigint, number: number): string {
  let mixed = (seed + BigInt(number) * 0x9e3779b97f4a7c15n) & mask;
  mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
  mixed ^= mixed >> 31n;
  return `BX${mixed.toString(36).toUpperCase().padStart(13, '0')}`;
}
