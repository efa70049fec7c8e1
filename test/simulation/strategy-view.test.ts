/** What strategies see and may do, a seed of each scenario of `prove -- recovery`. */
import { describe, expect, test } from 'vitest';
import { strategyViewScenarios } from '../prove/recovery/strategy-view.ts';

describe.each(strategyViewScenarios)('$name', ({ play, plants }) => {
  test('goes as promised', async () => {
    expect(await play(1, undefined)).toEqual([]);
    expect(await play(2, undefined)).toEqual([]);
  });

  test.each(Object.keys(plants))('%s is found', async (plant) => {
    expect(await play(1, plant)).not.toEqual([]);
  });
});
