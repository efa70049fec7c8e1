/**
 * The keys of all `place` intents ever used, each stored as 53 bits of its hash.
 *
 * A key may be used only once, so all keys are kept. A million keys of earlier runs take eight
 * megabytes.
 *
 * Invariant: a used key is always recognised. An unused key is mistaken for a used one with a
 * probability of 1 in 9·10^12 for each thousand keys stored; its order is then not placed.
 */
import { hash } from 'node:crypto';

export type UsedKey = { readonly strategyId: string; readonly key: string };

export class UsedKeys {
  /** Hashes from earlier runs, ascending. */
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

/** A strategy's id contains no `|`, so different keys give different texts. */
function hashOf({ strategyId, key }: UsedKey): number {
  const digest = hash('sha256', `${strategyId}|${key}`, 'buffer');
  return digest.readUIntBE(0, 6) * 32 + ((digest[6] as number) % 32);
}
