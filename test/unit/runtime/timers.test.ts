/** Timers in virtual time: vitest replaces the process's timers and `performance`. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTimers } from '../../../src/runtime/timers.ts';

const dayMs = 86_400_000;
const timers = createTimers();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a callback comes once, when it is due', () => {
  const called = vi.fn();
  timers.after(100, called);
  vi.advanceTimersByTime(99);
  expect(called).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(called).toHaveBeenCalledOnce();
});

test('a delay beyond 32 bits of milliseconds is kept, and can be cancelled', () => {
  const called = vi.fn();
  const cancelled = vi.fn();
  timers.after(60 * dayMs, called);
  const cancel = timers.after(60 * dayMs, cancelled);
  vi.advanceTimersByTime(60 * dayMs - 1);
  expect(called).not.toHaveBeenCalled();
  cancel();
  vi.advanceTimersByTime(1);
  expect(called).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60 * dayMs);
  expect(cancelled).not.toHaveBeenCalled();
});

test('a repetition does not drift until it is cancelled, also by its own callback', () => {
  const atMs: number[] = [];
  const startMs = performance.now();
  const cancel = timers.every(250, () => {
    atMs.push(performance.now() - startMs);
    if (atMs.length === 3) cancel();
  });
  vi.advanceTimersByTime(5_000);
  expect(atMs).toEqual([250, 500, 750]);
});

test('a callback that throws does not end the repetition', () => {
  let calls = 0;
  const cancel = timers.every(10, () => {
    calls++;
    if (calls === 1) throw new Error('planted');
  });
  expect(() => vi.advanceTimersByTime(10)).toThrow('planted');
  vi.advanceTimersByTime(20);
  expect(calls).toBe(3);
  cancel();
});

test('soon comes before a timer and can be cancelled', () => {
  const order: string[] = [];
  timers.after(1, () => order.push('after'));
  timers.soon(() => order.push('soon'));
  timers.soon(() => order.push('never'))();
  vi.advanceTimersByTime(1);
  expect(order).toEqual(['soon', 'after']);
});

test.each([-1, Number.NaN])('a delay of %d is refused', (delayMs) => {
  expect(() => timers.after(delayMs, () => {})).toThrow(RangeError);
  expect(() => timers.every(delayMs, () => {})).toThrow(RangeError);
});
