/** The contract supports three different kinds of strategy; this file is also their type check. */
import { EMPTY, filter, map, merge, mergeMap, pairwise, scan, startWith } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { amount, defineStrategy, type Intent, share, span } from '../../../src/index.ts';
import { quietCandle } from '../../../src/strategy/candle-stream.ts';
import { hostOf, lots, pass, startMs, ticks, topOf, tradeOf, Views } from './host-fixture.ts';

const pair = 'XBTZAR';

const maker = defineStrategy({
  name: 'maker',
  parameters: z.strictObject({ width: share, size: amount }),
  pairs: 1,
  run: ({ parameters, pairs: [market] }) =>
    market === undefined
      ? EMPTY
      : market.top$.pipe(
          mergeMap(({ bid, ask }): Intent[] => {
            if (bid === undefined || ask === undefined) return [];
            const volume = market.lots(parameters.size);
            const mid = (bid + ask) / 2;
            const price = {
              bid: market.round(mid * (1 - parameters.width), 'down'),
              ask: market.round(mid * (1 + parameters.width), 'up'),
            };
            return [
              {
                kind: 'quote',
                pair: market.pair,
                orders: [
                  { level: 'bid', side: 'BID', price: price.bid, volume, postOnly: true },
                  { level: 'ask', side: 'ASK', price: price.ask, volume, postOnly: true },
                ],
                reason: 'around the mid',
              },
            ];
          }),
        ),
});

const emaCross = defineStrategy({
  name: 'ema-cross',
  parameters: z.strictObject({
    fast: z.int().min(1),
    slow: z.int().min(2),
    interval: span,
    size: amount,
  }),
  pairs: 1,
  warmUp: ({ slow, interval }) => ({ intervalMs: interval, candles: slow }),
  run({ parameters: { fast, slow, interval, size }, pairs: [market] }) {
    if (market === undefined) return EMPTY;
    type Averages = { readonly fast: number; readonly slow: number };
    const apply = (averages: Averages | undefined, close: number): Averages => ({
      fast:
        averages === undefined ? close : averages.fast + (2 / (fast + 1)) * (close - averages.fast),
      slow:
        averages === undefined ? close : averages.slow + (2 / (slow + 1)) * (close - averages.slow),
    });
    const warm = market.history.reduce<Averages | undefined>(
      (averages, candle) => apply(averages, candle.close),
      undefined,
    );
    return market.candle$(interval).pipe(
      scan(
        (past: { averages: Averages | undefined; startMs: number }, candle) => ({
          averages: apply(past.averages, candle.close),
          startMs: candle.startMs,
        }),
        { averages: warm, startMs: 0 },
      ),
      startWith({ averages: warm, startMs: 0 }),
      map(({ averages, startMs: atMs }) => ({
        up: averages !== undefined && averages.fast > averages.slow,
        atMs,
      })),
      pairwise(),
      filter(([before, now]) => before.up !== now.up),
      map(([, now]): Intent => {
        const side = now.up ? 'BID' : 'ASK';
        const price = (now.up ? market.top?.ask : market.top?.bid) ?? market.rules.priceMin;
        return {
          kind: 'place',
          pair: market.pair,
          key: `cross-${now.atMs}`,
          terms: { side, price, volume: market.lots(size), timeInForce: 'IOC' },
          reason: `fast average crossed ${now.up ? 'above' : 'below'} the slow one`,
        };
      }),
    );
  },
});

const dca = defineStrategy({
  name: 'dca',
  parameters: z.strictObject({ spend: amount, every: span }),
  pairs: 1,
  state: { schema: z.strictObject({ bought: z.int() }), initial: { bought: 0 } },
  run: ({ parameters, pairs: [market], every, state }) =>
    market === undefined
      ? EMPTY
      : every(parameters.every).pipe(
          mergeMap((): Intent[] => {
            const price = market.top?.ask;
            if (price === undefined) return [{ kind: 'idle', pair: market.pair, reason: 'no ask' }];
            const { bought } = state();
            const volume = market.lotsFor(parameters.spend, price);
            return [
              {
                kind: 'place',
                pair: market.pair,
                key: `buy-${bought}`,
                terms: { side: 'BID', price, volume, timeInForce: 'IOC' },
                reason: 'it is time',
              },
              { kind: 'remember', state: { bought: bought + 1 } },
            ];
          }),
        ),
});

