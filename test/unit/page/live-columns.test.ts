/** The columns of the charts between and after the points that the server has. */
import { expect, test } from 'vitest';
import {
  addTail,
  type Columns,
  emptyColumns,
  heldColumns,
} from '../../../src/page/live/live-columns.ts';

const minute = 60_000;

/** Columns with these bids and positions; everything else is not known. */
function columnsOf(
  timesMs: number[],
  bid: (number | null)[],
  position: (number | null)[],
): Columns {
  const unknown = Object.keys(emptyColumns).map((name) => [name, timesMs.map(() => null)]);
  return { ...(Object.fromEntries(unknown) as Columns), timesMs, bid, position };
}

test('a value holds until the next one', () => {
  const columns = columnsOf([0, 1_000, 2_000], [9, null, 7], [null, 1, null]);
  expect(heldColumns(columns)).toMatchObject({ bid: [9, 9, 7], position: [null, 1, 1] });
});

test('a price does not hold over a time in which nothing was recorded, a position does', () => {
  const times = [0, minute, 20 * minute, 21 * minute, 22 * minute];
  const hours = Array.from({ length: 400 }, (_, index) => (30 + index) * minute);
  const some = hours.map(() => 8);
  const columns = columnsOf(
    [...times, ...hours],
    [9, null, null, 8, null, ...some],
    [1, null, null, null, null, ...some],
  );
  const held = heldColumns(columns);
  expect(held.bid.slice(0, 5)).toEqual([9, 9, null, 8, 8]);
  expect(held.position.slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
});

test('what the status says joins only after the last point', () => {
  const columns = columnsOf([1_000, 2_000], [9, 9], [0, 0]);
  const point = Object.fromEntries(
    Object.keys(emptyColumns).map((name) => [name, 5]),
  ) as unknown as Omit<Parameters<typeof addTail>[1][number], 'atMs'>;
  const joined = addTail(columns, [
    { ...point, atMs: 2_000 },
    { ...point, atMs: 3_000 },
  ]);
  expect(joined).toMatchObject({ timesMs: [1_000, 2_000, 3_000], bid: [9, 9, 5] });
});
