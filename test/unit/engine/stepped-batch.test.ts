/** How long the driver holds back a batch that nobody waits for. */
import { expect, test } from 'vitest';
import { holdMs } from '../../../src/engine/stepped-batch.ts';
import { record, setUp, tick } from './driver-fixture.ts';

test('a batch is held once, with all that follows, and shares one commit', () => {
  const { driver, turn, run, holds, commits } = setUp(() => ({
    records: [record('a')],
    effects: [],
  }));
  for (const name of ['one', 'two', 'three']) {
    driver.accept(tick(name));
    turn();
  }
  expect(holds.map(({ delayMs }) => delayMs)).toEqual([holdMs]);
  expect(commits).toEqual([]);
  run();
  expect(commits.map((records) => records.length)).toEqual([3]);
});
