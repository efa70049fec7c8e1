/** The prover of profiles finds what is planted, without its backtests. */
import { expect, test } from 'vitest';
import { profilesProver } from '../../prove/profiles.ts';

test.each(Object.keys(profilesProver.plants))('%s is found', async (plant) => {
  const { violations, figures } = await profilesProver.run({ seeds: undefined, plant });
  expect(violations, JSON.stringify(figures)).toBeGreaterThan(0);
});
