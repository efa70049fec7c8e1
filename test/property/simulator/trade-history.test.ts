/** Random trades: candles and public trades equal those computed from the whole list each time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candleDurations } from '../../../src/domain/candle-durations.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import {
  addTrade,
  createTradeHistory,
  earliestCandles,
  newestTrades,
  type PublicTrade,
} from '../../../src/venues/luno/simulator/core/trade-history.ts';

const startMs = 1_795_176_000_000;

const scripts = fc.array(
  fc.record({
    // Mostly within a minute, sometimes hours or days later.
    laterMs: fc.oneof(
      { weight: 6, arbitrary: fc.nat(40_000) },
      { weight: 2, arbitrary: fc.nat(7_200_000) },
      { weight: 1, arbitrary: fc.nat(400_000_000) },
    ),
    price: fc.integer({ min: 90, max: 110 }),
    volume: fc.integer({ min: 1, max: 9 }),
    takerSide: fc.constantFrom('BID' as const, 'ASK' as const),
  }),
  { maxLength: 150 },
);

function tradesOf(script: typeof scripts extends fc.Arbitrary<infer T> ? T : never): PublicTrade[] {
  let timeMs = startMs;
  return script.map(({ laterMs, price, volume, takerSide }, index) => {
    timeMs += laterMs;
    return {
      sequence: BigInt(index + 1),
      timeMs,
      price: price as Ticks,
      volume: volume as Lots,
      takerSide,
    };
  });
}

function historyOf(trades: readonly PublicTrade[]) {
  const market = { history: createTradeHistory(), volumeByMinute: new Map<number, Lots>() };
  for (const trade of trades) addTrade(market, trade);
  return market;
}

/** Computes candles from all trades, one period after the other. */
function slowCandles(
  trades: readonly PublicTrade[],
  range: { readonly sinceMs: number; readonly seconds: number; readonly nowMs: number },
) {
  const stepMs = range.seconds * 1000;
  const first = trades[0];
  if (first === undefined) return [];
  const candles = [];
  for (let start = first.timeMs - (first.timeMs % stepMs); start <= range.nowMs; start += stepMs) {
    const inside = trades.filter(({ timeMs }) => timeMs >= start && timeMs < start + stepMs);
    const before = trades.findLast(({ timeMs }) => timeMs < start);
    const prices = inside.map(({ price }) => price);
    const quiet = before?.price ?? 0;
    candles.push({
      startMs: start,
      open: prices[0] ?? quiet,
      high: prices.length === 0 ? quiet : Math.max(...prices),
      low: prices.length === 0 ? quiet : Math.min(...prices),
      close: prices.at(-1) ?? quiet,
      volume: inside.reduce((sum, { volume }) => sum + volume, 0),
    });
    if (candles.length > 5000) break;
  }
  return candles.filter(({ startMs: at }) => at >= range.sinceMs).slice(0, 1000);
}

test('candles equal those of the slow computation', () => {
  fc.assert(
    fc.property(
      scripts,
      fc.constantFrom(...candleDurations),
      fc.integer({ min: -3_600_000, max: 90_000_000 }),
      fc.nat(600_000),
      (script, seconds, offsetMs, restMs) => {
        const trades = tradesOf(script);
        const nowMs = (trades.at(-1)?.timeMs ?? startMs) + restMs;
        const range = { sinceMs: startMs + offsetMs, seconds, nowMs };
        const { history } = historyOf(trades);
        expect(earliestCandles(history, range)).toEqual(slowCandles(trades, range));
      },
    ),
    { numRuns: 200 },
  );
});

test('public trades are the newest hundred of the last 24 hours after a time', () => {
  fc.assert(
    fc.property(scripts, fc.option(fc.nat(3_600_000), { nil: undefined }), (script, agoMs) => {
      const trades = tradesOf(script);
      const nowMs = trades.at(-1)?.timeMs ?? startMs;
      const sinceMs = agoMs === undefined ? undefined : nowMs - agoMs;
      const wanted = trades
        .filter(({ timeMs }) => timeMs >= nowMs - 86_400_000)
        .filter(({ timeMs }) => sinceMs === undefined || timeMs > sinceMs)
        .slice(-100)
        .reverse();
      expect(newestTrades(historyOf(trades).history, { sinceMs, nowMs })).toEqual(wanted);
    }),
    { numRuns: 200 },
  );
});
