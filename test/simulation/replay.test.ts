/** A few sessions of the proof of replay, and a bug that it must find. */
import { expect, test } from 'vitest';
import { replayProver } from '../prove/replay.ts';

test('sessions with faults and crashes replay to the same in another time zone and language', async () => {
  const { figures, violations, notes } = await replayProver.run({ seeds: 4, plant: undefined });
  expect(notes).toEqual([]);
  expect(violations).toBe(0);
  expect(figures).toMatchObject({ sessions: 4, different: 0 });
  expect(figures['events']).toBeGreaterThan(1_000);
}, 60_000);

test('a record that depends on the time zone does not replay', async () => {
  const { violations } = await replayProver.run({ seeds: 3, plant: 'time-zone' });
  expect(violations).toBeGreaterThan(0);
}, 60_000);
