/** The fidelity proof over random consistent order flow, and a wrong model that it must find. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fidelityProver } from '../prove/fidelity.ts';

// Without recordings: those are for the full proof.
const before = process.env['MILLRACE_DATA'];
beforeAll(() => {
  process.env['MILLRACE_DATA'] = '/nonexistent';
});
afterAll(() => {
  if (before === undefined) delete process.env['MILLRACE_DATA'];
  else process.env['MILLRACE_DATA'] = before;
});

test('in consistent order flow the queue fill model is never wrong', async () => {
  const { figures, violations } = await fidelityProver.run({ seeds: 2, plant: undefined });
  expect(violations).toBe(0);
  expect(figures).toMatchObject({ rightOutcome: 1, fillTimeErrorMs: 0, filledVolumeError: 0 });
  expect(figures['filled']).toBeGreaterThan(1_000);
  expect(figures['cancelled']).toBeGreaterThan(1_000);
}, 60_000);

test('a model that places orders at the front of the queue is found wrong', async () => {
  const { violations } = await fidelityProver.run({ seeds: 2, plant: 'front-of-queue' });
  expect(violations).toBeGreaterThan(0);
}, 60_000);
