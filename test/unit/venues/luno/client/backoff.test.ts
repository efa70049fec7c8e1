/** Delays between attempts: 0, then random below a highest delay that doubles up to 10 s. */
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../../../src/runtime/seeded-random.ts';
import { createBackoff } from '../../../../../src/venues/luno/client/backoff.ts';

const highest = [1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000];

test('the first attempt follows at once, then the highest delay doubles from one second to ten', () => {
  const backoff = createBackoff({ next: () => 1 - 2 ** -53 });
  expect(backoff.nextDelayMs()).toBe(0);
  expect(highest.map(() => backoff.nextDelayMs() + 1)).toEqual(highest);
});

test('a reset starts again with 0', () => {
  const backoff = createBackoff({ next: () => 0.5 });
  for (let i = 0; i < 5; i++) backoff.nextDelayMs();
  backoff.reset();
  expect([backoff.nextDelayMs(), backoff.nextDelayMs()]).toEqual([0, 500]);
});

test('the delays fill the whole range', () => {
  const random = createSeededRandom(1);
  const delays = Array.from({ length: 2_000 }, () => {
    const backoff = createBackoff(random);
    backoff.nextDelayMs();
    return backoff.nextDelayMs();
  });
  expect(Math.min(...delays)).toBeLessThan(20);
  expect(Math.max(...delays)).toBeGreaterThan(980);
  const quarters = [0, 250, 500, 750].map(
    (from) => delays.filter((ms) => ms >= from && ms < from + 250).length,
  );
  for (const count of quarters) expect(count).toBeGreaterThan(400);
});
