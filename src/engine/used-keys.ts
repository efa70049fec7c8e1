/**
 * The keys of all `place` intents ever used, each stored as 53 bits of its hash.
 *
 * A key may be used only once, so all keys are kept. A million keys of earlier runs take eight
 * megabytes.
 *
 * Invariant: a used key is always recognised. An unused key is mistaken for a used one with a
 * probability of 1 in 9·10^12 for each thousand keys stored; its order is then not placed. The
 * hash is not a cryptographic one: keys come from our own strategies, and nobody else gains by
 * two that collide.
 */
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

/** Returns 53 bits: two sums of 32 bits over all characters, then mixed with each other. */
function hashOf({ strategyId, key }: UsedKey): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  // A strategy's id contains no `|`, so different keys give different texts.
  const start = strategyId.length + 1;
  for (let at = 0; at < start + key.length; at++) {
    const code =
      at < start - 1 ? strategyId.charCodeAt(at) : at < start ? 0x7c : key.charCodeAt(at - start);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b & 0x1fffff) * 2 ** 32 + (a >>> 0);
}
