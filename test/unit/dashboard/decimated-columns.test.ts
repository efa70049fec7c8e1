/** Decimated columns keep the extremes of a long series, and all of a short one. */
import { expect, test } from 'vitest';
import { DecimatedColumns } from '../../../src/dashboard/history/decimated-columns.ts';

test('a short series is kept exactly', () => {
  const columns = new DecimatedColumns(0, 1_000, 20);
  const values = [5, 3, 8, 1];
  for (const [index, value] of values.entries()) columns.add(index * 250, [value]);
  expect(columns.read(1)).toEqual({ timesMs: [0, 250, 500, 750], columns: [values] });
});

test('two values in one stretch keep their order', () => {
  const columns = new DecimatedColumns(0, 1_000, 2);
  columns.add(100, [9]);
  columns.add(200, [4]);
  expect(columns.read(1)).toEqual({ timesMs: [100, 200], columns: [[9, 4]] });
});

test('of a long series each stretch keeps its lowest and highest value', () => {
  const columns = new DecimatedColumns(0, 100_000, 100);
  for (let at = 0; at < 100_000; at++) {
    const spike = at === 40_321 ? 500 : at === 70_123 ? -500 : 0;
    columns.add(at, [Math.sin(at / 10_000) + spike, at % 2 === 0 ? at : undefined]);
  }
  const {
    timesMs,
    columns: [wave = [], even = []],
  } = columns.read(2);
  expect(timesMs.length).toBeLessThanOrEqual(101);
  expect(wave).toHaveLength(timesMs.length);
  expect(Math.max(...wave.map((value) => value ?? 0))).toBeGreaterThan(499);
  expect(Math.min(...wave.map((value) => value ?? 0))).toBeLessThan(-499);
  expect(timesMs).toEqual([...timesMs].sort((a, b) => a - b));
  expect(even.every((value, index) => index === 0 || (value ?? 0) > (even[index - 1] ?? 0))).toBe(
    true,
  );
});

test('the last point has the newest values', () => {
  const columns = new DecimatedColumns(0, 1_000, 2);
  for (const [index, value] of [5, 1, 9, 4].entries()) columns.add(index * 100, [value]);
  expect(columns.read(1).columns).toEqual([[1, 9, 4]]);
});

test('a column without values in a stretch has null there, and no number is drawn as not a number', () => {
  const columns = new DecimatedColumns(0, 1_000, 2);
  columns.add(100, [1, undefined, Number.NaN]);
  expect(columns.read(3).columns).toEqual([[1], [null], [null]]);
});
