/** The times of a reader's cycle compared with a list written out by hand. */
import { describe, expect, test } from 'vitest';
import { CycleTimes } from '../../../src/execution/requests/read-cycle.ts';

const cycle = { idleMs: 10, debounceMs: 2, calls: 3, spacingMs: 5 };

/** When calls are sent, in microseconds: at 12, 14 and 16 ms of each cycle of 23 ms. */
const sent = [0, 1, 2, 3].flatMap((round) => [12, 14, 16].map((ms) => (round * 23 + ms) * 1_000));

describe('a cycle of 10 ms, 2 ms, three calls of 2 ms each, and 5 ms', () => {
  const times = new CycleTimes(cycle, 2_000);

  test('makes its calls between the waits', () => {
    expect([times.readMicros, times.readEndMicros, times.endMicros]).toEqual([
      12_000, 18_000, 23_000,
    ]);
  });

  test.each([
    [0, 0],
    [12_000, 0],
    [12_001, 1],
    [13_999, 1],
    [14_000, 2],
    [17_999, 3],
    [18_000, 3],
    [22_999, 3],
  ])('before %d µs has sent %d calls', (atMicros, calls) => {
    expect(times.callsSent(atMicros)).toBe(calls);
  });

  test('repeats: the calls between any two times are those of the list', () => {
    for (let from = -3_000; from < 60_000; from += 1_700)
      for (let until = Math.max(0, from) + 1; until < 80_000; until += 2_300)
        expect(times.callsBetween(from, until)).toEqual(
          sent.filter((micros) => micros > from && micros < until),
        );
  });
});

test('calls that are answered at once are sent together', () => {
  const times = new CycleTimes(cycle, 0);
  expect([times.callsSent(12_000), times.callsSent(12_001)]).toEqual([0, 3]);
  expect(times.callsBetween(0, 20_000)).toEqual([12_000, 12_000, 12_000]);
});
