/** The bitmap of occupied places, against a plain set. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlaceSet } from '../../../src/market/book/place-set.ts';

test('the next member equals the least of a plain set, for every size', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(1 << 20)), { maxLength: 200 });
  fc.assert(
    fc.property(fc.constantFrom(8, 32, 64, 1_024, 1 << 16, 1 << 18), steps, (size, changes) => {
      const fast = new PlaceSet(size);
      const slow = new Set<number>();
      for (const [isAdded, number] of changes) {
        const place = number % size;
        if (isAdded) {
          fast.add(place);
          slow.add(place);
        } else {
          fast.delete(place);
          slow.delete(place);
        }
        for (const from of [0, place, Math.min(size - 1, place + 1)]) {
          const least = Math.min(...[...slow].filter((member) => member >= from));
          expect(fast.next(from)).toBe(least === Infinity ? -1 : least);
        }
      }
    }),
  );
});
