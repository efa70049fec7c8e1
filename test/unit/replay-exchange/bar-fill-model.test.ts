/** Fills over a recording of candles: each rule, on bars written by hand. */
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import type { ModelRequest } from '../../../src/replay-exchange/fill-models/fill-event.ts';
import type { OwnOrder } from '../../../src/replay-exchange/fill-models/own-order.ts';
import {
  type BarValues,
  barMicros,
  barRow,
  blockOf,
  candlesBench,
} from '../../support/coarse-market.ts';
import { lastAccepted, request } from '../../support/replay-market.ts';

const first: BarValues = [1_000, 1_000, 1_000, 1_000, 100];

/** A market after its first bar, which closed at 1000: bid 998, ask 1002. */
function opened(millionths = 100_000) {
  const bench = candlesBench(millionths);
  const { model, intervals } = bench;
  let startMicros = 0;
  /** Plays the next bar. */
  const bar = (...values: BarValues) => {
    bench.apply(barRow(startMicros, values));
    startMicros += barMicros;
  };
  /** The last microsecond of the previous bar: an order then counts for the whole next bar. */
  const between = () => startMicros - 1;
  const within = () => startMicros + barMicros / 2;
  const placeAt = (
    atMicros: number,
    side: Side,
    price: number,
    volume: number,
    part?: Partial<ModelRequest>,
  ): OwnOrder => {
    model.place(request(side, price, volume, part), atMicros);
    return lastAccepted(bench.events);
  };
  const place = (side: Side, price: number, volume: number, part?: Partial<ModelRequest>) =>
    placeAt(between(), side, price, volume, part);
  bar(...first);
  return { bench, model, intervals, bar, place, placeAt, between, within };
}

describe('a resting order', () => {
  test('fills at its limit when the bar trades strictly beyond it', () => {
    const { bench, bar, place } = opened();
    place('BID', 995, 5);
    bar(1_000, 1_000, 995, 1_000, 1_000);
    expect(bench.fills).toEqual([]);
    bar(1_000, 1_000, 994, 1_000, 1_000);
    expect(bench.fills).toEqual(['bought 5 at 995 as maker']);
    expect(bench.events.at(-1)).toMatchObject({
      kind: 'completed',
      reason: 'FILLED',
      atMicros: 3 * barMicros - 1,
    });
  });

  test('gets at most the given share of the bar, together with our other orders', () => {
    const { bench, bar, place } = opened();
    place('BID', 995, 8);
    place('BID', 996, 8);
    bar(1_000, 1_000, 990, 990, 109);
    expect(bench.fills).toEqual(['bought 8 at 996 as maker', 'bought 2 at 995 as maker']);
    bar(1_000, 1_000, 990, 990, 9);
    expect(bench.fills.length).toBe(2);
  });

  test('that arrived within the bar fills only if the fill loses by the close', () => {
    const { bench, bar, placeAt, within } = opened();
    placeAt(within(), 'BID', 995, 5);
    bar(1_000, 1_000, 990, 996, 1_000);
    expect(bench.fills).toEqual([]);
    placeAt(within(), 'ASK', 1_005, 5);
    bar(1_000, 1_010, 1_000, 1_006, 1_000);
    expect(bench.fills).toEqual(['sold 5 at 1005 as maker']);
    // The bid has rested for whole bars since; this bar closes in its favor and fills it.
    bar(1_000, 1_000, 990, 999, 1_000);
    expect(bench.fills.at(-1)).toBe('bought 5 at 995 as maker');
  });

  test('that is cancelled within the bar still fills if the fill loses', () => {
    const { bench, model, bar, place, within } = opened();
    const order = place('BID', 995, 5);
    model.cancel(order, within());
    expect(bench.ends).toEqual([]);
    expect(model.bestOwnPrice('BID')).toBe(995);
    bar(1_000, 1_000, 990, 999, 1_000);
    expect(bench.ends).toEqual(['CANCELLED']);
    expect(bench.fills).toEqual([]);
    const again = place('BID', 995, 5);
    model.cancel(again, within());
    model.cancel(again, within());
    bar(1_000, 1_000, 990, 994, 1_000);
    expect(bench.fills).toEqual(['bought 5 at 995 as maker']);
    expect(bench.ends).toEqual(['CANCELLED', 'FILLED']);
  });

  test('that is cancelled between two bars ends immediately', () => {
    const { bench, model, bar, place, between } = opened();
    const order = place('BID', 995, 5);
    model.cancel(order, between());
    expect(bench.ends).toEqual(['CANCELLED']);
    bar(1_000, 1_000, 900, 900, 1_000);
    expect(bench.fills).toEqual([]);
    model.cancel(order, between());
    expect(bench.events.at(-1)?.kind).toBe('cancel-rejected');
  });
});

