/** fakeContext: what a strategy sees of a script, and what the test sees of the strategy. */
import { EMPTY, map, merge, mergeMap, NEVER, type Observable, of, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  amount,
  type Context,
  defineStrategy,
  holdStrategy,
  type Intent,
  param,
  quoteStrategy,
  share,
  span,
} from '../../../src/index.ts';
import { fakeContext } from '../../../src/testing.ts';
import joinTheBid from '../../../strategies/join-the-bid/strategy.ts';
import maCross from '../../../strategies/ma-cross/strategy.ts';
import simpleMm from '../../../strategies/simple-mm/strategy.ts';

const pair = 'XBTZAR';
const top = { bid: '999', ask: '1001' };

/** A plugin of one pair, which may emit what the types forbid. */
function strategyOf(run: (context: Context<unknown, number>) => Observable<unknown>) {
  return defineStrategy<unknown, number>({
    name: 'scripted',
    parameters: z.unknown(),
    pairs: 'any',
    state: { schema: z.number(), initial: 0 },
    run: (context) => run(context) as Observable<Intent>,
  });
}

/** A strategy that says what it sees, one idle for each event. */
function saying(see: (context: Context<unknown, number>) => Observable<unknown>) {
  return strategyOf((context) =>
    see(context).pipe(map((seen) => ({ kind: 'idle', pair, reason: JSON.stringify(seen) }))),
  );
}

const reasons = (run: { readonly intents: readonly { atMs: number; intent: Intent }[] }) =>
  run.intents.map(({ atMs, intent }) => [atMs, 'reason' in intent ? intent.reason : intent.kind]);

describe('the streams', () => {
  test('tops are emitted at the start and when a price changes; volumes on their own stream', () => {
    const script = {
      top: [
        'ab(c)',
        {
          a: top,
          b: { ...top, bidVolume: '2' },
          c: { bid: '998' },
        },
      ],
    } as const;
    const seen = saying(({ pairs: [market] }) => market?.top$ ?? EMPTY);
    expect(reasons(fakeContext(seen, script)).map(([atMs]) => atMs)).toEqual([0, 2_000]);
    const volumes = saying(({ pairs: [market] }) => market?.topWithVolume$ ?? EMPTY);
    expect(reasons(fakeContext(volumes, script)).map(([atMs]) => atMs)).toEqual([0, 1_000, 2_000]);
  });

  test('a book that cannot be used has no prices, and usable$ says so', () => {
    const seen = saying(
      ({ pairs: [market] }) =>
        market?.usable$.pipe(map((usable) => [usable, market.top?.bid ?? null])) ?? EMPTY,
    );
    const run = fakeContext(seen, { top: ['a-u-a', { a: top, u: 'unusable' }] });
    expect(reasons(run)).toEqual([
      [0, '[true,999]'],
      [2_000, '[false,null]'],
      [4_000, '[true,999]'],
    ]);
  });

  test('trades, candles of their own, and time', () => {
    const seen = saying(({ pairs: [market], every }) =>
      market === undefined
        ? EMPTY
        : merge(
            market.trade$.pipe(map(({ price, side }) => `${side} ${price}`)),
            market.candle$(60_000).pipe(map(({ open, high, close }) => [open, high, close])),
            every(100_000).pipe(map((count) => `tick ${count}`)),
          ),
    );
    const run = fakeContext(seen, {
      trades: ['5s t', { t: { price: '7', side: 'ASK' } }],
      candles: ['-cd', { c: { open: '8', high: '12', close: '10' }, d: { close: '11' } }],
    });
    expect(reasons(run)).toEqual([
      [5_000, '"ASK 7"'],
      [60_000, '[7,7,7]'],
      [100_000, '"tick 0"'],
      [120_000, '[8,12,10]'],
      [180_000, '[11,11,11]'],
    ]);
  });

  test('several pairs each have their own script, and share the money', () => {
    const seen = strategyOf(({ pairs, available }) =>
      merge(
        ...pairs.map((market) =>
          market.top$.pipe(
            map(() => ({
              ...{ kind: 'idle', pair: market.pair },
              reason: `${available('XBT').toFixed()} ${available('ETH').toFixed()}`,
            })),
          ),
        ),
      ),
    );
    const run = fakeContext(seen, {
      pairs: [
        { top: ['a', { a: top }] },
        { pair: 'ETHXBT', rules: { priceScale: 4 }, top: ['-a', { a: { bid: '0.0501' } }] },
      ],
      available: { XBT: '3' },
    });
    expect(run.lines).toEqual(['0ms idle XBTZAR (3 0)', '1s idle ETHXBT (3 0)']);
  });
});

