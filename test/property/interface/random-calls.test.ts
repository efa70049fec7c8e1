/**
 * Random calls of every operation: never a failure that nobody asked for, never a hang, refusals
 * change nothing, money is conserved, ledgers are dense, and a replay of the commands ends alike.
 */
import { expect, test } from 'vitest';
import { runRandomCalls } from '../../support/random-interface.ts';

const seeds =
  process.env['SEED'] === undefined
    ? [101, 102, 103, 104, 105, 106]
    : [Number.parseInt(process.env['SEED'], 10)];

test.each(seeds)('nothing breaks a promise, seed %i', async (seed) => {
  const outcome = await runRandomCalls({ calls: 1500, seed });
  expect(outcome.faults).toEqual([]);
  expect(outcome.successes.size).toBeGreaterThan(40);
  expect(outcome.codes.size).toBeGreaterThan(40);
});