describe('when orders on both sides would fill', () => {
  test('only the side that is worse off by the close fills', () => {
    for (const [close, fill] of [
      [990, 'bought 5 at 995 as maker'],
      [1_010, 'sold 5 at 1005 as maker'],
      [1_001, 'sold 5 at 1005 as maker'],
    ] as const) {
      const { bench, bar, place } = opened();
      place('BID', 995, 5);
      place('ASK', 1_005, 5);
      bar(1_000, 1_020, 980, close, 1_000);
      expect(bench.fills).toEqual([fill]);
    }
  });

  test('the volume limit affects which side that is', () => {
    const { bench, bar, place } = opened();
    place('BID', 995, 100);
    place('ASK', 1_005, 1);
    // At most ten lots: the bid would gain 10 × 4, the ask would lose 1 × 6.
    bar(1_000, 1_020, 980, 999, 100);
    expect(bench.fills).toEqual(['sold 1 at 1005 as maker']);
  });
});

describe('a bar of fewer lots than prices', () => {
  // The whole volume, or there would be nothing to fill.
  const all = 1_000_000;

  test('makes a taker pay its worst price, although none of its trades has it', () => {
    for (const [side, limit, fill] of [
      ['BID', 1_100, 'bought 1 at 1022 as taker'],
      ['ASK', 900, 'sold 1 at 978 as taker'],
    ] as const) {
      const { bench, bar, place } = opened(all);
      place(side, limit, 5);
      bar(1_000, 1_020, 980, 1_010, 1);
      expect(bench.fills).toEqual([fill]);
      expect(bench.top).toEqual([1_008, 1_012]);
    }
  });

  test('fills the side that is worse off, even if only an extreme reached it', () => {
    const { bench, bar, place } = opened(all);
    place('BID', 995, 1);
    place('ASK', 1_005, 1);
    // The bid would gain 9 by the close, the ask 1.
    bar(1_000, 1_020, 980, 1_004, 1);
    expect(bench.fills).toEqual(['sold 1 at 1005 as maker']);
  });

  test('counts as the trades that it becomes', () => {
    const { bench, bar } = opened();
    const before = bench.model.counts.trades;
    bar(1_000, 1_020, 980, 1_004, 3);
    expect(bench.model.counts.trades - before).toBe(3);
  });
});

describe('a taker', () => {
  test('pays the worst price of its bar plus the half spread, at the end of the bar', () => {
    for (const [side, limit, fill] of [
      ['BID', 1_022, 'bought 5 at 1022 as taker'],
      ['BID', 1_100, 'bought 5 at 1022 as taker'],
      ['ASK', 978, 'sold 5 at 978 as taker'],
      ['ASK', 900, 'sold 5 at 978 as taker'],
    ] as const) {
      const { bench, bar, place } = opened();
      place(side, limit, 5);
      expect(bench.fills).toEqual([]);
      bar(1_000, 1_020, 980, 1_000, 1_000);
      expect(bench.fills).toEqual([fill]);
    }
  });

  test('with a closer limit fills at its limit if that loses by the close, otherwise not', () => {
    const { bench, bar, place } = opened();
    place('BID', 1_010, 5, { timeInForce: 'IOC' });
    bar(1_000, 1_020, 980, 1_009, 1_000);
    expect(bench.fills).toEqual(['bought 5 at 1010 as taker']);
    place('BID', 1_012, 5, { timeInForce: 'IOC' });
    bar(1_009, 1_020, 980, 1_012, 1_000);
    expect(bench.fills.length).toBe(1);
    expect(bench.ends).toEqual(['FILLED', 'IMMEDIATE_OR_CANCEL']);
  });

  test('comes before resting orders, and its remainder rests', () => {
    const { bench, bar, place } = opened();
    place('BID', 995, 5);
    place('BID', 1_100, 14);
    bar(1_000, 1_020, 980, 980, 100);
    expect(bench.fills).toEqual(['bought 10 at 1022 as taker']);
    expect(bench.model.bestOwnPrice('BID')).toBe(1_100);
    bar(1_000, 1_020, 980, 980, 100);
    expect(bench.fills.slice(1)).toEqual(['bought 4 at 1100 as maker', 'bought 5 at 995 as maker']);
  });

  test('with FOK is filled completely or not at all', () => {
    const { bench, bar, place } = opened();
    place('BID', 1_100, 11, { timeInForce: 'FOK' });
    place('BID', 1_100, 10, { timeInForce: 'FOK' });
    bar(1_000, 1_020, 980, 1_000, 100);
    expect(bench.ends.toSorted()).toEqual(['FILLED', 'FILL_OR_KILL']);
    expect(bench.fills).toEqual(['bought 10 at 1022 as taker']);
  });

  test('that crosses nothing ends immediately, and a post-only order that would trade is refused', () => {
    const { bench, place } = opened();
    place('BID', 1_001, 5, { timeInForce: 'IOC' });
    place('BID', 1_001, 5, { timeInForce: 'FOK' });
    place('BID', 1_002, 5, { postOnly: true });
    expect(bench.ends).toEqual(['IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL', 'would-take']);
  });

  test('does not trade with another order of ours, unless that is being cancelled', () => {
    const { bench, model, bar, place, placeAt, within } = opened();
    const bid = place('BID', 997, 5);
    place('ASK', 990, 5);
    expect(bench.ends).toEqual(['SELF_TRADE']);
    model.cancel(bid, within());
    placeAt(within(), 'ASK', 990, 5);
    bar(1_000, 1_000, 1_000, 1_000, 1_000);
    expect(bench.ends).toEqual(['SELF_TRADE', 'FILLED', 'CANCELLED']);
    expect(bench.fills).toEqual(['sold 5 at 998 as taker']);
  });
});

