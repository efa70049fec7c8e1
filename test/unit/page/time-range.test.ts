/** How zooming and panning change the range of a chart. */
import { expect, test } from 'vitest';
import { inside, panned, zoomed } from '../../../src/page/chart/time-range.ts';

const full = { fromMs: 0, toMs: 10_000 };

test('a zoom keeps the moment under the pointer in its place', () => {
  expect(zoomed(full, 0.5, 2_000, full)).toEqual({ fromMs: 1_000, toMs: 6_000 });
});

test('a zoom out ends at everything, and a zoom in at the smallest range', () => {
  expect(zoomed({ fromMs: 4_000, toMs: 6_000 }, 100, 5_000, full)).toEqual(full);
  const { fromMs, toMs } = zoomed(full, 1e-9, 5_000, full);
  expect(toMs - fromMs).toBeCloseTo(50);
});

test('a pan keeps the length and stays inside', () => {
  const range = { fromMs: 1_000, toMs: 3_000 };
  expect(panned(range, 0.5, full)).toEqual({ fromMs: 2_000, toMs: 4_000 });
  expect(panned(range, -9, full)).toEqual({ fromMs: 0, toMs: 2_000 });
  expect(panned(range, 9, full)).toEqual({ fromMs: 8_000, toMs: 10_000 });
});

test('a range that is longer than everything becomes everything', () => {
  expect(inside({ fromMs: -5_000, toMs: 20_000 }, full)).toEqual(full);
});
