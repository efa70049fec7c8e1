/** A stop that takes too long: what is said of the orders is what is known of them. */
import { expect, test } from 'vitest';
import { boundedStop } from '../../../src/bot/guards/shutdown-deadline.ts';
import { ManualTime } from '../../support/manual-time.ts';

function begin() {
  const time = new ManualTime();
  const said: string[] = [];
  const codes: number[] = [];
  let asked = 0;
  const bounded = boundedStop({
    output: { line: (text: string) => void said.push(text) },
    timers: time.timers,
    place: { config: '/etc/b.yaml', home: '/h' },
    stop: () => void asked++,
    stopping: () => void said.push('stopping'),
    exit: (code) => void codes.push(code),
  });
  return { bounded, time, said, codes, asked: () => asked };
}

test('orders that may be open are said to be, with 6', () => {
  const { bounded, time, said, codes, asked } = begin();
  bounded.stop('a test');
  bounded.stop('again');
  expect(asked()).toBe(2);
  time.fire();
  expect(said).toEqual([
    'stopping',
    expect.stringMatching(
      /orders may still be open.*npm run --silent millrace -- panic \/etc\/b\.yaml --home \/h$/u,
    ),
  ]);
  expect(codes).toEqual([6]);
});

test('orders that are proven to be gone are not: what is left is to compare, with 1', () => {
  const { bounded, time, said, codes } = begin();
  bounded.stop('a test');
  bounded.proven();
  time.fire();
  expect(said.at(-1)).toMatch(
    /no order is open, but .* millrace -- reconcile \/etc\/b\.yaml --home \/h$/u,
  );
  expect(codes).toEqual([1]);
});

test('what ends in time is left alone, and nothing is bounded before the wish', () => {
  const { bounded, time, codes } = begin();
  time.fire();
  bounded.stop('a test');
  bounded.done();
  time.fire();
  expect(codes).toEqual([]);
});
