/** Orders that wait for the call budget: figures, a line of text and a caution. */
import { expect, test } from 'vitest';
import {
  SendingSums,
  sendingCaution,
  sendingText,
} from '../../../src/backtest/metrics/sending-sums.ts';

const noMoves = { begun: 0, waitedLong: 0, waitMsMax: 0 };

function figuresOf(waitsMs: readonly number[], orders: number, moves = noMoves) {
  const sums = new SendingSums();
  sums.moves = moves;
  for (const waitMs of waitsMs) sums.add(waitMs);
  return sums.figuresOf(orders);
}

test('waits have median, 90th percentile and maximum; the other orders were never sent', () => {
  const figures = figuresOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2_000], 12);
  const waitMs = { median: 5, p90: 9, max: 2_000 };
  expect(figures).toEqual({ sent: 11, neverSent: 1, waitedLong: 1, waitMs, moves: noMoves });
  expect(sendingText(figures)).toBe(
    '11 sent, 1 never sent; waited 5 ms (median), 9 ms (90th percentile), 2000 ms (longest)',
  );
});

test('without orders there is no caution', () => {
  const figures = figuresOf([], 0);
  expect(figures).toEqual({ sent: 0, neverSent: 0, waitedLong: 0, waitMs: null, moves: noMoves });
  expect(sendingText(figures)).toBe('0 sent, 0 never sent');
  expect(sendingCaution(figures)).toBeUndefined();
});

test('there is a caution if more than a tenth waited over a second or were never sent', () => {
  const waits = [0, 0, 0, 0, 0, 0, 0, 0, 1_000, 1_001];
  expect(sendingCaution(figuresOf(waits, 10))).toBeUndefined();
  expect(sendingCaution(figuresOf(waits, 11))).toMatch(
    /^of 11 approved orders, 1 were never sent and 1 waited for more than a second/u,
  );
});

test('replacements that waited are reported and count for the caution', () => {
  const figures = figuresOf([0, 0, 0], 3, { begun: 2, waitedLong: 1, waitMsMax: 7_000 });
  expect(sendingText(figures)).toMatch(
    /; 2 replaced, 1 of them after more than a second \(longest wait 7000 ms\)$/u,
  );
  expect(sendingCaution(figures)).toContain('1 of 2 replacements waited for more than a second');
});
