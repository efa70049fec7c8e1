/**
 * Order ids: `BX` and 13 characters of [0-9A-Z], as on the wire.
 *
 * Invariant: the n-th id is a function of the seed and n alone, and no two n of one seed share an
 * id, because every step of the mixing can be undone.
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
