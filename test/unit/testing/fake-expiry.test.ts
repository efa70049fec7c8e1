/** fakeContext: orders that expire. */
import { merge, NEVER, type Observable, of } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineStrategy, type Intent } from '../../../src/index.ts';
import { fakeContext } from '../../../src/testing.ts';

const pair = 'XBTZAR';
const startMs = Date.UTC(2026, 0, 1);

test('an order expires at its time, and one that is past is refused, as in the engine', () => {
  const place = (key: string, expiresMs: number) => ({
    ...{ kind: 'place', pair, key, expiresMs, reason: 'for a while' },
    terms: { side: 'BID', price: 1, volume: 1 },
  });
  const strategy = defineStrategy({
    ...{ name: 'scripted', parameters: z.unknown(), pairs: 'any' },
    run: () =>
      merge(of(place('a', startMs + 1_500), place('b', startMs)), NEVER) as Observable<Intent>,
  });
  const after = (time: string) =>
    fakeContext(strategy, { start: '2026-01-01T00:00:00Z', for: time });
  const open = after('1s');
  expect(open.orders[pair]).toMatchObject([{ key: 'a', expiresMs: startMs + 1_500 }]);
  expect(open.refusals).toMatchObject([{ key: 'b', codes: ['EXPIRED'] }]);
  expect(after('2s').orders[pair]).toEqual([]);
});
