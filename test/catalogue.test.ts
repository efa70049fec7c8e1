/** Every row of the failure catalogue has a test whose title begins with its id. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const rowsPerGroup = { A: 33, C: 11, RD: 30, M: 16, U: 11, K: 6, S: 15, G: 20 };

const listed = [
  ...readFileSync(join(root, 'docs/internals/failure-catalogue.md'), 'utf8').matchAll(
    /^\| ([A-Z]+\d+) \|/gmu,
  ),
].map(([, id]) => id as string);

/**
 * Ids that titles begin with, `'A2: …'` or `'A3, A4: …'`. A title is the first argument of a test,
 * or the first cell of a row in a table of tests whose titles begin with it.
 */
const tested = new Set(
  readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(root, 'test', file), 'utf8').matchAll(
        /(?:\(|\[|^)\s*['"`]((?:[A-Z]+\d+(?:, )?)+): /gmu,
      ),
    ])
    .flatMap(([, ids]) => (ids as string).split(', '))
    // Invariants and promises have ids of their own.
    .filter((id) => id.replace(/\d+$/u, '') in rowsPerGroup),
);

test('the catalogue has every row, once', () => {
  const wanted = Object.entries(rowsPerGroup).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, index) => `${group}${index + 1}`),
  );
  expect([...listed].sort()).toEqual(wanted.sort());
});

test('every row has a test of its name', () => {
  expect(listed.filter((id) => !tested.has(id))).toEqual([]);
});

test('no test names a row that is not there', () => {
  expect([...tested].filter((id) => !listed.includes(id))).toEqual([]);
});
