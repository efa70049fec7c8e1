/** Seeded and system randomness; the generator is checked against a plain BigInt version. */
import { expect, test } from 'vitest';
import type { Random } from '../../../src/runtime/random.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';
import { createSystemRandom, randomToken } from '../../../src/runtime/system-random.ts';

/** xoshiro128** as published by its authors, in BigInt, from the same state. */
function* slowWords(state: readonly number[]): Generator<bigint, never> {
  const mask = 0xffff_ffffn;
  const rotate = (x: bigint, k: bigint) => ((x << k) | (x >> (32n - k))) & mask;
  let [a, b, c, d] = state.map(BigInt) as [bigint, bigint, bigint, bigint];
  for (;;) {
    const result = (rotate((b * 5n) & mask, 7n) * 9n) & mask;
    const shifted = (b << 9n) & mask;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11n);
    yield result;
  }
}

test('the seeded generator is xoshiro128**', () => {
  const random = createSeededRandom('oracle');
  const words = slowWords(random.state());
  for (let i = 0; i < 1_000; i++) {
    expect(random.integer(0, 2 ** 32 - 1)).toBe(Number(words.next().value));
  }
});

test('a seed always gives the same sequence', () => {
  const random = createSeededRandom(1);
  const drawn = [1, 2, 3, 4].map(() => random.integer(1, 1_000_000));
  expect(drawn).toEqual([85211, 142223, 272251, 698491]);
  expect(createSeededRandom('1').state()).toEqual(createSeededRandom(1).state());
  expect(createSeededRandom(2).state()).not.toEqual(createSeededRandom(1).state());
});

test('a restored generator continues from the stored state', () => {
  const random = createSeededRandom('snapshot');
  random.next();
  const kept = random.state();
  const first = [random.next(), random.next(), random.next()];
  const other = createSeededRandom('something else');
  other.restore(kept);
  expect([other.next(), other.next(), other.next()]).toEqual(first);
});

test.each<[string, () => Random]>([
  ['seeded', () => createSeededRandom(7)],
  ['system', createSystemRandom],
])('%s numbers fill [0, 1) and integers their range, evenly', (_name, create) => {
  const random = create();
  const tenths = new Array<number>(10).fill(0);
  const faces = new Array<number>(7).fill(0);
  for (let i = 0; i < 20_000; i++) {
    const tenth = Math.floor(random.next() * 10);
    tenths[tenth] = (tenths[tenth] ?? Number.NaN) + 1;
    const face = random.integer(-3, 3) + 3;
    faces[face] = (faces[face] ?? Number.NaN) + 1;
  }
  // Twelve standard deviations: never exceeded by chance, always if a bucket is missing.
  for (const count of tenths) expect(Math.abs(count - 2_000)).toBeLessThan(510);
  for (const count of faces) expect(Math.abs(count - 20_000 / 7)).toBeLessThan(600);
});

test('ranges beyond 32 bits are drawn fully, and invalid ranges are refused', () => {
  const random = createSeededRandom(3);
  const drawn = Array.from({ length: 200 }, () => random.integer(0, Number.MAX_SAFE_INTEGER));
  expect(Math.max(...drawn)).toBeGreaterThan(2 ** 52);
  expect(drawn.some((value) => value % 2 === 1)).toBe(true);
  expect(random.integer(5, 5)).toBe(5);
  for (const [min, max] of [
    [1, 0],
    [0.5, 2],
    [0, Number.NaN],
    [-(2 ** 52), 2 ** 53 - 1],
  ] as const) {
    expect(() => random.integer(min, max)).toThrow(RangeError);
  }
  expect(() => random.restore([0, 0, 0, 0])).toThrow(RangeError);
});

test('tokens are hex of the requested length and differ', () => {
  expect(randomToken(16)).toMatch(/^[0-9a-f]{32}$/u);
  expect(randomToken(16)).not.toBe(randomToken(16));
});
