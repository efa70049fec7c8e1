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
  /** The last strategy that used a key; most keys in a row are of one strategy. */
  #last = strategyHashOf('');

  constructor(earlier: readonly UsedKey[]) {
    this.#earlier = Float64Array.from(earlier, (used) => this.#hashOf(used)).sort();
  }

  /** Adds a key; returns false if it was there already. */
  add(used: UsedKey): boolean {
    const hash = this.#hashOf(used);
    if (this.#added.has(hash) || this.#hasEarlier(hash)) return false;
    this.#added.add(hash);
    return true;
  }

  #hashOf({ strategyId, key }: UsedKey): number {
    if (strategyId !== this.#last.strategyId) this.#last = strategyHashOf(strategyId);
    return hashOf(this.#last, key);
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

/** The two sums of a hash after the strategy's id. */
type StrategyHash = { readonly strategyId: string; readonly a: number; readonly b: number };

const [factorA, factorB] = [0x9e3779b1, 0x5f356495];

function strategyHashOf(strategyId: string): StrategyHash {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  // A strategy's id contains no `|`, so different keys give different texts.
  const text = `${strategyId}|`;
  for (let at = 0; at < text.length; at++) {
    a = Math.imul(a ^ text.charCodeAt(at), factorA);
    b = Math.imul(b ^ text.charCodeAt(at), factorB);
  }
  return { strategyId, a, b };
}

/** Returns 53 bits: two sums of 32 bits over all characters, then mixed with each other. */
function hashOf(strategy: StrategyHash, key: string): number {
  let { a, b } = strategy;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    a = Math.imul(a ^ code, factorA);
    b = Math.imul(b ^ code, factorB);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b & 0x1fffff) * 2 ** 32 + (a >>> 0);
}
