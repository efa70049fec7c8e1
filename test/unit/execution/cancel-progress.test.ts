/** Progress lines while all orders are cancelled: each once, and only problems again. */
import { expect, test } from 'vitest';
import { CancelProgress } from '../../../src/execution/reconcile/cancel-progress.ts';

const problem = 'list of open orders: no answer';

test('the line that no order is open comes once, however often the list is read', () => {
  const progress = new CancelProgress(2_000);
  const lines = [0, 1_000, 2_000, 3_000, 4_000, 9_000].map((nowMs) =>
    progress.lineOf({ open: 0, stopsSent: 0, problem: undefined }, nowMs),
  );
  expect(lines.filter((line) => line !== undefined)).toEqual([
    'no order is listed as open; the list is read again until that is proven',
  ]);
});

test('a change gives a line, at most once per period', () => {
  const progress = new CancelProgress(2_000);
  expect(progress.lineOf({ open: 5, stopsSent: 0, problem: undefined }, 0)).toBe('5 orders open');
  expect(progress.lineOf({ open: 5, stopsSent: 3, problem: undefined }, 1_000)).toBeUndefined();
  expect(progress.lineOf({ open: 2, stopsSent: 5, problem: undefined }, 2_000)).toBe(
    '2 orders open, 5 stops sent',
  );
});

test('a problem is repeated', () => {
  const progress = new CancelProgress(2_000);
  const failing = { open: undefined, stopsSent: 0, problem };
  const line = `it is not known yet which orders are open; ${problem}, trying again`;
  expect([0, 2_000, 4_000].map((nowMs) => progress.lineOf(failing, nowMs))).toEqual([
    line,
    line,
    line,
  ]);
});
