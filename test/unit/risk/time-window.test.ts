/** A window counts as a plain list of times does, however often its room is used again. */
import { expect, test } from 'vitest';
import { TimeWindow } from '../../../src/risk/time-window.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';

const keptMs = 1_000;

test('counts and newest times equal those of a list, in any order of arrival', () => {
  const random = createSeededRandom(1);
  const window = new TimeWindow(keptMs);
  let times: number[] = [];
  let nowMs = 10_000;
  for (let round = 0; round < 5_000; round++) {
    nowMs += Math.floor(random.next() * (round % 1_000 < 500 ? 5 : 200));
    const lateMs = random.next() < 0.1 ? Math.floor(random.next() * 300) : 0;
    window.add(nowMs - lateMs);
    times = [...times, nowMs - lateMs]
      .sort((a, b) => a - b)
      .filter((at) => at > nowMs - 4 * keptMs);
    if (round === 2_500) {
      window.clear();
      times = [];
    }
    for (const withinMs of [100, keptMs]) {
      const expected = times.filter((at) => at > nowMs - withinMs).length;
      expect(window.count(nowMs, withinMs)).toBe(expected);
      expect(window.hasAtLeast(expected, nowMs, withinMs)).toBe(true);
      expect(window.hasAtLeast(expected + 1, nowMs, withinMs)).toBe(false);
      if (expected > 0) expect(window.fewerThanAtMs(expected, withinMs)).toBeGreaterThan(nowMs);
    }
    const recent = times.filter((at) => at > nowMs - keptMs);
    expect(window.newest(recent.length)).toEqual(recent);
  }
});
