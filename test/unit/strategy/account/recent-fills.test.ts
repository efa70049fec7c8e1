/** The fills that a strategy can look back on: all since the time that it asks for, or an error. */
import { expect, test } from 'vitest';
import { keptFills } from '../../../../src/domain/kept-fills.ts';
import { RecentFills } from '../../../../src/strategy/account/recent-fills.ts';
import { fillOf, startMs } from '../host-fixture.ts';

const hourMs = 3_600_000;

function added(...times: readonly (readonly [atMs: number, sequence: string])[]): RecentFills {
  const fills = new RecentFills();
  for (const [atMs, sequence] of times)
    fills.add(fillOf({ key: sequence, atMs: startMs + atMs }), sequence, startMs + atMs);
  return fills;
}

const keysSince = (fills: RecentFills, sinceMs: number, nowMs = 10_000) =>
  fills.since(startMs + sinceMs, startMs + nowMs).map(({ key }) => key);

test('are those of a time and later, in the order of their trades', () => {
  const fills = added([1, '8'], [5, '9'], [3, '11'], [5, '10'], [5, '7']);
  expect(keysSince(fills, 0)).toEqual(['8', '11', '7', '9', '10']);
  expect(keysSince(fills, 3)).toEqual(['11', '7', '9', '10']);
  expect(keysSince(fills, 4)).toEqual(['7', '9', '10']);
  expect(keysSince(fills, 6)).toEqual([]);
  expect(keysSince(fills, Infinity)).toEqual([]);
  expect(Object.isFrozen(fills.since(startMs, startMs))).toBe(true);
});

test('a time more than a day ago is refused, even if nothing was traded', () => {
  const fills = new RecentFills();
  expect(keysSince(fills, 0, keptFills.ms)).toEqual([]);
  expect(() => keysSince(fills, 0, keptFills.ms + 1)).toThrow(
    /^market.fillsSince: sinceMs must be a time in milliseconds, at most 24 hours ago, was 17/u,
  );
});

test('old ones are forgotten, and those of the last day are all there', () => {
  const fills = new RecentFills();
  // One a minute for three days, of which 1,440 are of the last one.
  for (let minute = 0; minute < 3 * 1_440; minute++)
    fills.add(
      fillOf({ key: `${minute}`, atMs: startMs + minute * 60_000 }),
      `${minute}`,
      startMs + minute * 60_000,
    );
  const nowMs = (3 * 1_440 - 1) * 60_000;
  const keys = keysSince(fills, nowMs - 24 * hourMs, nowMs);
  expect([keys.length, keys[0], keys.at(-1)]).toEqual([1_441, '2879', '4319']);
});

test('of too many only the newest are kept, and asking for more is refused', () => {
  const fills = new RecentFills();
  for (let count = 0; count <= keptFills.max + 5; count++)
    fills.add(fillOf({ key: `${count}`, atMs: startMs + count }), `${count}`, startMs + count);
  const keys = keysSince(fills, 6, 20_000);
  expect([keys.length, keys[0]]).toEqual([keptFills.max, '6']);
  expect(() => keysSince(fills, 5, 20_000)).toThrow(
    `sinceMs must be after ${startMs + 5}, since only the newest 10000 fills are kept, was`,
  );
});

test('one that cannot be shown is missed by name of its time', () => {
  const fills = added([9, '2']);
  fills.lose(startMs + 4);
  expect(keysSince(fills, 5)).toEqual(['2']);
  expect(() => keysSince(fills, 4)).toThrow(RangeError);
});
