/** What each executor asks for, by a script of prices and fills. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  chase,
  Decimal,
  dca,
  defineStrategy,
  type ExecutorPart,
  grid,
  hedge,
  iceberg,
  pov,
  sequence,
  tripleBarrier,
  twap,
} from '../../../../src/index.ts';
import { fakeContext } from '../../../../src/testing.ts';

type Given = Parameters<typeof fakeContext>[1];

/** The whole strategy is the executor. */
function play(executor: ExecutorPart, given: Given) {
  const strategy = defineStrategy({
    ...{ name: 'own', parameters: z.strictObject({}), pairs: 1 },
    run: executor,
  });
  const run = fakeContext(strategy, given);
  return { ...run, done: run.lines.filter((line) => line.includes('done')) };
}

/** Side, price and volume of what it placed, with the second. */
function placed({ intents, scales }: ReturnType<typeof play>): readonly string[] {
  const { volumeScale = 0 } = scales['XBTZAR'] ?? {};
  return intents.flatMap(({ atMs, intent }) => {
    if (intent.kind !== 'place' || 'type' in intent.terms) return [];
    const { side, price, volume, timeInForce = 'GTC' } = intent.terms;
    const amount = volume / 10 ** volumeScale;
    return [`${Math.floor(atMs / 1_000)}s ${side} ${amount} at ${price} ${timeInForce}`];
  });
}

const still = { a: { bid: '9999', ask: '10001' } } as const;
const top = ['a', still] as const;
/** The key of the first orders of a line: it has the time of the start. */
const start = Date.parse('2026-01-05T06:00:00Z').toString(36);

/** How it ended. */
const results = ({ logged }: ReturnType<typeof play>) => logged.map(({ text }) => text);

describe('twap', () => {
  const task = { side: 'BID', total: '0.0301', duration: 30_000, slices: 3 } as const;

  test('places a slice at the start of each part of its time, again each second until it fills', () => {
    const run = play(twap(task), { top, fills: ['f 10s --f 7s f', { f: {} }], for: '60s' });
    expect(placed(run)).toEqual([
      '0s BID 0.010033 at 10011 IOC',
      ...['10s', '11s', '12s', '13s'].map((at) => `${at} BID 0.010033 at 10011 IOC`),
      ...['20s', '21s'].map((at) => `${at} BID 0.010034 at 10011 IOC`),
    ]);
    expect(results(run)).toEqual([
      'twap: bought 0.0301 of 0.0301 XBT at 10011 ZAR on average ' +
        '(11.0 bps worse than the mid at the start) in 7 orders',
    ]);
    expect(run.lines.at(-1)).toContain('done (twap: bought 0.0301');
  });

  test('keeps to its share of the volume and its limit, and reports what is left', () => {
    const cap = { slices: 1, participation: 0.1, slip: 0.01, limit: '10050' } as const;
    const run = play(twap({ ...task, ...cap }), {
      top,
      trades: ['--a 9s a', { a: { price: '10000', volume: '0.1' } }],
      fills: ['--f 9s f', { f: {} }],
      for: '40s',
    });
    expect(placed(run)).toEqual(['2s BID 0.01 at 10050 IOC', '12s BID 0.01 at 10050 IOC']);
    expect(results(run)).toEqual([
      'twap: bought 0.02 of 0.0301 XBT at 10050 ZAR on average ' +
        '(50.0 bps worse than the mid at the start) in 2 orders: its time is over',
    ]);
  });

  test('waits while the market is beyond its limit, and while the book is unusable', () => {
    const run = play(twap({ ...task, limit: '10000' }), {
      top: ['a-b', { ...still, b: 'unusable' }],
      for: '9s',
    });
    expect(placed(run)).toEqual([]);
    expect(run.lines).toContain('0ms idle XBTZAR (the market is beyond the limit)');
    expect(run.lines).toContain('2s idle XBTZAR (the book is unusable)');
  });

  test('waits longer after each refusal in a row, and says why', () => {
    const refusal = (count: number) => ({ key: `${start}.work.${count}`, codes: ['HALTED'] });
    const run = play(twap({ ...task, slices: 1 }), {
      top,
      refusals: ['a-b---c', { a: refusal(1), b: refusal(2), c: refusal(3) }],
      for: '20s',
    });
    const seconds = placed(run).map((line) => line.split(' ')[0]);
    expect(seconds.slice(0, 4)).toEqual(['0s', '2s', '6s', '14s']);
    expect(run.lines).toContain('0ms idle XBTZAR (slice 1 of 1; no order: HALTED)');
  });
});