describe('the orders', () => {
  const script = {
    parameters: { size: '0.01' },
    budget: { XBT: '0.02', ZAR: '1000000' },
    top: ['a 9s b', { a: top, b: { bid: '1000', ask: '1002' } }],
    fills: ['20s f 9s f', { f: { level: 'bid' } }],
  } as const;

  test('rest until they are filled, which moves position and money; a quote fills up again', () => {
    const run = fakeContext(joinTheBid, script);
    expect(run.lines).toEqual([
      '0ms quote XBTZAR: BID 0.01 at 999 post-only (joins the best bid)',
      '10s quote XBTZAR: BID 0.01 at 1000 post-only (joins the best bid)',
      '20s quote XBTZAR: BID 0.01 at 1000 post-only (joins the best bid)',
      '30s quote XBTZAR: nothing (nobody bids, or the budget is used up)',
    ]);
    expect(run.positions[pair]).toMatchObject({ base: 20_000, highest: 20_000 });
    expect(run.positions[pair]?.averagePrice?.toFixed()).toBe('1000');
    expect(run.orders[pair]).toEqual([]);
  });

  test('of a partial fill rest with what is left', () => {
    const fills = ['20s f', { f: { volume: '0.004', price: '998' } }] as const;
    const run = fakeContext(joinTheBid, { ...script, fills });
    expect(run.orders[pair]).toMatchObject([{ level: 'bid', filled: 4_000, state: 'open' }]);
    expect(run.positions[pair]).toMatchObject({ base: 4_000, highest: 10_000, lowest: 4_000 });
  });

  test('take what they may cost from what is available', () => {
    const seen = strategyOf(({ pairs: [market], available }) =>
      market === undefined
        ? EMPTY
        : market.top$.pipe(
            mergeMap(() => {
              const terms = { side: 'BID', price: market.ticks('100'), volume: market.lots('2') };
              const place = { kind: 'place', pair, key: `k${available('ZAR').toFixed()}`, terms };
              return [{ ...place, reason: 'spends' }];
            }),
          ),
    );
    const tops = { a: top, b: { bid: '998', ask: '1001' } };
    const run = fakeContext(seen, { available: { ZAR: '1000' }, top: ['ab', tops] });
    expect(run.orders[pair]?.map(({ key }) => key)).toEqual(['k1000', 'k800']);
  });

  test('that never rest end when time passes', () => {
    const run = fakeContext(maCross, {
      parameters: { candle: '60s', fast: 1, slow: 3, size: '0.01', slip: '10bps' },
      history: [{ close: '1000' }, { close: '1000' }],
      top: ['a 4m ', { a: top }],
      candles: ['cc', { c: { close: '1010' } }],
    });
    expect(run.intents.filter(({ intent }) => intent.kind === 'place')).toMatchObject([
      { atMs: 60_000, intent: { terms: { side: 'BID', timeInForce: 'IOC' } } },
      { atMs: 120_000 },
    ]);
    expect(run.orders[pair]).toEqual([]);
  });

  test('a key that was used is refused, as the engine does', () => {
    const place = (key: string) => ({
      ...{ kind: 'place', pair, key, reason: 'again' },
      terms: { side: 'BID', price: 1, volume: 1 },
    });
    const run = fakeContext(strategyOf(() => merge(of(place('a'), place('a')), NEVER)));
    expect(run.refusals).toEqual([
      { key: 'a', codes: ['KEY_USED'], observed: 'a', limit: 'a new' },
    ]);
    expect(run.orders[pair]).toHaveLength(1);
  });

  test('are kept within the tolerance of the quote, by the planner of the engine', () => {
    const run = fakeContext(simpleMm, {
      parameters: { halfSpread: '20bps', size: '0.01', refresh: '15s', tolerance: '2bps' },
      top: [
        'a 14s b 14s c',
        {
          a: { bid: '999900', ask: '1000100' },
          b: { bid: '999950', ask: '1000150' },
          c: { bid: '989900', ask: '990100' },
        },
      ],
      for: '1m',
    });
    const keys = run.orders[pair]?.map(({ key }) => key.split('.')[1]);
    expect(keys).toEqual(['3', '4']);
  });
});

