/** What the figures of a backtest are made of: markouts, round trips, samples and sums. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EvenSample } from '../../../src/backtest/metrics/even-sample.ts';
import { FillLog } from '../../../src/backtest/metrics/fill-log.ts';
import { MinuteSums } from '../../../src/backtest/metrics/minute-sums.ts';
import { type Leg, type RoundTrip, RoundTrips } from '../../../src/backtest/metrics/round-trips.ts';
import { TripSums } from '../../../src/backtest/metrics/trade-sums.ts';
import { ValueSum } from '../../../src/backtest/metrics/value-sum.ts';
import { formatAmount } from '../../../src/domain/amount.ts';
import type { ReplayTrade } from '../../../src/replay-exchange/account/replay-order.ts';
import { replayMarket } from '../../support/replay-market.ts';

function trade(timeMs: number, side: 'BID' | 'ASK' = 'BID'): ReplayTrade {
  return {
    order: { side },
    price: 100,
    volume: 5,
    isMaker: true,
    timeMs,
  } as unknown as ReplayTrade;
}

/** For each horizon, the number of fills and the sum. */
function markoutsOf(log: FillLog): readonly string[] {
  return log.markouts.map(({ BID, ASK }) => {
    const twice = BID.value.twice + ASK.value.twice;
    return `${BID.fills + ASK.fills}: ${formatAmount(twice / 2n)}`;
  });
}

describe('markouts', () => {
  test('use the mid at the end of the horizon, not the next one', () => {
    const log = new FillLog(replayMarket);
    log.add(trade(10_000), 201);
    // The mid is 202 until 10.9 s, 204 until 11.5 s, 208 until the end at 20.2 s.
    log.pass(10_900, 202);
    log.pass(11_500, 204);
    log.pass(20_200, 208);
    // Half ticks above 200, times 5 lots.
    expect(markoutsOf(log)).toEqual([
      ...[atoms(1, 2), atoms(1, 2), atoms(1, 4), atoms(1, 8), atoms(0, 0), atoms(0, 0)],
    ]);
    expect(formatAmount(log.spread)).toBe(value(1));
  });

  test('are missing for fills near the end, and without a mid', () => {
    const log = new FillLog(replayMarket);
    log.add(trade(0), 200);
    log.add(trade(9_500), 200);
    log.pass(4_000, undefined);
    log.pass(10_100, 210);
    expect(markoutsOf(log)).toEqual([
      ...[atoms(1, 10), atoms(1, 10), atoms(0, 0), atoms(1, 10), atoms(0, 0), atoms(0, 0)],
    ]);
  });

  test('cover every fill, although only the newest are kept', () => {
    const log = new FillLog(replayMarket);
    const count = 30_000;
    const midAt = (ms: number): number => 200 + ((ms * 7) % 31);
    for (let index = 0; index < count; index++) {
      log.pass(index * 100, midAt(index * 100));
      log.add(trade(index * 100, index % 3 === 0 ? 'ASK' : 'BID'), midAt(index * 100));
    }
    for (const [horizon, seconds] of [0.01, 0.1, 1, 10, 60, 300].entries()) {
      let fills = 0;
      let half = 0;
      for (let index = 0; index < count; index++) {
        // The first update after the horizon, with the mid until then.
        const seenMs = (Math.floor((index * 100 + seconds * 1_000) / 100) + 1) * 100;
        if (seenMs > (count - 1) * 100) break;
        fills++;
        half += (midAt(seenMs) - 200) * (index % 3 === 0 ? -1 : 1);
      }
      expect(markoutsOf(log)[horizon]).toBe(atoms(fills, half));
    }
  });
});

/** The result of {@link markoutsOf} for fills of 5 lots whose mids moved by these half ticks. */
function atoms(fills: number, half: number): string {
  return `${fills}: ${value(half)}`;
}

function value(half: number): string {
  const { priceScale, volumeScale } = replayMarket;
  const text = ((half * 5) / 2 / 10 ** (priceScale + volumeScale)).toFixed(12);
  return text.replace(/\.?0+$/u, '');
}

describe('an even sample', () => {
  test('keeps all items while there is room, then every second, then every fourth', () => {
    const sample = new EvenSample<number>(8);
    for (let item = 0; item < 7; item++) sample.add(item);
    expect(sample.items).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (let item = 7; item < 21; item++) sample.add(item);
    expect(sample.items).toEqual([0, 4, 8, 12, 16, 20]);
    expect(sample.count).toBe(21);
  });
});

