/** The table of values by text, compared with a Map. */
import { expect, test } from 'vitest';
import { TextTable } from '../../../src/domain/text-table.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

test('answers like a Map, whatever is set, deleted and cleared', () => {
  const random = new SeededRandom(3);
  const table = new TextTable<{ readonly step: number }>();
  const map = new Map<string, { readonly step: number }>();
  for (let step = 0; step < 10_000; step++) {
    // The number of keys grows and shrinks, so runs of taken places form and are cut.
    const keys = step % 4_000 < 2_000 ? 2_000 : 60;
    const key = `order-${random.integer(0, keys)}`;
    if (step % 3_500 === 3_499) {
      table.clear();
      map.clear();
    }
    if (random.integer(0, 2) > 0) {
      table.set(key, { step });
      map.set(key, { step });
    } else expect(table.delete(key)).toBe(map.delete(key));
    expect(table.size).toBe(map.size);
    const other = `order-${random.integer(0, keys)}`;
    expect(table.get(other)).toEqual(map.get(other));
    expect(table.has(other)).toBe(map.has(other));
  }
  for (const [key, value] of map) expect(table.get(key)).toEqual(value);
  expect(new Set(table.values())).toEqual(new Set(map.values()));
});

test('an empty text is a key like any other', () => {
  const table = new TextTable<object>();
  expect(table.has('')).toBe(false);
  const value = {};
  table.set('', value);
  expect(table.get('')).toBe(value);
  expect(table.delete('')).toBe(true);
  expect(table.size).toBe(0);
});

test('a key with another value than the given one stays', () => {
  const table = new TextTable<object>();
  const [value, other] = [{}, {}];
  table.set('a', value);
  expect(table.delete('a', other)).toBe(false);
  expect(table.delete('b', value)).toBe(false);
  expect(table.get('a')).toBe(value);
  expect(table.delete('a', value)).toBe(true);
  expect(table.size).toBe(0);
});
