/** The limit of calls in the headers of an answer. */
import { expect, test } from 'vitest';
import { callLimitOf } from '../../../../../src/venues/luno/client/reply-headers.ts';

const headers = (limit: string, remaining: string) => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
});

test('a limit for a window of a minute is read, and what is left of it', () => {
  expect(callLimitOf(headers('300, 300;w=60', '299'))).toEqual({ perMinute: 300, remaining: 299 });
  expect(callLimitOf(headers('300,300;w=60', '0'))).toEqual({ perMinute: 300, remaining: 0 });
});

test.each([
  ['another window', '5000, 5000;w=1', '4999'],
  ['two limits', '300, 400;w=60', '299'],
  ['no window', '300', '299'],
  ['a limit of zero', '0, 0;w=60', '0'],
  ['more left than there is', '300, 300;w=60', '301'],
  ['a negative rest', '300, 300;w=60', '-1'],
  ['a rest that is no number', '300, 300;w=60', 'many'],
  ['an endless number', `${'9'.repeat(40)}, ${'9'.repeat(40)};w=60`, '1'],
])('%s reports nothing', (_name, limit, remaining) => {
  expect(callLimitOf(headers(limit, remaining))).toBeUndefined();
});

test('without headers there is no report', () => {
  expect(callLimitOf({})).toBeUndefined();
});