describe('sums of values', () => {
  const value = fc.integer({ min: -(2 ** 31), max: 2 ** 31 });
  test('are exact, also beyond what a number holds', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value)), (pairs) => {
        const sum = new ValueSum(replayMarket);
        let expected = 0n;
        for (const [half, volume] of pairs) {
          sum.add(half, volume);
          expected += BigInt(half) * BigInt(volume);
        }
        const { priceScale, volumeScale } = replayMarket;
        expect(sum.amount).toBe((expected * 10n ** BigInt(18 - priceScale - volumeScale)) / 2n);
      }),
    );
  });
});

describe('sums over minutes', () => {
  test('give mean, variance and downside of the changes', () => {
    const level = fc.bigInt(-(10n ** 24n), 10n ** 24n);
    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 50 }), (levels) => {
        const sums = new MinuteSums();
        const changes = levels.map((one, index) => Number(one - (levels[index - 1] ?? 0n)) / 1e18);
        for (const change of changes) sums.add(change);
        const mean = changes.reduce((a, b) => a + b, 0) / changes.length;
        const meanOf = (squares: readonly number[]): number =>
          squares.reduce((a, b) => a + b, 0) / squares.length;
        const variance = meanOf(changes.map((one) => (one - mean) ** 2));
        const downside = meanOf(changes.map((one) => Math.min(0, one) ** 2));
        expect(Math.abs(sums.mean - mean)).toBeLessThanOrEqual(1e-6);
        expect(Math.abs(sums.variance - variance)).toBeLessThanOrEqual(1e-9 * (1 + variance));
        expect(Math.abs(sums.downside - downside)).toBeLessThanOrEqual(1e-9 * (1 + downside));
      }),
    );
  });

  test('have no variance if all changes are equal', () => {
    const sums = new MinuteSums();
    for (let minute = 1; minute < 20; minute++) sums.add(0.3);
    expect(sums.variance).toBe(0);
  });
});

function roundTripsOf(legs: readonly Leg[]): readonly RoundTrip[] {
  const trips: RoundTrip[] = [];
  const matched = new RoundTrips((trip) => trips.push(trip));
  for (const leg of legs) matched.add(leg);
  matched.end();
  return trips;
}

describe('round trips', () => {
  const leg = (atMs: number, side: 'BID' | 'ASK', volume: number, worth: bigint): Leg => ({
    // By default, each leg is of a different order.
    order: atMs,
    atMs,
    side,
    volume,
    worth,
  });

  test('match the oldest legs first, and a short position when it is bought back', () => {
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

  test('are between two orders, in any number of fills', () => {
    const of = (order: string, one: Leg): Leg => ({ ...one, order });
    const trips = roundTripsOf([
      of('a', leg(1, 'BID', 4, 400n)),
      of('a', leg(2, 'BID', 6, 600n)),
      of('b', leg(3, 'ASK', 3, 330n)),
      of('b', leg(4, 'ASK', 7, 770n)),
      of('c', leg(5, 'ASK', 2, 240n)),
      of('d', leg(6, 'BID', 1, 100n)),
      of('e', leg(7, 'BID', 1, 130n)),
    ]);
    expect(trips).toEqual([
      { openedMs: 1, closedMs: 4, side: 'BID', profit: 100n },
      { openedMs: 5, closedMs: 6, side: 'ASK', profit: 20n },
      { openedMs: 5, closedMs: 7, side: 'ASK', profit: -10n },
    ]);
  });

  test('add up to wins, losses and streaks', () => {
    const sums = new TripSums();
    const profits = [5n, 3n, -2n, 0n, -4n, -1n, -3n, 7n];
    for (const [index, profit] of profits.entries())
      sums.add({ openedMs: index * 1_000, closedMs: index * 3_000, side: 'BID', profit });
    expect(sums).toMatchObject({
      ...{ count: 8, wins: 3, gained: 15n, lost: 10n, best: 7n, worst: -4n },
      ...{ winsInRowMax: 2, lossesInRowMax: 3, heldSeconds: 56 },
    });
  });

  test('lose no amount: a closed position has the exact profit of all payments', () => {
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
