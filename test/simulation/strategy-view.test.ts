/** What strategies see and may do, two seeds of each scenario of `prove -- recovery`. */
import { describe, expect, test } from 'vitest';
import { badIntent } from '../prove/recovery/bad-intent.ts';
import { beforeReady } from '../prove/recovery/before-ready.ts';
import { doublingPattern } from '../prove/recovery/doubling-pattern.ts';
import { exitUnderLoss } from '../prove/recovery/exit-under-loss.ts';
import { reusedKey } from '../prove/recovery/reused-key.ts';

describe.each([
  ['G16: a limit of losses is reached while a position is held', exitUnderLoss],
  ['G17: several streams emit in one event, and a strategy asks at each', doublingPattern],
  ['G18: nothing can be judged yet when the bot starts', beforeReady],
  ['G19: the key of an order was used in an earlier run', reusedKey],
  ['G20: an intent is none, or the strategy fails on a fill', badIntent],
])('%s', (_title, { play, plants }) => {
  test('goes as promised', async () => {
    expect(await play(1, undefined)).toEqual([]);
    expect(await play(2, undefined)).toEqual([]);
  });

  test.each(Object.keys(plants))('%s is found', async (plant) => {
    expect(await play(1, plant)).not.toEqual([]);
  });
});
