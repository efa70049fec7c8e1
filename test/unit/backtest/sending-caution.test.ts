/** A backtest warns if the call budget held back many of its orders. */
import { expect, test } from 'vitest';
import { sendingCaution } from '../../../src/backtest/metrics/sending-sums.ts';

const figures = {
  ...{ sent: 90, neverSent: 10, waitedLong: 0, waitMs: { median: 0, p90: 0, max: 0 } },
  moves: { begun: 50, waitedLong: 0, waitMsMax: 0 },
};

test('a tenth of the orders may be held back without a caution', () => {
  expect(sendingCaution(figures)).toBeUndefined();
});

test('a caution names the orders that were never sent, and those that waited', () => {
  expect(sendingCaution({ ...figures, waitedLong: 3 })).toMatch(
    /^of 100 approved orders, 10 were never sent and 3 waited for more than a second, mostly /u,
  );
});

test('it names replacements that waited while old orders rested', () => {
  const moves = { begun: 50, waitedLong: 7, waitMsMax: 9_000 };
  expect(sendingCaution({ ...figures, moves })).toContain(
    '; 7 of 50 replacements waited for more than a second, and the orders that they replaced rested at old prices, ',
  );
});