describe('without a bar', () => {
  test('waiting requests are answered at the end of the interval, and nothing fills', () => {
    const { bench, model, intervals, bar, place, within } = opened();
    expect(intervals.dueMicros).toBe(Infinity);
    const resting = place('BID', 995, 5);
    place('BID', 1_100, 5, { timeInForce: 'IOC' });
    model.cancel(resting, within());
    expect(intervals.dueMicros).toBe(2 * barMicros - 1);
    intervals.pass(intervals.dueMicros);
    expect(bench.ends).toEqual(['IMMEDIATE_OR_CANCEL', 'CANCELLED']);
    expect(intervals.dueMicros).toBe(Infinity);
    bar(1_000, 1_100, 900, 1_000, 1_000);
    expect(bench.fills).toEqual([]);
  });

  test('a later interval is counted from the last bar', () => {
    const { model, intervals, place, between } = opened();
    const order = place('BID', 995, 5);
    model.cancel(order, between() + 3.5 * barMicros);
    expect(intervals.dueMicros).toBe(5 * barMicros - 1);
  });

  test('after the end of history, cancels take effect immediately', () => {
    const { bench, model, intervals, place, within } = opened();
    const order = place('BID', 995, 5);
    place('BID', 1_100, 5);
    intervals.end(within());
    expect(model.bestOwnPrice('BID')).toBe(1_100);
    model.cancel(order, within());
    expect(bench.ends).toEqual(['CANCELLED']);
  });

  test('a bar without volume fills nothing, and moves the synthetic prices', () => {
    const { bench, bar, place } = opened();
    place('BID', 995, 5);
    place('BID', 1_100, 5, { timeInForce: 'IOC' });
    bar(900, 900, 800, 850, 0);
    expect(bench.fills).toEqual([]);
    expect(bench.ends).toEqual(['IMMEDIATE_OR_CANCEL']);
    expect(bench.top).toEqual([848, 852]);
  });
});

test('a bar that may have lasted longer decides at its latest end, from its beginning on', () => {
  const [fromMicros, toMicros] = [barMicros, 2.5 * barMicros - 1];
  const bench = candlesBench(100_000, {
    longBarAt: (at) => (at >= fromMicros && at <= toMicros ? { fromMicros, toMicros } : undefined),
  });
  bench.apply(barRow(0, first));
  const placeAt = (bars: number, price: number): OwnOrder => {
    bench.model.place(request('BID', price, 5), bars * barMicros);
    return lastAccepted(bench.events);
  };
  placeAt(1.4, 995);
  bench.model.cancel(placeAt(1.5, 994), 1.9 * barMicros);
  expect(bench.intervals.dueMicros).toBe(toMicros);
  const cursor = new FlowCursor();
  cursor.load(blockOf([barRow(toMicros, [1_000, 1_000, 990, 1_000, 1_000])]));
  cursor.next();
  bench.model.apply(cursor);
  // It arrived within the bar, which closes in its favor.
  expect(bench.fills).toEqual([]);
  expect(bench.ends).toEqual(['CANCELLED']);
});
