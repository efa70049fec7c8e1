/** ma-cross, driven through the host: when it trades, at which price, and when it waits. */
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/domain/intent.ts';
import type { Market } from '../../../src/domain/market.ts';
import type { Candle } from '../../../src/domain/market-view.ts';
import type { OwnOrder } from '../../../src/strategy/own-views.ts';
import plugin from '../../../strategies/ma-cross/strategy.ts';
import {
  hostOf,
  lots,
  pass,
  startMs,
  ticks,
  topOf,
  tradeOf,
  Views,
} from '../strategy/host-fixture.ts';

const pair = 'XBTZAR';
const minute = 60_000;
const given = { candle: '60s', fast: 1, slow: 3, size: '0.01', slip: '10bps' };

function candleOf(close: number, index: number): Candle {
  const price = ticks(close);
  const prices = { open: price, high: price, low: price, close: price };
  return {
    startMs: startMs - (9 - index) * minute,
    intervalMs: minute,
    ...prices,
    volume: lots(1),
  };
}

/** A host with closes from before the run; the test then adds the close of each minute. */
function start(
  history: readonly number[],
  parameters: Partial<typeof given> = {},
  rules: Partial<Market> = {},
) {
  const views = new Views();
  views.market = { ...views.market, ...rules };
  views.top = topOf(999_900, 1_000_100);
  views.history = history.map(candleOf);
  const host = hostOf(plugin, {
    views,
    parameters: plugin.parameters.parse({ ...given, ...parameters }),
  });
  host.start(startMs);
  let atMs = startMs;
  const close = (price: number): Intent | undefined => {
    host.deliver(atMs + 1, { kind: 'trade', pair, trade: tradeOf(price) });
    atMs += minute;
    const taken = pass(host, atMs);
    expect(taken.length).toBeLessThanOrEqual(1);
    return taken[0]?.intent;
  };
  return { views, close };
}

const hold = (volume: number) => ({
  base: lots(volume),
  highest: lots(volume),
  lowest: lots(volume),
});

describe('ma-cross', () => {
  it('buys when the fast average is above, at most slip worse than the best price', () => {
    const { close } = start([100, 100]);
    expect(close(101)).toEqual({
      kind: 'place',
      pair,
      key: String(startMs),
      terms: { side: 'BID', price: 1_001_100, volume: 100, timeInForce: 'IOC' },
      reason: 'the fast average is above',
    });
  });

  it('sells its position when the fast average is no longer above', () => {
    const { views, close } = start([100, 100]);
    views.position = hold(99);
    expect(close(101)).toMatchObject({
      kind: 'idle',
      reason: 'holds what it wants: the fast average is above',
    });
    expect(close(100)).toMatchObject({
      key: String(startMs + minute),
      terms: { side: 'ASK', price: 998_901, volume: 99, timeInForce: 'IOC' },
    });
    views.position = hold(0);
    expect(close(99)).toMatchObject({
      kind: 'idle',
      reason: 'holds what it wants: the fast average is not above',
    });
  });

  it('waits for the candles of the slow average, and drops older ones', () => {
    const { close } = start([1]);
    expect(close(100)).toMatchObject({ kind: 'idle', reason: '2 of 3 candles' });
    expect(close(100)).toMatchObject({ kind: 'place' });
    // The close of 1, which would lower the average below the last close, is not in the last three.
    expect(close(100)).toMatchObject({
      kind: 'idle',
      reason: 'holds what it wants: the fast average is not above',
    });
  });

  it('idles while an order is open or the other side of the book is empty', () => {
    const { views, close } = start([100, 100]);
    const order: OwnOrder = {
      key: '1',
      terms: { side: 'BID', price: ticks(1), volume: lots(1) },
      filled: lots(0),
      state: 'unknown',
      cancelling: false,
    };
    views.orders = [order];
    expect(close(101)).toMatchObject({ kind: 'idle', reason: 'an order is open' });
    views.orders = [];
    views.top = topOf(999_900, undefined);
    expect(close(102)).toMatchObject({
      kind: 'idle',
      reason: 'the other side of the book is empty',
    });
    views.top = undefined;
    expect(close(103)).toMatchObject({
      kind: 'idle',
      reason: 'the other side of the book is empty',
    });
  });

  it('counts dust as part of its next position', () => {
    const { views, close } = start([100, 100], { size: '0.02' }, { volumeMin: lots(50) });
    views.position = hold(49);
    const reason =
      'holds what it wants, with a remainder of 0.0049 XBT: the fast average is not above';
    expect(close(99)).toMatchObject({ kind: 'idle', reason });
    expect(close(101)).toMatchObject({ terms: { side: 'BID', volume: 151 } });
    views.position = hold(50);
    expect(close(90)).toMatchObject({ terms: { side: 'ASK', volume: 50 } });
  });

  it("places no order at a price outside the market's range", () => {
    const { close } = start([100, 100], {}, { priceMax: ticks(1_001_099) });
    expect(close(101)).toMatchObject({
      kind: 'idle',
      reason: "no bid: the price 10011.00 is outside the market's range of 0.01 to 10010.99 ZAR",
    });
  });

  it('needs candles from before the run, and refuses invalid parameters', () => {
    const parse = (change: object) => plugin.parameters.safeParse({ ...given, ...change });
    const parameters = plugin.parameters.parse({ ...given, candle: '1h', slow: 24 });
    expect(plugin.warmUp?.(parameters)).toEqual({ intervalMs: 3_600_000, candles: 24 });
    expect(parse({}).success).toBe(true);
    for (const change of [
      { fast: 3 },
      { fast: 0 },
      { slow: 1_001 },
      { slow: 2.5 },
      { slip: '100%' },
    ])
      expect(parse(change).success, JSON.stringify(change)).toBe(false);
  });
});
