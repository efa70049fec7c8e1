/** Candles compared with a slow, obvious builder, and at the borders of their periods. */
import fc from 'fast-check';
import { map, NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Candle } from '../../../src/domain/market-view.ts';
import { quietCandle } from '../../../src/strategy/candle-stream.ts';
import { hostOf, pass, pluginOf, saw, startMs, ticks, tradeOf, Views } from './host-fixture.ts';

/** Runs a plugin that reports its candles; `trades` are [ms after start, price, volume]. */
function candlesOf(
  trades: readonly (readonly [number, number, number])[],
  options: {
    intervalMs: number;
    untilMs: number;
    startedMs?: number;
    views?: Views;
    /** The strategy starts so much later, and knows what was traded meanwhile. */
    lateMs?: number;
  },
): Candle[] {
  const seen: Candle[] = [];
  const begunMs = options.startedMs ?? startMs;
  const host = hostOf(
    pluginOf(
      ({ pairs }) =>
        pairs[0]?.candle$(options.intervalMs).pipe(
          map((candle) => {
            seen.push(candle);
            return saw(candle.close);
          }),
        ) ?? NEVER,
    ),
    { startMs: begunMs, ...(options.views === undefined ? {} : { views: options.views }) },
  );
  const { lateMs = 0 } = options;
  const isEarly = ([atMs]: readonly [number, number, number]): boolean => atMs < lateMs;
  const early = trades
    .filter(isEarly)
    .map(([atMs, price, volume]) => ({ ...tradeOf(price, volume), atMs: startMs + atMs }));
  const known = early.map((trade) => ({ ...trade, pair: 'XBTZAR' }));
  host.start(begunMs + lateMs, { sinceMs: begunMs, trades: known });
  for (const [atMs, price, volume] of trades.filter((trade) => !isEarly(trade))) {
    pass(host, startMs + atMs);
    const trade = tradeOf(price, volume);
    host.deliver(startMs + atMs, { kind: 'trade', pair: 'XBTZAR', trade });
  }
  pass(host, startMs + options.untilMs);
  expect(host.takeFaults()).toEqual([]);
  return seen;
}

const row = ({ startMs: fromMs, open, high, low, close, volume }: Candle) => [
  fromMs - startMs,
  open,
  high,
  low,
  close,
  volume,
];

describe('candle$', () => {
  it('RD24: has open, high, low, close and volume, and closes by time also when quiet', () => {
    const trades = [
      [10, 100, 1],
      [20, 105, 2],
      [30, 95, 3],
      [999, 101, 4],
      [2_000, 90, 5],
    ] as const;
    expect(candlesOf(trades, { intervalMs: 1_000, untilMs: 3_000 }).map(row)).toEqual([
      [0, 100, 105, 95, 101, 10],
      [1_000, 101, 101, 101, 101, 0],
      [2_000, 90, 90, 90, 90, 5],
    ]);
  });

  it('leaves out a period that it did not observe from its start', () => {
    const candles = candlesOf([[700, 100, 1]], {
      intervalMs: 1_000,
      untilMs: 2_000,
      startedMs: startMs + 500,
    });
    expect(candles.map(row)).toEqual([[1_000, 100, 100, 100, 100, 0]]);
  });

  it('starts with the first known price, from history if there is one', () => {
    expect(candlesOf([], { intervalMs: 1_000, untilMs: 5_000 })).toEqual([]);
    const views = new Views();
    views.history = [quietCandle(startMs - 1_000, 1_000, ticks(77))];
    expect(candlesOf([], { intervalMs: 1_000, untilMs: 1_000, views }).map(row)).toEqual([
      [0, 77, 77, 77, 77, 0],
    ]);
  });

  it('emits a bounded number of quiet candles after a long sleep, and is on time again', () => {
    const host = hostOf(
      pluginOf(
        ({ pairs }) => pairs[0]?.candle$(1_000).pipe(map(({ startMs: at }) => saw(at))) ?? NEVER,
      ),
    );
    host.start(startMs);
    host.deliver(startMs, { kind: 'trade', pair: 'XBTZAR', trade: tradeOf(1) });
    const hourMs = 3_600_000;
    host.advance(startMs + 8 * hourMs + 300);
    expect(host.nextWakeMs()).toBe(startMs + 8 * hourMs + 1_000);
    expect(host.status).toBe('running');
  });

  it('equals a slow, obvious builder on random trades', () => {
    const trade = fc.tuple(
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 9 }),
    );
    fc.assert(
      fc.property(
        fc.array(trade, { maxLength: 40 }),
        fc.integer({ min: 1, max: 300 }),
        (gaps, intervalMs) => {
          let atMs = 0;
          const trades = gaps.map(([gapMs, price, volume]) => {
            atMs += gapMs;
            return [atMs, price, volume] as const;
          });
          const untilMs = atMs + intervalMs;
          const begun = Math.ceil(startMs / intervalMs) * intervalMs - startMs;
          const expected: number[][] = [];
          for (let fromMs = begun; fromMs + intervalMs <= untilMs; fromMs += intervalMs) {
            const inside = trades.filter(([at]) => at >= fromMs && at < fromMs + intervalMs);
            const before = trades.filter(([at]) => at < fromMs).at(-1)?.[1];
            const prices = inside.length > 0 ? inside.map(([, price]) => price) : [before ?? 0];
            const volume = inside.reduce((sum, [, , lots]) => sum + lots, 0);
            const [open = 0, close = 0] = [prices[0], prices.at(-1)];
            if (inside.length === 0 && before === undefined) continue;
            expected.push([fromMs, open, Math.max(...prices), Math.min(...prices), close, volume]);
          }
          expect(candlesOf(trades, { intervalMs, untilMs }).map(row)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is the same for a strategy that starts later and gets the trades before its start', () => {
    const trade = fc.tuple(fc.nat(9_999), fc.integer({ min: 1, max: 9 }), fc.constant(1));
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 30 }), fc.nat(9_999), (drawn, lateMs) => {
        const trades = [...drawn].sort(([a], [b]) => a - b);
        const options = { intervalMs: 1_000, untilMs: 10_000 };
        expect(candlesOf(trades, { ...options, lateMs })).toEqual(candlesOf(trades, options));
      }),
    );
  });
});