test('state, printed lines and refusals of the script come through', () => {
  const strategy = strategyOf((context) => {
    const [market] = context.pairs;
    return (market?.refusal$ ?? EMPTY).pipe(
      map(({ codes }) => {
        console.log('refused', codes[0]);
        return { kind: 'remember', state: context.state() + 1 };
      }),
    );
  });
  const run = fakeContext(strategy, {
    state: 41,
    refusals: ['r', { r: { key: 'k', codes: ['COLLAR'] } }],
  });
  expect(run.state).toBe(42);
  expect(run.printed).toEqual(['refused COLLAR']);
  expect(run.refusals).toEqual([
    { key: 'k', codes: ['COLLAR'], observed: 'missing', limit: 'missing' },
  ]);
});

describe('a fault fails the test with the words of the engine', () => {
  const quote = { kind: 'quote', pair, reason: 'wrong' };
  const order = { level: 'a', side: 'BID', price: 1, volume: 1 };

  test.each([
    [{ ...quote, orders: [{ ...order, volume: 0 }] }, /INVALID_INTENT: orders\[0\]\.volume must/u],
    [{ ...quote, orders: [order], more: 1 }, /quote has no member more/u],
    [
      { ...quote, orders: [order, { ...order, level: 'b', side: 'ASK' }] },
      /QUOTE_CROSSED: quote crosses itself: the bid of level a at 1 ticks/u,
    ],
    [
      { ...quote, pair: 'NOPE', orders: [] },
      /pair must be one of the strategy's pairs \(XBTZAR\)/u,
    ],
  ])('%j', (intent, message) => {
    expect(() => fakeContext(strategyOf(() => of(intent)))).toThrow(message);
  });

  test('a strategy that throws or ends', () => {
    const throwing = strategyOf(() => throwError(() => new RangeError('no way')));
    expect(() => fakeContext(throwing)).toThrow(/stopped at 2026-01-05T06.*threw: .*no way/u);
    expect(() => fakeContext(strategyOf(() => EMPTY))).toThrow(/completed: the stream of intents/u);
  });

  test('a strategy that answers its own orders for ever', () => {
    const endless = strategyOf(({ pairs: [market] }) => {
      let count = 0;
      const place = () => ({
        ...{ kind: 'place', pair, key: `k${count++}`, reason: 'again' },
        terms: { side: 'BID', price: 1, volume: 1 },
      });
      return merge((market?.order$ ?? EMPTY).pipe(map(place)), of(place()), NEVER);
    });
    expect(() => fakeContext(endless)).toThrow(/its own orders for more than 64 rounds/u);
  });
});

