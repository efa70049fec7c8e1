/** Times, durations and the labels of axes. */
import { expect, test } from 'vitest';
import { timeLabels, valueLabels } from '../../../src/page/chart/chart-axes.ts';
import { countBefore, indexAt } from '../../../src/page/chart/chart-series.ts';
import {
  dateTimeText,
  durationText,
  exactTimeText,
  spanText,
} from '../../../src/page/format/times.ts';

const noon = Date.UTC(2026, 10, 28, 12, 0, 0, 7);

test('instants are in UTC', () => {
  expect(dateTimeText(noon)).toBe('2026-11-28 12:00:00');
  expect(exactTimeText(noon)).toBe('2026-11-28 12:00:00.007 UTC');
  expect(exactTimeText(Number.NaN)).toContain('no such time');
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [0.25, '250 ms'],
  [2.638, '2.6 s'],
  [-2.638, '\u22122.6 s'],
  [10.4, '10 s'],
  [72.1, '1 min 12 s'],
])('a span of %d s is %s', (seconds, text) => {
  expect(spanText(seconds)).toBe(text);
});

test('a time axis has the date at its first label and at each new day', () => {
  const hour = 3_600_000;
  const start = Date.UTC(2026, 10, 28, 22);
  expect(timeLabels([start, start + hour, start + 2 * hour], hour)).toEqual([
    '22:00\n2026-11-28',
    '23:00',
    '00:00\n2026-11-29',
  ]);
  expect(timeLabels([start], 24 * hour)).toEqual(['2026-11-28']);
  expect(timeLabels([noon], 1)).toEqual(['12:00:00.007\n2026-11-28']);
});

test('a value axis has the decimals of its steps', () => {
  expect(valueLabels([0.001, 0.0015, 0.002])).toEqual(['0.001', '0.0015', '0.002']);
  expect(valueLabels([1_500_000, 1_500_010])).toEqual(['1,500,000', '1,500,010']);
  expect(valueLabels([1_240_000, 1_245_000])).toEqual(['1,240,000', '1,245,000']);
  expect(valueLabels([-2_000_000, 0, 2_000_000])).toEqual(['−2M', '0', '2M']);
});

test('the index at a moment is that of the last point which is not after it', () => {
  const times = [10, 20, 20, 30];
  expect([9, 10, 20, 29, 99].map((ms) => indexAt(times, ms))).toEqual([-1, 0, 2, 2, 3]);
  expect(countBefore(0, () => true)).toBe(0);
});
