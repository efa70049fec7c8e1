/** The queue of what is due: first in, first out, however it grows and wraps around. */
import { expect, test } from 'vitest';
import { DueQueue } from '../../../src/replay-exchange/port/due-queue.ts';

test('items come out as they went in, also when the ring grows while it is wrapped around', () => {
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

test('an empty queue is never due and gives nothing', () => {
  const queue = new DueQueue<number>();
  expect(queue.dueMicros).toBe(Infinity);
  expect(() => queue.shift()).toThrow('queue must not be empty');
});

test('an item that is due before the last one is refused, and equal times are not', () => {
  const queue = new DueQueue<number>();
  queue.push(5, 1);
  queue.push(5, 2);
  expect(() => queue.push(4, 3)).toThrow('time must not go back from 5, was 4');
  expect([queue.shift(), queue.shift()]).toEqual([1, 2]);
  queue.push(4, 3);
  expect(queue.shift()).toBe(3);
});
