/** How long the driver holds back a batch that nobody waits for. */
import { describe, expect, test } from 'vitest';
import { holdMsAfter } from '../../../src/engine/stepped-batch.ts';
import { record, setUp, tick } from './driver-fixture.ts';

describe('the hold of a batch', () => {
  test('is 10 to 50 ms, and longer after a slower commit', () => {
    const commitsMs = [0, 0.3, 0.4, 0.9, 1.6, 70_000];
    expect(commitsMs.map(holdMsAfter)).toEqual([10, 10, 20, 30, 50, 50]);
  });

  test('follows the last commit', () => {
    const tookMicros = [900, 1_600, 100];
    const { driver, turn, run, holds } = setUp(
      () => ({ records: [record('a')], effects: [] }),
      (world) => {
        world.nowMicros += tookMicros.shift() ?? 0;
      },
    );
    const held: (number | undefined)[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      driver.accept(tick(name));
      turn();
      held.push(holds[0]?.delayMs);
      run();
    }
    expect(held).toEqual([10, 30, 50, 10]);
  });
});
