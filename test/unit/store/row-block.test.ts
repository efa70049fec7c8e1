/** Rows that are encoded in columns and decoded again are what JSON would have made of them. */
import { expect, test } from 'vitest';
import { decodeRows, encodeRows } from '../../../src/store/row-block.ts';

type Row = Readonly<Record<string, string | number | boolean | undefined>>;

const rowLists: readonly (readonly [string, readonly Row[]])[] = [
  ['one row', [{ id: 7, name: 'a', price: '1.50', isMaker: false, level: undefined }]],
  [
    'whole numbers, near and far apart',
    [{ at: 1_700_000_000_000 }, { at: -5 }, { at: Number.MAX_SAFE_INTEGER }],
  ],
  ['fractions', [{ at: 1.5 }, { at: 2 }, { at: 0.1 }]],
  ['a fraction after whole numbers', [{ at: 1 }, { at: 2 }, { at: 2.5 }]],
  ['numbers that are missing later', [{ at: 1 }, { at: undefined }, { at: 3 }]],
  ['numbers that are missing first', [{ at: undefined }, { at: 2 }]],
  [
    'texts, some equal',
    [
      { key: 'x', same: '1' },
      { key: 'é "y"', same: '1' },
    ],
  ],
  ['a number and a text that look alike', [{ value: 1 }, { value: '1' }]],
];

test.each(rowLists)('%s', (_, rows) => {
  const decoded = decodeRows(encodeRows(rows));
  expect(JSON.stringify(decoded)).toBe(JSON.stringify(rows));
});
