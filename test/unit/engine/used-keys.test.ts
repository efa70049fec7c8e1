/** Used keys are never forgotten, and distinct keys are not confused. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsedKeys } from '../../../src/engine/used-keys.ts';

const keyOf = fc.record({
  strategyId: fc.constantFrom('a', 'b', 'dca'),
  key: fc.stringMatching(/^[a-z0-9-]{1,6}$/u),
});

test('a key is new only once, whether an earlier run or this one used it', () => {
  fc.assert(
    fc.property(fc.array(keyOf), fc.array(keyOf), (earlier, now) => {
      const used = new UsedKeys(earlier);
      const known = new Set(earlier.map(({ strategyId, key }) => `${strategyId}|${key}`));
      for (const one of now) {
        const text = `${one.strategyId}|${one.key}`;
        expect(used.add(one)).toBe(!known.has(text));
        known.add(text);
      }
    }),
  );
});

test('100,000 keys are distinguished from 100,000 others', () => {
  const count = 100_000;
  const used = new UsedKeys(
    Array.from({ length: count }, (_, index) => ({ strategyId: 'dca', key: `k${index}` })),
  );
  for (let index = 0; index < count; index++) {
    if (used.add({ strategyId: 'dca', key: `k${index}` }))
      throw new Error(`k${index} is forgotten`);
    if (!used.add({ strategyId: 'mm', key: `k${index}` })) throw new Error(`k${index} is new`);
  }
});
