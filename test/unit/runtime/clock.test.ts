/** The clock, with readings that the test sets. */
import { expect, test } from 'vitest';
import { createClock } from '../../../src/runtime/clock.ts';

function clockAt(wallMs: number) {
  const source = { wall: wallMs, monotonic: 50 };
  const clock = createClock({
    wallMs: () => source.wall,
    monotonicMs: () => source.monotonic,
  });
  return { source, clock };
}

test('wall time is in integer microseconds and advances with the monotonic clock', () => {
  const { source, clock } = clockAt(1_700_000_000_000);
  expect(clock.nowMicros()).toBe(1_700_000_000_000_000);
  source.monotonic += 1.2345;
  expect(clock.nowMicros()).toBe(1_700_000_000_001_234);
  expect(clock.monotonicMicros()).toBe(51_234);
});

test('a system clock set back does not change our clock and shows as drift', () => {
  const { source, clock } = clockAt(1_700_000_000_000);
  source.monotonic += 10;
  source.wall -= 5_000;
  expect(clock.nowMicros()).toBe(1_700_000_000_010_000);
  expect(clock.driftMs()).toBe(-5_010);
  expect(clock.catchUp()).toBe(0);
  expect(clock.nowMicros()).toBe(1_700_000_000_010_000);
});

test('after a sleep of the machine, catchUp moves our clock forward', () => {
  const { source, clock } = clockAt(1_700_000_000_000);
  source.wall += 60_000;
  expect(clock.driftMs()).toBe(60_000);
  expect(clock.catchUp()).toBe(60_000_000);
  expect(clock.nowMicros()).toBe(1_700_000_060_000_000);
  expect(clock.driftMs()).toBe(0);
});

test('a process that is delayed between its first two readings reads again', () => {
  const heldMs = [331, 40, 0];
  let monotonic = 50;
  const clock = createClock({
    monotonicMs: () => monotonic,
    wallMs: () => {
      const wall = 1_700_000_000_000 + monotonic;
      monotonic += heldMs.shift() ?? 0;
      return wall;
    },
  });
  expect(clock.nowMicros()).toBe((1_700_000_000_000 + monotonic) * 1_000);
});

test('the real clock gives safe integers and never goes backwards', () => {
  const clock = createClock();
  let before = clock.nowMicros();
  for (let i = 0; i < 10_000; i++) {
    const after = clock.nowMicros();
    if (!Number.isSafeInteger(after) || after < before) expect.fail(`${after} after ${before}`);
    before = after;
  }
  expect(Math.abs(clock.driftMs())).toBeLessThan(1_000);
});
