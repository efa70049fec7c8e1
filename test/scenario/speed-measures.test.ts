/**
 * The measures of idle time and of decisions: that they are of the right size. Limits are far above
 * what is measured alone, since tests run beside others.
 */
import { expect, test } from 'vitest';
import { decisionMicros } from '../prove/speed-decision.ts';
import { idleDayMillis } from '../prove/speed-idle.ts';

test('an idle day does not cost what its regular reads would', async () => {
  expect(await idleDayMillis()).toBeLessThan(20);
});

test('a decision that reads costs little more than one that does not', async () => {
  expect(Math.abs(await decisionMicros(10_000, 3))).toBeLessThan(20);
});
