/** Wrong tokens of the control interface are counted, told of and limited; a right one passes. */
import { expect, test } from 'vitest';
import { TokenGuard } from '../../../src/simulator/server/token-guard.ts';

function begin() {
  const told: string[] = [];
  const time = { nowMs: 1_000 };
  const guard = new TokenGuard({
    isRight: (authorization) => authorization === 'right',
    nowMs: () => time.nowMs,
    tell: (text) => told.push(text),
  });
  const judge = (count: number, token?: string) =>
    Array.from({ length: count }, () => guard.judge(token));
  return { told, time, judge };
}

test('ten wrong ones a minute are answered, then none is looked at until the minute is over', () => {
  const { told, time, judge } = begin();
  expect(judge(10, 'wrong')).toEqual(Array(10).fill('wrong'));
  expect(judge(200, 'wrong')).toEqual(Array(200).fill('too-many'));
  expect(told).toEqual([
    expect.stringContaining('a wrong token'),
    expect.stringContaining('answered 429'),
  ]);
  time.nowMs += 60_000;
  expect(judge(1, 'wrong')).toEqual(['wrong']);
  expect(told).toHaveLength(3);
});

test('a right one is let through at any time', () => {
  const { judge } = begin();
  judge(50, 'wrong');
  expect(judge(1, 'right')).toEqual(['right']);
});

test('a request without a token is told apart', () => {
  const { told, judge } = begin();
  expect(judge(1)).toEqual(['wrong']);
  expect(told).toEqual([expect.stringContaining('had no token')]);
});