describe('after a restart', () => {
  const orders = (about: string) => ({
    about,
    startedMs: Date.parse('2026-01-05T05:59:50Z'),
    arrival: 10_000,
    lines: { work: { next: 5, first: 5, volume: 10_000, value: '100', fee: '0', recent: {} } },
  });
  const task = { side: 'BID', total: '0.03', duration: 30_000, slices: 3 } as const;

  test('twap goes on at its own time, with what was filled', () => {
    const slots = { orders: orders('BID on XBTZAR') };
    const run = play(twap(task), { top, slots, fills: ['f', { f: {} }], for: '9s' });
    expect(placed(run)).toEqual(['0s BID 0.01 at 10011 IOC']);
    expect(run.logged[0]).toEqual({
      text: 'twap goes on after a restart',
      fields: { filled: '0.01', left: '0.02' },
    });
  });

  test('another total holds at once; one that is exceeded ends it', () => {
    const slots = { orders: orders('BID on XBTZAR') };
    const more = play(twap({ ...task, total: '0.06' }), { top, slots, for: '1s' });
    expect(placed(more)[0]).toBe('0s BID 0.03 at 10011 IOC');
    const less = play(twap({ ...task, total: '0.005' }), { top, slots, for: '1s' });
    expect(placed(less)).toEqual([]);
    expect(results(less).at(-1)).toMatch(/^twap: bought 0.01 of 0.005 XBT/u);
  });

  test('another side or grid stops the strategy', () => {
    const slots = { orders: orders('BID on XBTZAR') };
    expect(() => play(twap({ ...task, side: 'ASK' }), { top, slots, for: '1s' })).toThrow(
      'twap: it has begun with BID on XBTZAR and cannot go on with ASK on XBTZAR: let it finish',
    );
    const cells = { lower: '900', upper: '1100', cells: 4, size: '0.01' };
    expect(() => play(grid(cells), { top, slots, for: '1s' })).toThrow('grid: it has begun with');
  });
});

test('sequence goes on where it was, with the next executor when one is done', () => {
  const buy = twap({ side: 'BID', total: '0.01', duration: 30_000, slices: 1 });
  const sell = twap({ side: 'ASK', total: '0.01', duration: 30_000, slices: 1 });
  const whole = play(sequence({ buy, sell }), { top, fills: ['f--f', { f: {} }], for: '9s' });
  expect(placed(whole).map((line) => line.split(' at ')[0])).toEqual([
    '0s BID 0.01',
    ...['1s', '2s', '3s'].map((at) => `${at} ASK 0.01`),
  ]);
  expect(whole.lines.at(-1)).toBe('3s done (buy, sell: all over)');
  const later = play(sequence({ buy, sell }), { top, slots: { over: ['buy'] }, for: '500ms' });
  expect(placed(later)).toEqual(['0s ASK 0.01 at 9990 IOC']);
});

test('pov keeps its share of the volume until the total is done', () => {
  const run = play(pov({ side: 'ASK', total: '0.015', rate: 0.1 }), {
    top,
    trades: ['--a 9s a', { a: { price: '10000', volume: '0.1' } }],
    fills: ['--f 9s f', { f: {} }],
    for: '40s',
  });
  expect(placed(run)).toEqual(['2s ASK 0.01 at 9990 IOC', '12s ASK 0.005 at 9990 IOC']);
  expect(results(run)[0]).toMatch(/^pov: sold 0.015 of 0.015 XBT at 9990 ZAR/u);
});

