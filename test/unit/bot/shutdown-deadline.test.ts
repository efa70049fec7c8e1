/** A stop that takes too long reports which orders may be open. */

import { expect, test } from 'vitest';
import { createShutdownDeadline } from '../../../src/bot/guards/shutdown-deadline.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { workspace } from '../../support/package-root.ts';

function begin() {
  const time = new ManualTime();
  const printed: string[] = [];
  const codes: number[] = [];
  let requests = 0;
  const deadline = createShutdownDeadline({
    output: { line: (text: string) => void printed.push(text) },
    timers: time.timers,
    place: { workspace, config: '/etc/b.yaml', home: '/h' },
    stop: () => void requests++,
    stopping: () => void printed.push('stopping'),
    exit: (code) => void codes.push(code),
  });
  return { deadline, time, printed, codes, requests: () => requests };
}

test('orders that may be open are reported, with exit code 6', () => {
  const { deadline, time, printed, codes, requests } = begin();
  deadline.stop('a test');
  deadline.stop('again');
  expect(requests()).toBe(2);
  time.fire();
  expect(printed).toEqual([
    'stopping',
    expect.stringMatching(
      /orders may still be open.*npm run --silent millrace -- panic \/etc\/b\.yaml --home \/h$/u,
    ),
  ]);
  expect(codes).toEqual([6]);
});

test('if no order can be open, only the missing comparison is reported, with exit code 1', () => {
  const { deadline, time, printed, codes } = begin();
  deadline.stop('a test');
  deadline.proven();
  time.fire();
  expect(printed.at(-1)).toMatch(
    /no order is open, but .* millrace -- reconcile \/etc\/b\.yaml --home \/h$/u,
  );
  expect(codes).toEqual([1]);
});

test('a stop in time is not ended, and no deadline runs before the request to stop', () => {
  const { deadline, time, codes } = begin();
  time.fire();
  deadline.stop('a test');
  deadline.done();
  time.fire();
  expect(codes).toEqual([]);
});
