/** How long a wanted side had no order at the exchange. */
import { expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import type { OrderState } from '../../../src/domain/order.ts';
import { QuoteCoverage } from '../../../src/engine/quoting/quote-coverage.ts';
import { emptyTarget, type QuoteIntent } from '../../../src/engine/quoting/quote-target.ts';
import type { OrderTracker } from '../../../src/execution/orders/order-tracker.ts';

const target = emptyTarget('mm', 'XBTZAR');

function quoteOf(sides: readonly Side[]): QuoteIntent {
  const orders = sides.map((side) => ({ level: side, side, price: 1, volume: 1 }));
  return { kind: 'quote', pair: 'XBTZAR', orders, reason: 'test' } as unknown as QuoteIntent;
}

/** Plays the wanted sides and the live orders at each time; returns the longest gap. */
function gapOf(
  moments: readonly {
    readonly atMs: number;
    readonly wants?: readonly Side[] | undefined;
    readonly orders: readonly (readonly [Side, OrderState, string?])[];
  }[],
) {
  let live: readonly object[] = [];
  const tracker = {
    get live() {
      return live;
    },
  } as unknown as OrderTracker;
  const coverage = new QuoteCoverage([target], tracker);
  target.quotes.end();
  for (const { atMs, wants, orders } of moments) {
    target.quotes.end();
    if (wants !== undefined) target.quotes.set(quoteOf(wants));
    live = orders.map(([side, state, pair = 'XBTZAR']) => ({
      ...{ strategyId: 'mm', pair, state, terms: { side } },
    }));
    coverage.note(atMs);
  }
  return coverage.longest;
}

const both: readonly Side[] = ['BID', 'ASK'];

test('a strategy without a quote has no gap', () => {
  expect(gapOf([{ atMs: 0, orders: [] }])).toBeUndefined();
});

test('a gap runs from the first quote to the open order, and from a fill to the next one', () => {
  const gap = gapOf([
    { atMs: 1_000, wants: ['BID'], orders: [] },
    { atMs: 1_200, wants: ['BID'], orders: [['BID', 'sending']] },
    { atMs: 1_500, wants: ['BID'], orders: [['BID', 'open']] },
    { atMs: 9_000, wants: ['BID'], orders: [['BID', 'completing']] },
    { atMs: 9_400, wants: ['BID'], orders: [['BID', 'waiting']] },
    { atMs: 9_900, wants: ['BID'], orders: [['BID', 'open']] },
  ]);
  expect(gap).toEqual({ strategyId: 'mm', pair: 'XBTZAR', side: 'BID', fromMs: 9_000, ms: 900 });
});

test('each side counts alone; orders of another side or pair do not count for it', () => {
  const gap = gapOf([
    { atMs: 0, wants: both, orders: [['BID', 'open']] },
    {
      atMs: 4_000,
      wants: both,
      orders: [
        ['BID', 'open'],
        ['ASK', 'open', 'ETHZAR'],
      ],
    },
  ]);
  expect(gap).toMatchObject({ side: 'ASK', fromMs: 0, ms: 4_000 });
});

test('time during which a side is not wanted does not count', () => {
  const gap = gapOf([
    { atMs: 0, wants: both, orders: [] },
    { atMs: 300, wants: ['ASK'], orders: [['ASK', 'open']] },
    { atMs: 60_000, wants: undefined, orders: [] },
    {
      atMs: 120_000,
      wants: both,
      orders: [
        ['ASK', 'open'],
        ['BID', 'open'],
      ],
    },
  ]);
  expect(gap?.ms).toBe(300);
});

test('a gap that has not ended counts up to now', () => {
  expect(
    gapOf([
      { atMs: 0, wants: ['BID'], orders: [] },
      { atMs: 7_000, wants: ['BID'], orders: [] },
    ])?.ms,
  ).toBe(7_000);
});
