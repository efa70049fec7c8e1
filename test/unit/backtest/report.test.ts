/** The report of a backtest: markouts, round trips, charts, and a page that needs nothing else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartOf } from '../../../src/backtest/report/chart.ts';
import { FillLog } from '../../../src/backtest/report/fill-log.ts';
import { type Leg, roundTripsOf } from '../../../src/backtest/report/round-trips.ts';
import type { ToldTrade } from '../../../src/tape/tape-order.ts';

function trade(timeMs: number, side: 'BID' | 'ASK' = 'BID'): ToldTrade {
  return { order: { side }, price: 100, volume: 5, isMaker: true, timeMs } as unknown as ToldTrade;
}

describe('markouts', () => {
  test('take the mid that stood when the time was over, not the next one', () => {
    const log = new FillLog();
    log.add(trade(10_000), 'mm', 201);
    // The mid is 202 until 10.9 s, 204 until 11.5 s, 208 until the end at 15.2 s.
    log.pass(10_900, 202);
    log.pass(11_500, 204);
    log.pass(15_200, 208);
    expect(log.fills[0]?.later2).toEqual([204, 208, undefined, undefined]);
  });

  test('are missing for fills near the end, and where there was no mid', () => {
    const log = new FillLog();
    log.add(trade(0), 'mm', 200);
    log.add(trade(9_500), 'mm', 200);
    log.pass(4_000, undefined);
    log.pass(10_000, 210);
    expect(log.fills.map((fill) => fill.later2.slice(0, 2))).toEqual([
      [undefined, 210],
      [undefined, undefined],
    ]);
  });
});

describe('round trips', () => {
  const leg = (atMs: number, side: 'BID' | 'ASK', volume: number, worth: bigint): Leg => ({
    atMs,
    side,
    volume,
    worth,
  });

  test('match the oldest first, and a short position when it is bought back', () => {
    const trips = roundTripsOf([
      leg(1, 'BID', 10, 1_000n),
      leg(2, 'BID', 10, 1_100n),
      leg(3, 'ASK', 15, 1_800n),
      leg(4, 'ASK', 10, 1_300n),
      leg(5, 'BID', 5, 500n),
    ]);
    expect(trips).toEqual([
      { openedMs: 1, closedMs: 3, side: 'BID', profit: 200n },
      { openedMs: 2, closedMs: 3, side: 'BID', profit: 50n },
      { openedMs: 2, closedMs: 4, side: 'BID', profit: 100n },
      { openedMs: 4, closedMs: 5, side: 'ASK', profit: 150n },
    ]);
  });

  test('lose nothing: a position that is closed has the profit of all that was paid and received', () => {
    const legs = fc.array(
      fc.record({
        isBuy: fc.boolean(),
        volume: fc.integer({ min: 1, max: 50 }),
        worth: fc.bigInt(1n, 10n ** 24n),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(legs, fc.bigInt(1n, 10n ** 24n), (drawn, closing) => {
        const all = drawn.map((one, index) =>
          leg(index, one.isBuy ? 'BID' : 'ASK', one.volume, one.worth),
        );
        const net = all.reduce(
          (sum, one) => sum + (one.side === 'BID' ? one.volume : -one.volume),
          0,
        );
        if (net !== 0) all.push(leg(99, net > 0 ? 'ASK' : 'BID', Math.abs(net), closing));
        const cash = all.reduce(
          (sum, one) => sum + (one.side === 'BID' ? -one.worth : one.worth),
          0n,
        );
        const profit = roundTripsOf(all).reduce((sum, trip) => sum + trip.profit, 0n);
        expect(profit).toBe(cash);
      }),
    );
  });
});

describe('a chart', () => {
  const options = { title: 'a < b', unit: 'ZAR', height: 100 };

  test('leaves a gap where there is no value, and never writes NaN', () => {
    const svg = chartOf({
      ...options,
      lines: [
        {
          name: 'x',
          look: 'x',
          points: [
            [0, 1],
            [1_000, undefined],
            [2_000, 1],
            [3_000, 1],
          ],
        },
      ],
    });
    const [, path = ''] = /class="line x" d="([^"]*)"/u.exec(svg) ?? [];
    expect(path.match(/M/gu)?.length).toBe(2);
    expect(svg).not.toContain('NaN');
    expect(svg).toContain('a &lt; b');
  });

  test('of nothing says so', () => {
    expect(chartOf({ ...options, lines: [] })).toContain('nothing to draw');
    const one = chartOf({ ...options, lines: [{ name: 'x', look: 'x', points: [[0, 1]] }] });
    expect(one).toContain('nothing to draw');
  });
});