test('chase follows the best price up to its limit, with what is left', () => {
  const run = play(chase({ side: 'BID', total: '0.01', limit: '10004' }), {
    top: [
      'a---b---c',
      { ...still, b: { bid: '10003', ask: '10006' }, c: { bid: '10008', ask: '10009' } },
    ],
    fills: ['------f---g', { f: { volume: '0.004' }, g: {} }],
    for: '20s',
  });
  expect(placed(run)).toEqual([
    '0s BID 0.01 at 9999 GTC',
    '4s BID 0.01 at 10003 GTC',
    '8s BID 0.006 at 10004 GTC',
  ]);
  expect(results(run)[0]).toMatch(/^chase: bought 0.01 of 0.01 XBT at 10003.6 ZAR/u);
});

test('iceberg shows one part after the other', () => {
  const run = play(iceberg({ side: 'BID', total: '0.01', limit: '10000', display: '0.004' }), {
    top,
    fills: ['--f---f---f', { f: {} }],
    for: '20s',
  });
  expect(placed(run)).toEqual([
    '0s BID 0.004 at 10000 GTC',
    '2s BID 0.004 at 10000 GTC',
    '6s BID 0.002 at 10000 GTC',
  ]);
});

describe('tripleBarrier', () => {
  const at = (bid: number) => ({ bid: String(bid), ask: String(bid + 2) });
  const given = { position: '0.01', averagePrice: '10000', for: '9s' };
  const trailing = { activation: 0.005, delta: 0.004 };
  const barriers = { stopLoss: 0.01, takeProfit: 0.02, trailing };

  test('waits while nothing is held', () => {
    const run = play(tripleBarrier(barriers), { top, for: '5s' });
    expect(placed(run)).toEqual([]);
    expect(run.lines).toContain('0ms idle XBTZAR (nothing is held)');
  });

  test('takes the profit away before it sells at the stop, until nothing is left', () => {
    const run = play(tripleBarrier(barriers), {
      ...{ ...given, top: ['a--b', { a: at(9_999), b: at(9_899) }] },
      fills: ['---f-f', { f: { volume: '0.005' } }],
    });
    expect(placed(run)).toEqual([
      '0s ASK 0.01 at 10200 GTC',
      '3s ASK 0.01 at 9890 IOC',
      ...['4s', '5s'].map((at) => `${at} ASK 0.005 at 9890 IOC`),
    ]);
    expect(run.positions['XBTZAR']?.base).toBe(0);
    expect(results(run)).toEqual(['tripleBarrier: closed by the stop-loss']);
  });

  test('sells when the profit has fallen from its best', () => {
    const top = ['a--b-c', { a: at(9_999), b: at(10_060), c: at(10_019) }] as const;
    const run = play(tripleBarrier(barriers), { ...given, top, fills: ['-----f', { f: {} }] });
    expect(placed(run)).toEqual(['0s ASK 0.01 at 10200 GTC', '5s ASK 0.01 at 10009 IOC']);
    expect(results(run)).toEqual(['tripleBarrier: closed by the trailing stop']);
  });

  test('a short position is closed by a bid, at the first price after its time', () => {
    const run = play(tripleBarrier({ timeLimit: 5_000 }), {
      ...{ ...given, position: '-0.01', for: '10s' },
      top: ['a---b---c', { a: at(9_999), b: 'unusable', c: at(10_060) }],
      fills: ['--------f', { f: {} }],
    });
    expect(placed(run)).toEqual(['8s BID 0.01 at 10072 IOC']);
    expect(results(run)).toEqual(['tripleBarrier: closed by the time limit']);
  });
});

