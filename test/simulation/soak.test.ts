/** An hour of the long run; `npm run prove -- soak` is a week of it. */
import { expect, test } from 'vitest';
import { beyondBounds, runSoak } from '../prove/soak.ts';
import { isLong, slopePerHour } from '../support/soak-slope.ts';

test('P15: an hour of the demo market leaves every bound untouched and nothing different', {
  timeout: 600_000,
}, async () => {
  const result = await runSoak({ hours: 1, seed: 2, plant: undefined, isQuiet: true });
  const { figures, violations } = result;
  expect(violations).toEqual([]);
  expect(beyondBounds(result)).toEqual([]);
  expect(figures).toMatchObject({ differences: 0, unhandled: 0, virtualDays: 1 / 24 });
  expect(figures.events).toBeGreaterThan(60_000);
  expect(figures.orders).toBeGreaterThan(500);
  expect(figures.fills).toBeGreaterThan(100);
  expect(figures.faults).toBeGreaterThan(0);
  // The log was begun anew again and again, and the journal went on in segments.
  expect(figures.walBytesMax).toBeGreaterThan(0);
  expect(figures.walBytesMax).toBeLessThan(2 ** 23);
});

test('growth is fitted after the warm-up: a day, where the run is long enough', () => {
  const run = (hours: number, bytesAt: (hour: number) => number) =>
    slopePerHour(Array.from({ length: hours }, (_, i) => ({ hour: i + 1, bytes: bytesAt(i + 1) })));
  expect(isLong(33)).toBe(false);
  expect(run(168, (hour) => 5e7 + 1_000 * hour)).toBe(1_000);
  // What fills up in a day is no growth.
  expect(run(48, (hour) => Math.min(hour, 24) * 2e6)).toBe(0);
  expect(run(168, (hour) => Math.min(hour, 24) * 2e6 + 3e6 * hour)).toBe(3_000_000);
  expect(run(10, (hour) => 2e7 * hour)).toBe(20_000_000);
  expect(run(5, () => 1)).toBeNull();
});
