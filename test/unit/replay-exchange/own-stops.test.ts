/** What triggers stop orders over a recording of candles or trades. */
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import type { Ticks } from '../../../src/domain/money.ts';
import {
  type BarValues,
  barMicros,
  barRow,
  candlesBench,
  tradeRow,
  tradesBench,
} from '../../support/coarse-market.ts';
import { request } from '../../support/replay-market.ts';

const stopAt = (direction: 'ABOVE' | 'BELOW', price: number) => ({
  stop: { direction, price: price as Ticks },
});

describe('a bar', () => {
  /** A market after its first bar, which closed at 1000. */
  function opened() {
    const bench = candlesBench(100_000);
    let startMicros = 0;
    const bar = (...values: BarValues) => {
      bench.apply(barRow(startMicros, values));
      startMicros += barMicros;
    };
    const place = (
      at: 'before' | 'within',
      [side, price]: readonly [Side, number],
      part: ReturnType<typeof stopAt>,
    ) =>
      bench.model.place(
        request(side, price, 5, part),
        at === 'before' ? startMicros - 1 : startMicros + barMicros / 2,
      );
    bar(1_000, 1_000, 1_000, 1_000, 100);
    const triggers = () => bench.events.filter(({ kind }) => kind === 'triggered').length;
    return { bench, bar, place, triggers };
  }

  test('triggers an order that was there before it by its high or low', () => {
    const { bar, place, triggers } = opened();
    place('before', ['ASK', 980], stopAt('BELOW', 990));
    bar(1_000, 1_000, 991, 1_000, 1_000);
    expect(triggers()).toBe(0);
    bar(1_000, 1_000, 990, 1_000, 1_000);
    expect(triggers()).toBe(1);
  });

  test('triggers an order that arrived within it only by its close', () => {
    const { bar, place, triggers } = opened();
    place('within', ['BID', 1_020], stopAt('ABOVE', 1_010));
    bar(1_000, 1_015, 1_000, 1_000, 1_000);
    expect(triggers()).toBe(0);
    bar(1_000, 1_015, 1_000, 1_000, 1_000);
    expect(triggers()).toBe(1);
    place('within', ['BID', 1_020], stopAt('ABOVE', 1_012));
    bar(1_000, 1_015, 1_000, 1_012, 1_000);
    expect(triggers()).toBe(2);
  });

  test('ends before a triggered order trades: it takes in the next bar, at its worst price', () => {
    const { bench, bar, place } = opened();
    place('before', ['ASK', 900], stopAt('BELOW', 990));
    bar(1_000, 1_000, 985, 995, 1_000);
    expect(bench.fills).toEqual([]);
    bar(995, 997, 970, 980, 1_000);
    expect(bench.fills).toEqual(['sold 5 at 968 as taker']);
  });

  test('cancels nothing: an order that waits can be cancelled at once', () => {
    const { bench, place } = opened();
    place('before', ['ASK', 900], stopAt('BELOW', 990));
    const accepted = bench.events.at(-1);
    if (accepted?.kind !== 'accepted') throw new Error('the order was not accepted');
    bench.model.cancel(accepted.order, barMicros + 5);
    expect(bench.events.at(-1)).toMatchObject({ kind: 'completed', reason: 'CANCELLED' });
  });
});

test('a trade triggers, and the order takes what the trade offers', () => {
  const bench = tradesBench(1_000_000);
  bench.apply(tradeRow(1, { side: 'BID', price: 1_000, volume: 10 }));
  bench.model.place(request('BID', 1_050, 5, stopAt('ABOVE', 1_010)), 2);
  bench.apply(tradeRow(3, { side: 'BID', price: 1_009, volume: 10 }));
  expect(bench.fills).toEqual([]);
  bench.apply(tradeRow(4, { side: 'BID', price: 1_010, volume: 10 }));
  expect(bench.fills).toEqual(['bought 5 at 1012 as taker']);
});

test('our own trade triggers, and so does the trade of an order that it triggered', () => {
  const bench = tradesBench(1_000_000);
  bench.apply(tradeRow(1, { side: 'BID', price: 1_000, volume: 100 }));
  bench.model.place(request('BID', 1_100, 5, stopAt('ABOVE', 1_002)), 2);
  bench.model.place(request('BID', 1_002, 5), 3);
  expect(bench.fills).toEqual(['bought 5 at 1002 as taker', 'bought 5 at 1002 as taker']);
});