describe('three strategies', () => {
  it('a market maker quotes both sides at each top', () => {
    const host = hostOf(maker, {
      parameters: maker.parameters.parse({ width: '1%', size: '0.01' }),
    });
    host.start(startMs);
    host.deliver(startMs, { kind: 'top', pair, top: topOf(10_000, 10_010) });
    host.deliver(startMs, { kind: 'top', pair, top: topOf(10_000, undefined) });
    expect(host.takeIntents()).toMatchObject([
      {
        kind: 'quote',
        orders: [
          { side: 'BID', price: 9_904, volume: 100 },
          { side: 'ASK', price: 10_106, volume: 100 },
        ],
      },
    ]);
  });

  it('an EMA cross trades once when the averages cross', () => {
    const views = new Views();
    views.top = topOf(9_990, 10_010);
    views.history = [quietCandle(startMs - 1_000, 1_000, ticks(10_000))];
    const parameters = emaCross.parameters.parse({ fast: 2, slow: 5, interval: '1s', size: '0.1' });
    expect(emaCross.warmUp?.(parameters)).toEqual({ intervalMs: 1_000, candles: 5 });
    const host = hostOf(emaCross, { views, parameters });
    host.start(startMs);
    const orders: [number, string, string][] = [];
    [10_000, 10_100, 10_200, 10_300, 9_000, 8_000].forEach((price, second) => {
      const trade = tradeOf(price);
      host.deliver(startMs + second * 1_000 + 500, { kind: 'trade', pair, trade });
      for (const { atMs, intent } of pass(host, startMs + (second + 1) * 1_000)) {
        if (intent.kind === 'place') orders.push([atMs - startMs, intent.terms.side, intent.key]);
      }
    });
    expect(orders).toEqual([
      [2_000, 'BID', `cross-${startMs + 1_000}`],
      [5_000, 'ASK', `cross-${startMs + 4_000}`],
    ]);
  });

  it('a DCA buys at each interval under keys that a restart continues', () => {
    const views = new Views();
    const parameters = dca.parameters.parse({ spend: '100', every: '1h' });
    const hourMs = 3_600_000;
    const keys: string[] = [];
    let stored: unknown;
    const live = (host: ReturnType<typeof hostOf>, untilMs: number) => {
      for (const { intent } of pass(host, untilMs)) {
        keys.push(intent.kind === 'place' ? intent.key : intent.kind);
        if (intent.kind === 'place') {
          expect(intent.terms).toMatchObject({ side: 'BID', price: 12_500, volume: lots(8_000) });
        }
        if (intent.kind === 'remember') stored = intent.state;
      }
    };
    const first = hostOf(dca, { views, parameters });
    first.start(startMs);
    live(first, startMs + hourMs);
    views.top = topOf(12_400, 12_500);
    live(first, startMs + 3 * hourMs);
    const second = hostOf(dca, { views, parameters, state: stored });
    second.start(startMs);
    live(second, startMs + hourMs);
    expect(keys).toEqual(['idle', 'buy-0', 'remember', 'buy-1', 'remember', 'buy-2', 'remember']);
  });

  it('parameter types reach run: this file compiles', () => {
    const host = hostOf(
      defineStrategy({
        name: 'typed',
        parameters: z.object({ a: span }),
        pairs: 'any',
        run: ({ parameters, pairs }) => {
          const wait: number = parameters.a;
          return merge(...pairs.map((market) => market.candle$(wait))).pipe(
            map(({ close }): Intent => ({ kind: 'idle', pair, reason: String(close) })),
          );
        },
      }),
      { parameters: { a: 1_000 } },
    );
    host.start(startMs);
    expect(host.nextWakeMs()).toBe(startMs + 1_000);
  });
});
