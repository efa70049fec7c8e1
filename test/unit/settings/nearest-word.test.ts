/** "Did you mean" suggests the nearest word, or nothing if all words are too different. */
import { expect, test } from 'vitest';
import { editDistance, nearestWord } from '../../../src/settings/nearest-word.ts';

const words = ['plugin', 'pairs', 'parameters', 'onRestart', 'onStop'];

test.each([
  ['plugni', 'plugin'],
  ['Plugin', 'plugin'],
  ['on_restart', 'onRestart'],
  ['on-stop', 'onStop'],
  ['parmeters', 'parameters'],
  ['pair', 'pairs'],
  ['zzzzzz', undefined],
  ['x'.repeat(100), undefined],
])('%j means %s', (word, meant) => {
  expect(nearestWord(word, words)).toBe(meant);
});

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['kitten', 'sitting', 3],
  ['ab', 'xaby', 2],
])('from %j to %j takes %i edits, in both directions', (from, to, edits) => {
  expect(editDistance(from, to)).toBe(edits);
  expect(editDistance(to, from)).toBe(edits);
});