describe('a script that cannot be played is refused, and the message says why', () => {
  const strategy = strategyOf(() => NEVER);

  test.each([
    [
      { top: ['ab', { a: top }] },
      /top: the marbles "ab" have "b", which has no value; there are a/u,
    ],
    [{ top: ['a|', { a: top }] }, /have \|, #, \^ or !/u],
    [
      { top: ['a', { a: { bid: '1.5' } }] },
      /top\.bid must be a price above 0 with at most 0 dec.*"1\.5"/u,
    ],
    [{ top: ['a', { a: { bid: '2', ask: '2' } }] }, /the bid of 2 is not below the ask of 2/u],
    [{ trades: ['a', { a: { price: 'x' } }] }, /trades\.price must be/u],
    [{ candles: ['a', { a: { close: '2', high: '1' } }] }, /not between low and high/u],
    [
      { fills: ['f', { f: { level: 'bid' } }] },
      /names 0 orders by .*the open orders of XBTZAR are none/u,
    ],
    [{ start: 'yesterday' }, /start must be a time in ISO 8601, was "yesterday"/u],
    [{ for: '5' }, /for must be a span such as/u],
    [{ for: '1s', top: ['--a', { a: top }] }, /for: "1s" ends before the last event of top/u],
    [{ rules: { priceMin: '0.5' } }, /the rules of XBTZAR do not fit/u],
    [{ pairs: [{}, {}] }, /names a pair twice/u],
  ])('%j', (script, message) => {
    expect(() => fakeContext(strategy, script as never)).toThrow(message);
  });

  test('parameters that do not fit', () => {
    expect(() => fakeContext(joinTheBid, {})).toThrow(/parameters\.size: is missing/u);
    expect(() => fakeContext({ ...joinTheBid })).toThrow(/must be what defineStrategy returned/u);
  });
});

describe('parameters that an operator sets', () => {
  const ranged = { description: 'A parameter.', mayChange: true } as const;

  test('move the quotes of a shape at once, in size, distance, tolerance and rhythm', () => {
    const strategy = quoteStrategy({
      name: 'quotes',
      parameters: {
        width: param(share, { ...ranged, from: '1bps', to: '5%' }),
        size: param(amount, { ...ranged, from: '0.01', to: '1' }),
        refresh: param(span, { ...ranged, from: '1s', to: '1m', default: '1m' }),
      },
      quote: ({ mid, parameters: { width } }) => ({ bid: mid * (1 - width) }),
    });
    const { lines } = fakeContext(strategy, {
      parameters: { width: '1%', size: '0.01' },
      top: ['a', { a: { bid: '999', ask: '1001' } }],
      set: [
        '--abc',
        { a: { width: '2%' }, b: { size: '0.02', tolerance: '10%' }, c: { refresh: '2s' } },
      ],
      for: '7s',
    });
    expect(lines.map((line) => line.replace(/ post-only \(around.*$/u, ''))).toEqual([
      '0ms quote XBTZAR: BID 0.01 at 990',
      '2s quote XBTZAR: BID 0.01 at 980',
      '3s quote XBTZAR: BID 0.02 at 980',
      '4s quote XBTZAR: BID 0.02 at 980',
      '6s quote XBTZAR: BID 0.02 at 980',
    ]);
  });

  test('hold at the next candle of a strategy that holds', () => {
    const strategy = holdStrategy({
      name: 'holds',
      parameters: { size: param(amount, { ...ranged, from: '0.01', to: '1' }) },
      hold: () => ({ share: 1, why: 'in' }),
    });
    const { lines } = fakeContext(strategy, {
      parameters: { size: '0.01' },
      top: ['a', { a: { bid: '999', ask: '1001' } }],
      candles: ['aaa', { a: { close: '1000' } }],
      set: ['- 60s a', { a: { size: '0.03', slip: '1%' } }],
    });
    expect(lines.map((line) => line.replace(/ \d{13}/u, ''))).toEqual([
      '1m place XBTZAR: BID 0.01 at 1002 IOC (in)',
      '2m place XBTZAR: BID 0.03 at 1011 IOC (in)',
      '3m place XBTZAR: BID 0.03 at 1011 IOC (in)',
    ]);
  });

  test('are refused as a bot refuses them', () => {
    const set = { a: { halfSpread: '30' } };
    const run = () =>
      fakeContext(simpleMm, {
        parameters: { halfSpread: '20bps', size: '0.01' },
        set: ['-a', set],
      });
    expect(run).toThrow('halfSpread was "30": must be a share such as "20bps" or "2%"');
  });
});

describe('feeds', () => {
  const seen = strategyOf((context) => {
    const feed = context.feed('reference');
    return merge(
      feed.value$.pipe(map(({ values }) => JSON.stringify(values))),
      feed.usable$.pipe(map((usable) => `usable ${usable}`)),
    ).pipe(map((said) => ({ kind: 'idle', pair, reason: `${said}, ${feed.value}` })));
  });

  test('say what the script says, and become stale', () => {
    const values = { a: '1000.50', b: { bid: '1', ask: '2' }, s: 'stale' } as const;
    const run = fakeContext(seen, {
      top: ['a', { a: top }],
      feeds: { reference: ['-a-sb', values] },
    });
    expect(reasons(run)).toEqual([
      [1_000, '{"value":"1000.50"}, 1000.50'],
      [3_000, 'usable false, undefined'],
      [4_000, '{"bid":"1","ask":"2"}, undefined'],
    ]);
  });

  test('that are no numbers are refused by name', () => {
    expect(() => fakeContext(seen, { feeds: { reference: ['a', { a: '1e3' }] } })).toThrow(
      'fakeContext: feeds.reference: value must be decimal text such as "1000.5" or stale, was "1e3"',
    );
  });
});
