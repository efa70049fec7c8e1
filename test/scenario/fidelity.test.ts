/** The proof of fidelity over random honest order flow, and a model that it must find wrong. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fidelityProver } from '../prove/fidelity.ts';

// Without the recordings: those are for the proof.
const before = process.env['MILLRACE_DATA'];
beforeAll(() => {
  process.env['MILLRACE_DATA'] = '/nonexistent';
});
afterAll(() => {
  if (before === undefined) delete process.env['MILLRACE_DATA'];
  else process.env['MILLRACE_DATA'] = before;
});

test('in honest order flow the tape exchange is never wrong', async () => {
  const { figures, violations } = await fidelityProver.run({ seeds: 2, plant: undefined });
  expect(violations).toBe(0);
  expect(figures).toMatchObject({ rightOutcome: 1, fillTimeErrorMs: 0, filledVolumeError: 0 });
  expect(figures['filled']).toBeGreaterThan(1_000);
  expect(figures['cancelled']).toBeGreaterThan(1_000);
}, 60_000);

test('a model that puts itself before the queue is found wrong', async () => {
  const { violations } = await fidelityProver.run({ seeds: 2, plant: 'front-of-queue' });
  expect(violations).toBeGreaterThan(0);
}, 60_000);
