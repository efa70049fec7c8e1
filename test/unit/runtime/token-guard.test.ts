/** Wrong tokens are counted, reported and limited. */
import { expect, test } from 'vitest';
import { TokenGuard } from '../../../src/runtime/token-guard.ts';

function begin() {
  const warnings: string[] = [];
  const time = { nowMs: 1_000 };
  const guard = new TokenGuard({
    what: 'the page',
    isRight: (token) => token === 'right',
    nowMs: () => time.nowMs,
    warn: (text) => warnings.push(text),
  });
  const judge = (count: number, token?: string) =>
    Array.from({ length: count }, () => guard.judge(token));
  return { warnings, time, judge };
}

test('after ten wrong tokens further ones are too many until the minute is over', () => {
  const { warnings, time, judge } = begin();
  expect(judge(10, 'wrong')).toEqual(Array(10).fill('wrong'));
  expect(judge(200, 'wrong')).toEqual(Array(200).fill('too-many'));
  expect(warnings).toEqual([
    expect.stringContaining('a wrong token'),
    expect.stringContaining('answered 429'),
  ]);
  time.nowMs += 60_000;
  expect(judge(1, 'wrong')).toEqual(['wrong']);
  expect(warnings).toHaveLength(3);
});

test('the right token is always accepted', () => {
  const { judge } = begin();
  judge(50, 'wrong');
  expect(judge(1, 'right')).toEqual(['right']);
});

test('a request without a token has its own warning', () => {
  const { warnings, judge } = begin();
  expect(judge(1)).toEqual(['wrong']);
  expect(warnings).toEqual([expect.stringContaining('had no token')]);
});
