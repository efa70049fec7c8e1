/**
 * The keys of `place` intents that were ever used, each known by 53 bits of its hash.
 *
 * A key is used once for ever, so they are as many as were ever placed: eight bytes each for those
 * of earlier runs, so eight megabytes a million.
 *
 * Invariant: a used key is always known. A key that was never used is taken for a used one with a
 * chance of one in nine million million for each thousand that are kept; then its order is not
 * placed.
 */
import { hash } from 'node:crypto';

export type UsedKey = { readonly strategyId: string; readonly key: string };

export class UsedKeys {
  /** Of earlier runs, ascending. */
  readonly #earlier: Float64Array;
  readonly #added = new Set<number>();

  constructor(earlier: readonly UsedKey[]) {
    this.#earlier = Float64Array.from(earlier, hashOf).sort();
  }

  /** Adds a key; returns false if it was there already. */
  add(used: UsedKey): boolean {
    const hash = hashOf(used);
    if (this.#added.has(hash) || this.#hasEarlier(hash)) return false;
    this.#added.add(hash);
    return true;
  }

  #hasEarlier(hash: number): boolean {
    let low = 0;
    let high = this.#earlier.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#earlier[middle] as number) < hash) low = middle + 1;
      else high = middle;
    }
    return this.#earlier[low] === hash;
  }
}

/** A strategy's id has no bar in it, so two pairs never give the same text. */
function hashOf({ strategyId, key }: UsedKey): number {
  const digest = hash('sha256', `${strategyId}|${key}`, 'buffer');
  return digest.readUIntBE(0, 6) * 32 + ((digest[6] as number) % 32);
}
