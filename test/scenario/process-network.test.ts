/**
 * A few faults of `npm run prove -- network`, with real processes: a bot, its exchange, and the
 * hostile proxy between them.
 */
import { afterAll, expect, test } from 'vitest';
import { allFaults } from '../prove/network/all-faults.ts';
import { NetworkLane } from '../prove/network/network-lane.ts';
import { endAll } from '../support/process-bot.ts';

const few = ['post reset after it arrived', 'market stream frame lost', 'user stream frame twice'];

afterAll(endAll);

test('a bot trades again after a lost answer, a lost frame and a doubled one', async () => {
  const lane = await NetworkLane.open(1);
  const faults = allFaults.filter(({ name }) => few.includes(name));
  expect(faults).toHaveLength(few.length);
  for (const fault of faults) {
    const { strikes, violations, halt } = await lane.play({ ...fault, lastsMs: 500 });
    expect({ violations, halt }, fault.name).toEqual({ violations: [], halt: undefined });
    expect(strikes, fault.name).toBeGreaterThan(0);
  }
  const { verdict, violations } = await lane.close();
  expect(violations).toEqual([]);
  expect(verdict).toMatchObject({ duplicates: 0, lostFills: 0, inventedFills: 0 });
  expect(verdict.fills).toBeGreaterThan(0);
}, 120_000);

test('every fault has a name of its own', () => {
  const names = allFaults.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(100);
});
