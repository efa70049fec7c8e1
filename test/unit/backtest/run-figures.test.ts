/** The figures of a run, computed by hand for two fills on two days. */
import { describe, expect, test } from 'vitest';
import { ExtremeSample } from '../../../src/backtest/metrics/extreme-sample.ts';
import type { MinuteSums } from '../../../src/backtest/metrics/minute-sums.ts';
import { RestingPlaces } from '../../../src/backtest/metrics/order-sums.ts';
import { returnMetricsOf } from '../../../src/backtest/metrics/return-metrics.ts';
import { metricsOf } from '../../../src/backtest/metrics/run-metrics.ts';
import { RunRecorder } from '../../../src/backtest/metrics/run-recorder.ts';
import type { Lots } from '../../../src/domain/money.ts';
import type { OrderFlowRow } from '../../../src/market/flow/order-flow-row.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { historyOf } from '../../support/encoded-history.ts';
import { placing, replayMarket, row } from '../../support/replay-market.ts';

/** Ten seconds before midnight, UTC. */
const startMicros = Date.parse('2026-01-01T23:59:50Z') * 1_000;
const one = 10_000;

/**
 * Prices are in ticks of 0.01, volumes in lots of 0.0001. The mid is 100 at first, and 101 at the
 * end. One XBT is bought for 99 after four seconds, and sold for 100 after thirty.
 */
function played(rates: { readonly maker: string; readonly taker: string }) {
  const account = new ReplayAccount({
    profile: lunoProfile,
    markets: [{ market: replayMarket, rates }],
    balances: { XBT: '10', EUR: '1000' },
    startedMs: startMicros / 1_000,
    onReport: () => {},
  });
  const accountMarket = account.markets.get(replayMarket.pair);
  if (accountMarket === undefined) throw new Error('the account must have the market');
  const encoded = historyOf(accountMarket);
  for (const first of [
    row.create('b0', 'BID', 9_800, one),
    row.create('b1', 'BID', 9_900, one),
    row.create('a1', 'ASK', 10_100, one),
  ])
    encoded.apply({ ...first, atMicros: startMicros });
  const recorder = new RunRecorder(accountMarket, startMicros);
  const history = (seconds: number, next: OrderFlowRow): void => {
    const atMicros = startMicros + seconds * 1_000_000;
    encoded.apply({ ...next, atMicros });
    recorder.noteRow({ atMicros, endsMessage: true });
  };
  const order = (seconds: number, side: 'BID' | 'ASK', price: string): void => {
    const atMicros = startMicros + seconds * 1_000_000;
    const clientOrderId = `at ${seconds}`;
    accountMarket.place(placing({ clientOrderId, side, price, volume: '1' }), atMicros);
    recorder.noteOrders(atMicros);
  };
  order(1, 'BID', '99');
  history(2, row.trade('b1', 'BID', 9_900, one));
  history(3, row.create('b2', 'BID', 9_900, one));
  history(4, row.trade('b2', 'BID', 9_900, one));
  history(20, row.create('b3', 'BID', 10_000, one));
  order(30, 'ASK', '100');
  history(35, row.delete('b3'));
  history(35, row.create('b4', 'BID', 9_900, one));
  history(36, row.delete('a1'));
  history(36, row.create('a2', 'ASK', 10_300, one));
  recorder.finish(startMicros + 40_000_000);
  const run = { coarseData: undefined, cautions: [], recorders: [recorder] };
  return metricsOf(recorder, accountMarket, run);
}

