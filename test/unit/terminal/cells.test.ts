/** Text in the cells of a terminal. */
import { describe, expect, test } from 'vitest';
import { cellsOf, cut, padded, printable, wrapped } from '../../../src/terminal/view/cells.ts';

test.each([
  ['plain', 5],
  ['', 0],
  ['你好', 4],
  ['한글', 4],
  ['カタ', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['ก\u0e33', 2],
  ['😀', 2],
] as const)('%s takes %d cells', (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

test('what could move the cursor, stack up or is half a character becomes harmless', () => {
  expect(printable('a\u001b[2J\r\n\t\u202e\u200db')).toBe('a?[2J?????b');
  expect(printable(`e${'\u0301'.repeat(40)}!`)).toBe('e\u0301\u0301!');
  expect(printable('\ud83d')).toBe('\ufffd');
});

describe('a text is cut to cells', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['你好吗', 6, '你好吗'],
    ['你好吗', 5, '你好…'],
    ['你好吗', 4, '你…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['any', 1, '…'],
    ['any', 0, ''],
  ] as const)('%s to %d', (text, cells, expected) => {
    expect(cut(text, cells)).toBe(expected);
    expect(cellsOf(padded(text, cells))).toBe(cells);
    expect(cellsOf(padded(text, cells, 'right'))).toBe(cells);
  });
});

test('a text is broken between words, a long word inside, and nothing is lost', () => {
  expect(wrapped('a bot that stops', 6)).toEqual(['a bot', 'that', 'stops']);
  expect(wrapped('an identifier', 6)).toEqual(['an', 'identi', 'fier']);
  expect(wrapped('你好你好你好', 5)).toEqual(['你好', '你好', '你好']);
  expect(wrapped('', 5)).toEqual(['']);
});
