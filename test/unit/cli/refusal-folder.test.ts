/** Refusals of a bot that runs: the first of a kind in a minute, then how many more came. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/domain/notice.ts';
import { RefusalFolder } from '../../../src/terminal/refusal-folder.ts';

function begin() {
  const lines: string[] = [];
  const folder = new RefusalFolder({
    notice: ({ text }) => void lines.push(text),
    line: (text) => void lines.push(text),
  });
  return { lines, folder };
}

const refusal = (price: number, check = 'COLLAR'): Notice => {
  return {
    level: 'warn',
    topic: 'refusal',
    text: `mm bid refused: ${check} (${price}, allowed 2)`,
  };
};

test('a flood is three lines and one that counts the rest', () => {
  const { lines, folder } = begin();
  for (let i = 0; i < 500; i++) folder.note(refusal(i), i * 100);
  expect(lines).toHaveLength(3);
  folder.flush(60_000);
  expect(lines.slice(3)).toEqual([
    '! 497 more such, the last: mm bid refused: COLLAR (499, allowed 2)',
  ]);
});

test('another kind, and the next minute, are shown again', () => {
  const { lines, folder } = begin();
  for (let i = 0; i < 10; i++) folder.note(refusal(i), 0);
  folder.note(refusal(1, 'ORDER_SIZE'), 1_000);
  folder.note(refusal(1), 60_000);
  expect(lines).toHaveLength(6);
  folder.end();
  expect(lines).toHaveLength(6);
});

test('what is no refusal is never folded', () => {
  const { lines, folder } = begin();
  const fill: Notice = { level: 'info', topic: 'fill', text: 'mm bought 1' };
  for (let i = 0; i < 20; i++) folder.note(fill, i);
  expect(lines).toHaveLength(20);
});