describe('two fills', () => {
  const { trader, returns, position, holding, maker, days } = played({ maker: '0', taker: '0' });

  test('have a turnover, and a profit of the start value', () => {
    expect(trader).toMatchObject({
      ...{ profit: '1', profitShare: 0.0005, turnover: '199', turnoverShare: 0.0995, feesBps: 0 },
    });
    expect(returns).toMatchObject({ startValue: '2000', profitSharePerYear: null });
  });

  test('are compared with holding: the start balance, and all in the base currency', () => {
    expect(holding).toEqual({
      ...{ priceChange: 0.01, startBaseGain: '10', allBaseGain: '20', accountGain: '11' },
    });
  });

  test('hold a position of which time and value are known', () => {
    expect(position).toEqual({
      // From second 4 to second 30 of 40: 16 s at a mid of 99.5, then 10 s at 100.5.
      ...{ longShare: 0.65, shortShare: 0, valueMean: '64.925' },
      ...{ longValueMax: '100.5', shortValueMax: '0', valueAtEnd: '0' },
    });
  });

  test('belong to the days of their times', () => {
    const first = { day: '2026-01-01', seconds: 10, fills: 1, turnover: '99', fees: '0' };
    const second = { day: '2026-01-02', seconds: 30, fills: 1, turnover: '100', fees: '0' };
    expect(days).toEqual([
      { ...first, profit: '0.5', position: '1' },
      { ...second, profit: '0.5', position: '0' },
    ]);
  });

  test('have markouts of each side, from 10 ms on', () => {
    // The mid is 99.5 after the purchase at 99.
    const bid = { fills: 1, sum: '0.5', bps: 50.505051 };
    const [first, , , ten] = maker.markouts;
    expect(first).toMatchObject({ seconds: 0.01, fills: 2, bid });
    expect(ten).toMatchObject({ seconds: 10, bid, ask: { fills: 0, sum: '0', bps: null } });
    expect(maker.markouts.map(({ seconds }) => seconds)).toEqual([0.01, 0.1, 1, 10, 60, 300]);
  });

  test('have places in the queue: the bid had its own volume ahead, the ask never rested', () => {
    const [, upToOne, ...others] = maker.queuePlaces ?? [];
    expect(upToOne).toEqual({ aheadUpTo: 1, orders: 1, fillRatio: 1, volumeRatio: 1 });
    for (const { orders } of others) expect(orders).toBe(0);
  });
});

test('fees are given per turnover', () => {
  const { trader, maker, days } = played({ maker: '0.0002', taker: '0.001' });
  // 2 bps of 99 and 10 bps of 100.
  expect(Number(maker.fees)).toBeCloseTo(0.1198, 10);
  expect(trader.feesBps).toBeCloseTo((0.1198 / 199) * 10_000, 5);
  expect(days.map(({ fees }) => Number(fees).toFixed(4))).toEqual(['0.0198', '0.1000']);
});

test('a year is 365 days, and is not compounded', () => {
  const dayMicros = 86_400_000_000;
  const of = (days: number) =>
    returnMetricsOf(
      {
        span: { fromMicros: 0, toMicros: days * dayMicros },
        minutes: { count: days * 1_440 } as MinuteSums,
      } as unknown as RunRecorder,
      { profit: 5n, worth: 100n, sharpe: 0.01, sortino: null },
    );
  expect(of(10).profitSharePerYear).toBe(1.825);
  expect(of(10).sharpePerYear).toBeCloseTo(0.01 * Math.sqrt(525_600), 5);
  expect(of(10).sortinoPerYear).toBeNull();
  expect(of(0.9)).toMatchObject({ profitSharePerYear: null, sharpePerYear: null });
});

test('the place of an order is counted in its own volumes', () => {
  const places = new RestingPlaces();
  const add = (volume: number, filled: number, ahead: number): void =>
    places.add({ volume: volume as Lots, filled: filled as Lots }, ahead);
  add(10, 10, 0);
  add(10, 0, 10);
  add(10, 5, 11);
  add(10, 0, 1_001);
  expect(places.groups.map(({ upTo, orders, filled }) => [upTo, orders, filled])).toEqual([
    ...[
      [0, 1, 1],
      [1, 1, 0],
      [3, 1, 1],
      [10, 0, 0],
      [30, 0, 0],
      [100, 0, 0],
      [undefined, 1, 0],
    ],
  ]);
  expect(places.groups[2]).toMatchObject({ placedVolume: 10, filledVolume: 5 });
});

describe('a sample for a chart', () => {
  const sampled = (values: readonly number[], groups: number) => {
    const sample = new ExtremeSample<{ readonly value: number }>(groups);
    for (const value of values) sample.add({ value }, value);
    return { items: sample.items.map(({ value }) => value), count: sample.count };
  };

  test('has every item while there is room', () => {
    expect(sampled([3, 1, 2], 4)).toEqual({ items: [3, 1, 2], count: 3 });
  });

  test('keeps the first, the lowest and the highest of each group, in their order', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => (index * 7_919) % 1_000);
    values[33_333] = -5;
    values[77_777] = 5_000;
    const { items, count } = sampled(values, 64);
    expect(count).toBe(100_000);
    expect(items.length).toBeLessThanOrEqual(3 * 64);
    expect(items.length).toBeGreaterThan(64);
    expect(items[0]).toBe(values[0]);
    expect([Math.min(...items), Math.max(...items)]).toEqual([-5, 5_000]);
    expect(items.indexOf(-5)).toBeLessThan(items.indexOf(5_000));
  });
});
