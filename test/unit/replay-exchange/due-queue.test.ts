/** The queue of due items: first in, first out, however it grows and wraps around. */
import { expect, test } from 'vitest';
import { DueQueue } from '../../../src/replay-exchange/port/due-queue.ts';

test('items leave in the order they entered, even if the ring grows while wrapped around', () => {
  const queue = new DueQueue<string>();
  const taken: string[] = [];
  let put = 0;
  for (let round = 0; round < 60; round++) {
    for (let i = 0; i < 7; i++, put++) queue.push(put * 10.5, `item ${put}`);
    for (let i = 0; i < 4; i++) {
      expect(queue.dueMicros).toBe(taken.length * 10.5);
      taken.push(queue.shift());
    }
  }
  while (queue.dueMicros < Infinity) taken.push(queue.shift());
  expect(taken).toEqual(Array.from({ length: put }, (_, i) => `item ${i}`));
});

test('an empty queue is never due and returns no item', () => {
  const queue = new DueQueue<number>();
  expect(queue.dueMicros).toBe(Infinity);
  expect(() => queue.shift()).toThrow('queue must not be empty');
});

test('an item due before the last one is refused, equal times are allowed', () => {
  const queue = new DueQueue<number>();
  queue.push(5, 1);
  queue.push(5, 2);
  expect(() => queue.push(4, 3)).toThrow('due time must be at least 5, was 4');
  expect([queue.shift(), queue.shift()]).toEqual([1, 2]);
  queue.push(4, 3);
  expect(queue.shift()).toBe(3);
});
