/** Random stop orders: the sorted book gives the same result as a search through all orders. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ticks } from '../../../src/domain/money.ts';
import { isTriggered, StopBook, type StopOrder } from '../../../src/exchange-accounts/stop-book.ts';

const step = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    direction: fc.constantFrom('ABOVE' as const, 'BELOW' as const),
    price: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(1000) }),
  fc.record({
    kind: fc.constant('take' as const),
    low: fc.integer({ min: 1, max: 20 }),
    width: fc.nat(3),
  }),
);

test('the orders that trades trigger are taken in order of placement, and no others', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const book = new StopBook<StopOrder>();
      let waiting: StopOrder[] = [];
      let number = 0;
      for (const next of steps) {
        if (next.kind === 'add') {
          number += 1;
          const stop = { direction: next.direction, price: next.price as Ticks };
          const order = { id: `order ${number}`, number, stop };
          book.add(order);
          waiting.push(order);
        } else if (next.kind === 'remove') {
          const [order] = waiting.splice(next.pick % Math.max(1, waiting.length), 1);
          if (order !== undefined) book.remove(order);
        } else {
          const range = { low: next.low as Ticks, high: (next.low + next.width) as Ticks };
          const isDue = ({ stop }: StopOrder) => stop !== undefined && isTriggered(stop, range);
          expect(book.take(range)).toEqual(waiting.filter(isDue));
          waiting = waiting.filter((one) => !isDue(one));
        }
        expect(book.size).toBe(waiting.length);
      }
    }),
    { numRuns: 200 },
  );
});
