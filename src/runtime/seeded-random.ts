/**
 * A seeded random generator whose state can be stored.
 *
 * Invariant: the sequence depends only on the seed, on every machine and in every version; stored
 * runs and printed seeds rely on it.
 */
import { type Random, randomFrom } from './random.ts';

/** The four words of a xoshiro128** generator. */
export type RandomState = readonly [number, number, number, number];

export type SeededRandom = Random & {
  /** The state for `restore`, with which a stored simulation continues as if never stopped. */
  state(): RandomState;
  restore(state: RandomState): void;
};

/**
 * Returns a generator for simulation and tests, never for keys: xoshiro128**, seeded by splitmix32.
 */
export function createSeededRandom(seed: number | string): SeededRandom {
  let [a, b, c, d] = stateOf(String(seed));
  const word = (): number => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
  return {
    ...randomFrom(word),
    state: () => [a >>> 0, b >>> 0, c >>> 0, d >>> 0],
    restore: (state) => {
      if (state.every((part) => part === 0))
        throw new RangeError('random state must not be all zero');
      [a, b, c, d] = state;
    },
  };
}

/** FNV-1a of the UTF-16 code units seeds splitmix32, which never yields four zero words here. */
function stateOf(seed: string): [number, number, number, number] {
  let hash = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
  const split = (): number => {
    hash = (hash + 0x9e3779b9) | 0;
    let mixed = hash ^ (hash >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  return [split(), split(), split(), split()];
}

function rotateLeft(word: number, count: number): number {
  return (word << count) | (word >>> (32 - count));
}