test('grid sells what a cell has bought one level higher, and buys again', () => {
  const cells = { lower: '9900', upper: '10100', cells: 4, size: '0.01' } as const;
  const run = play(grid({ ...cells, spacing: 'arithmetic', duration: 15_000 }), {
    top: ['a--b', { ...still, b: { bid: '9949', ask: '9951' } }],
    fills: [
      '---f----g',
      { f: { price: '9950', key: `${start}.buy2.1` }, g: { key: `${start}.sell2.1` } },
    ],
    for: '20s',
  });
  expect(placed(run)).toEqual([
    ...['10000', '9950', '9900'].map((price) => `0s BID 0.01 at ${price} GTC`),
    '3s ASK 0.01 at 10000 GTC',
    '8s BID 0.01 at 9950 GTC',
  ]);
  expect(results(run)).toEqual(['grid: bought 0.01 and sold 0.01 XBT: its time is over']);
  expect(run.orders['XBTZAR']).toEqual([]);
});

test('grid does not bid where it sells', () => {
  const cells = { lower: '9900', upper: '10100', cells: 4, size: '0.01' } as const;
  const run = play(grid({ ...cells, spacing: 'arithmetic' }), {
    top: ['a--b', { ...still, b: { bid: '10009', ask: '10011' } }],
    fills: ['-f', { f: { price: '9950', key: `${start}.buy2.1` } }],
    for: '9s',
  });
  expect(placed(run).filter((line) => line.startsWith('3s'))).toEqual([]);
  const open = run.orders['XBTZAR']?.map(({ terms: { side, price } }) => `${side} ${price}`);
  expect(open?.sort()).toEqual(['ASK 10000', 'BID 9900']);
});

test('grid keeps only the nearest orders, and what there is room for', () => {
  const cells = { lower: '9900', upper: '10100', cells: 4, size: '0.01' } as const;
  const few = play(grid({ ...cells, open: 2 }), { top, for: '2s' });
  expect(placed(few).length).toBe(2);
  const poor = play(grid(cells), { top, budget: { ZAR: '150', XBT: '0' }, for: '2s' });
  expect(placed(poor).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    '0s BID 0.01',
    expect.stringMatching(/^0s BID 0.00[45]/u),
  ]);
  expect(poor.lines.some((line) => line.includes('keeps the grid; no order: '))).toBe(true);
});

test('dca adds at worse prices, and leaves all at a profit on the average', () => {
  const options = { size: '0.01', safetyOrders: 2, safetySize: '0.01', growth: 1.5 };
  const run = play(dca({ ...options, step: 0.01, takeProfit: 0.005 }), {
    top,
    fills: [
      'f----g---h',
      { f: {}, g: { key: `${start}.safety1.1` }, h: { key: `${start}.exit.2` } },
    ],
    for: '20s',
  });
  expect(placed(run)).toEqual([
    '0s BID 0.01 at 10011 IOC',
    '0s BID 0.01 at 9910 GTC',
    '0s BID 0.015 at 9810 GTC',
    '0s ASK 0.01 at 10062 GTC',
    '5s ASK 0.02 at 10011 GTC',
  ]);
  expect(results(run)).toEqual(['dca: all is closed: entered with 0.02 XBT, holds 0']);
});

test('hedge trades the difference when it is outside the band', () => {
  const exposures = ['0.004', '0.01234567'] as const;
  const run = play(
    hedge({
      pair: 'XBTZAR',
      band: '0.005',
      exposure: ({ nowMs }) => new Decimal(exposures[nowMs() % 20_000 < 10_000 ? 0 : 1]),
    }),
    { top, fills: ['----------f---------f', { f: {} }], for: '30s' },
  );
  expect(placed(run)).toEqual([
    '10s ASK 0.012345 at 9990 IOC',
    '20s BID 0.008345 at 10011 IOC',
    '30s ASK 0.008345 at 9990 IOC',
  ]);
});
