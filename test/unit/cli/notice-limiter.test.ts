/** Repeated refusals of a running bot: the first of each kind in a minute, then a count. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/domain/notice.ts';
import { botNoticeLimits, NoticeLimiter } from '../../../src/terminal/notice-limiter.ts';

function start() {
  const lines: string[] = [];
  const limiter = new NoticeLimiter(
    {
      notice: ({ text }) => void lines.push(text),
      line: (text) => void lines.push(text),
    },
    botNoticeLimits,
  );
  return { lines, limiter };
}

const refusal = (price: number, check = 'COLLAR'): Notice => {
  return {
    level: 'warn',
    topic: 'refusal',
    text: `mm bid refused: ${check} (${price}, allowed 2)`,
  };
};

test('500 refusals print three lines and one with the count of the others', () => {
  const { lines, limiter } = start();
  for (let i = 0; i < 500; i++) limiter.note(refusal(i), i * 100);
  expect(lines).toHaveLength(3);
  limiter.flush(60_000);
  expect(lines.slice(3)).toEqual([
    '! 497 more like this; the last one: mm bid refused: COLLAR (499, allowed 2)',
  ]);
});

test('refusals that differ in their approval token are of one kind', () => {
  const { lines, limiter } = start();
  for (const token of [
    'a2a66ed751daa055',
    'c483434477f36005',
    '0123456789abcdef',
    'ffffffffffffffff',
  ])
    limiter.note({ ...refusal(1), text: `mm bid refused: APPROVAL (${token})` }, 0);
  expect(lines).toHaveLength(3);
});

test('refusals of another kind, or in the next minute, are printed again', () => {
  const { lines, limiter } = start();
  for (let i = 0; i < 10; i++) limiter.note(refusal(i), 0);
  limiter.note(refusal(1, 'ORDER_SIZE'), 1_000);
  limiter.note(refusal(1), 60_000);
  expect(lines).toHaveLength(6);
  limiter.end();
  expect(lines).toHaveLength(6);
});

test('notices other than refusals are always printed', () => {
  const { lines, limiter } = start();
  const fill: Notice = { level: 'info', topic: 'fill', text: 'mm bought 1' };
  for (let i = 0; i < 20; i++) limiter.note(fill, i);
  expect(lines).toHaveLength(20);
});
