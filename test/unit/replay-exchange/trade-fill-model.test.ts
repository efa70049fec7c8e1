/** Fills over a recording of trades: each rule, on trades written by hand. */
import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/replay-exchange/fill-models/fill-event.ts';
import { tradeRow, tradesBench } from '../../support/coarse-market.ts';
import { lastAccepted, request } from '../../support/replay-market.ts';

/** A market whose last trade was 100 lots at 1000: bid 998, ask 1002, 10 lots for takers. */
function traded() {
  const bench = tradesBench();
  bench.apply(tradeRow(1_000, { side: 'BID', price: 1_000, volume: 100 }));
  const place = (
    side: 'BID' | 'ASK',
    price: number,
    volume: number,
    part?: Partial<ModelRequest>,
  ) => bench.model.place(request(side, price, volume, part), 1_500);
  const sell = (price: number, volume: number) =>
    bench.apply(tradeRow(2_000, { side: 'ASK', price, volume }));
  const buy = (price: number, volume: number) =>
    bench.apply(tradeRow(2_000, { side: 'BID', price, volume }));
  return { bench, place, sell, buy };
}

describe('a resting order', () => {
  test('fills at its limit when a taker on the other side trades beyond its price', () => {
    const { bench, place, sell } = traded();
    place('BID', 995, 5);
    sell(994, 3);
    sell(990, 50);
    expect(bench.fills).toEqual(['bought 3 at 995 as maker', 'bought 2 at 995 as maker']);
    expect(bench.ends).toEqual(['FILLED']);
  });

  test('is not filled by a trade at its price, however large', () => {
    const { bench, place, sell, buy } = traded();
    place('BID', 995, 5);
    place('ASK', 1_005, 5);
    sell(995, 1_000);
    buy(1_005, 1_000);
    expect(bench.fills).toEqual([]);
    buy(1_006, 1_000);
    expect(bench.fills).toEqual(['sold 5 at 1005 as maker']);
  });

  test('is not filled by a taker on its own side', () => {
    const { bench, place, buy, sell } = traded();
    place('BID', 995, 5);
    buy(990, 1_000);
    expect(bench.fills).toEqual([]);
    place('ASK', 1_010, 5);
    sell(1_020, 1_000);
    expect(bench.fills).toEqual([]);
  });

  test('shares the trade with our other orders by price, then time, without duplication', () => {
    const { bench, place, sell } = traded();
    place('BID', 995, 5);
    place('BID', 996, 5);
    place('BID', 995, 5);
    sell(990, 12);
    expect(bench.fills).toEqual([
      'bought 5 at 996 as maker',
      'bought 5 at 995 as maker',
      'bought 2 at 995 as maker',
    ]);
    expect(bench.model.counts).toMatchObject({ makerFills: 3, trades: 2 });
  });

  test('has no known queue place, and ends when it is cancelled', () => {
    const { bench, place, sell } = traded();
    place('BID', 995, 5);
    const order = lastAccepted(bench.events);
    expect(bench.model.aheadOf(order)).toBeUndefined();
    expect(bench.model.bestOwnPrice('BID')).toBe(995);
    bench.model.cancel(order, 1_600);
    sell(900, 100);
    expect(bench.fills).toEqual([]);
    expect(bench.ends).toEqual(['CANCELLED']);
    bench.model.cancel(order, 2_600);
    expect(bench.events.at(-1)?.kind).toBe('cancel-rejected');
  });
});

describe('a taker', () => {
  test('pays the last price plus the half spread, and gets the given share of that trade', () => {
    const { bench, place } = traded();
    expect(bench.top).toEqual([998, 1_002]);
    place('BID', 1_010, 4);
    place('ASK', 990, 4, { timeInForce: 'IOC' });
    place('BID', 1_010, 4, { timeInForce: 'IOC' });
    expect(bench.fills).toEqual([
      'bought 4 at 1002 as taker',
      'sold 4 at 998 as taker',
      'bought 2 at 1002 as taker',
    ]);
    expect(bench.ends).toEqual(['FILLED', 'FILLED', 'IMMEDIATE_OR_CANCEL']);
  });

  test('gets no more until the next trade, and its remainder rests at its limit', () => {
    const { bench, place, sell } = traded();
    place('BID', 1_010, 15);
    expect(bench.fills).toEqual(['bought 10 at 1002 as taker']);
    sell(1_010, 100);
    expect(bench.fills.length).toBe(1);
    sell(1_009, 100);
    expect(bench.fills.at(-1)).toBe('bought 5 at 1010 as maker');
  });

  test('with FOK is filled completely or not at all', () => {
    const { bench, place } = traded();
    place('BID', 1_010, 11, { timeInForce: 'FOK' });
    place('BID', 1_010, 10, { timeInForce: 'FOK' });
    expect(bench.ends).toEqual(['FILL_OR_KILL', 'FILLED']);
    expect(bench.fills).toEqual(['bought 10 at 1002 as taker']);
  });

  test('gets nothing before the first trade, nor from a trade too small to share', () => {
    const bench = tradesBench();
    bench.model.place(request('BID', 1_010, 5, { timeInForce: 'IOC' }), 1);
    bench.apply(tradeRow(1_000, { side: 'BID', price: 1_000, volume: 9 }));
    bench.model.place(request('BID', 1_010, 5, { timeInForce: 'IOC' }), 1_500);
    expect(bench.fills).toEqual([]);
    expect(bench.ends).toEqual(['IMMEDIATE_OR_CANCEL', 'IMMEDIATE_OR_CANCEL']);
  });

  test('is refused if it is post-only, and stops at another order of ours', () => {
    const { bench, place } = traded();
    place('BID', 1_002, 5, { postOnly: true });
    expect(bench.ends).toEqual(['would-take']);
    place('ASK', 1_001, 5);
    place('BID', 1_005, 5);
    expect(bench.fills).toEqual([]);
    expect(bench.ends).toEqual(['would-take', 'SELF_TRADE']);
  });
});

test('there is no synthetic bid if it would not be above zero', () => {
  const bench = tradesBench();
  bench.apply(tradeRow(1_000, { side: 'ASK', price: 2, volume: 100 }));
  expect(bench.top).toEqual([undefined, 4]);
  bench.apply(tradeRow(2_000, { side: 'ASK', price: 5, volume: 100 }));
  expect(bench.top).toEqual([3, 7]);
});
