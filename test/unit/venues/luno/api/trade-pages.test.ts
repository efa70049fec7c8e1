/** The walk through the list of our trades. */
import { describe, expect, test } from 'vitest';
import type { UserTrade } from '../../../../../src/venues/luno/api/operations/order-operations.ts';
import { TradePages } from '../../../../../src/venues/luno/api/trade-pages.ts';

const tradesAt = (sequences: readonly (number | bigint)[]): readonly UserTrade[] =>
  sequences.map((sequence) => ({ sequence: String(sequence) }) as UserTrade);
const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index);

describe('a walk through a list of trades', () => {
  test('ends with the first page that is not full', () => {
    const pages = new TradePages();
    expect(pages.next).toEqual({ after_seq: undefined, limit: 1000 });
    pages.take(tradesAt(range(1, 1000)));
    expect([pages.end, pages.next.after_seq]).toEqual([undefined, '1000']);
    pages.take(tradesAt([1000, 1001]));
    expect(pages.end).toBe('complete');
  });

  test('continues from the newest sequence, whatever the order of the rows', () => {
    const pages = new TradePages('7');
    // Larger than a JavaScript number can hold.
    pages.take(tradesAt([2n ** 60n + 1n, 2n ** 60n, ...range(8, 998)]));
    expect(pages.next.after_seq).toBe(String(2n ** 60n + 1n));
  });

  test('stalls at a full page without a higher sequence', () => {
    const pages = new TradePages();
    pages.take(tradesAt(range(1, 1000)));
    pages.take(tradesAt(range(1, 1000)));
    expect(pages.end).toBe('stalled');
  });

  test('continues after a short page if the caller says that it is not the last', () => {
    const pages = new TradePages();
    pages.take(tradesAt([1, 2]), false);
    expect([pages.end, pages.next.after_seq]).toEqual([undefined, '2']);
    pages.take(tradesAt([2]), false);
    expect(pages.end).toBe('stalled');
  });
});
