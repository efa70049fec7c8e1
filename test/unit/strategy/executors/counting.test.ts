/** What executors count beside many other orders, and how often they ask. */
import { concat, concatMap, merge, NEVER, repeat } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Context,
  defineStrategy,
  type ExecutorPart,
  grid,
  type Intent,
  type Lots,
  place,
  pov,
  sequence,
  type Ticks,
  tripleBarrier,
  twap,
} from '../../../../src/index.ts';
import { fakeContext } from '../../../../src/testing.ts';

type Given = Parameters<typeof fakeContext>[1];

const begun = Date.parse('2026-01-05T06:00:00Z');
const start = begun.toString(36);
const still = { a: { bid: '9999', ask: '10001' } } as const;
const top = ['a', still] as const;

function play(run: ExecutorPart, given: Given) {
  const strategy = defineStrategy({
    ...{ name: 'own', parameters: z.strictObject({}), pairs: 1 },
    run,
  });
  return fakeContext(strategy, given);
}

const placed = ({ intents }: ReturnType<typeof fakeContext>, part = ''): readonly string[] =>
  intents.flatMap(({ atMs, intent }) => {
    if (intent.kind !== 'place' || 'type' in intent.terms) return [];
    if ((intent.part ?? '') !== part) return [];
    const { side, volume, price } = intent.terms;
    return [`${Math.floor(atMs / 1_000)}s ${side} ${volume} at ${price}`];
  });
const ends = ({ lines }: ReturnType<typeof fakeContext>) =>
  lines.filter((line) => line.includes(' done ('));

test('a total holds beside a part that places more orders than the bot remembers', () => {
  const spam = (part: Context<unknown, unknown>) =>
    part.every(1_000).pipe(
      concatMap((): readonly Intent[] => {
        const [market] = part.pairs;
        if (market === undefined || part.nowMs() > begun + 22_000) return [];
        const far = { side: 'BID', price: 9_000 as Ticks, volume: 100 as Lots } as const;
        return Array.from({ length: 500 }, (_, at) =>
          place(market, `s${part.nowMs()}-${at}`, { ...far, timeInForce: 'IOC' }, 'spam'),
        );
      }),
    );
  const both: ExecutorPart = (context) =>
    merge(
      context.part('twap', twap({ side: 'BID', total: '0.02', duration: 60_000, slices: 2 })),
      context.part('spam', spam),
    );
  const fills = ['f 29s g', { f: { key: `twap/${start}.work.1` }, g: {} }] as const;
  const run = play(both, { top, fills, for: '70s' });
  expect(placed(run, 'twap')).toEqual(['0s BID 10000 at 10011', '30s BID 10000 at 10011']);
  expect(run.positions['XBTZAR']?.base).toBe(20_000);
});

test('what is left of an IOC order is ordered a second later', () => {
  const run = play(twap({ side: 'BID', total: '0.02', duration: 60_000, slices: 1 }), {
    top,
    fills: ['ff', { f: { volume: '0.0001' } }],
    for: '2500ms',
  });
  expect(placed(run)).toEqual([
    ...['0s BID 20000 at 10011', '1s BID 19900 at 10011', '2s BID 19800 at 10011'],
  ]);
});

test('pov stays below its share of the volume, also where the rest is small', () => {
  const run = play(pov({ side: 'BID', total: '0.01', rate: 0.1 }), {
    ...{ top, rules: { volumeMin: '0.001' } },
    trades: ['-a', { a: { price: '10000', volume: '0.0901' } }],
    for: '3s',
  });
  expect(placed(run)[0]).toBe('1s BID 9000 at 10011');
});

test('an executor that is begun again as soon as it ends does not take its orders for new ones', () => {
  const work = twap({ side: 'BID', total: '0.01', duration: 60_000, slices: 1 });
  const run = play((context) => concat(context.part('work', work).pipe(repeat()), NEVER), {
    top,
    fills: ['ff', { f: {} }],
    for: '1500ms',
  });
  expect(placed(run, 'work')).toEqual(['0s BID 10000 at 10011', '1s BID 10000 at 10011']);
});

test('a sequence goes on when its barrier has waited long enough for a position', () => {
  const steps = {
    entry: twap({ side: 'BID', total: '0.01', duration: 5_000, slices: 1 }),
    exit: tripleBarrier({ timeLimit: 10_000, waitLimit: 20_000 }),
  };
  const run = play(sequence(steps), { top, for: '10m' });
  expect(ends(run).at(-1)).toBe('25s done (entry, exit: all over)');
});

test('a trailing stop does not fire because the position has become larger', () => {
  const add = (part: Context<unknown, unknown>) =>
    part.every(1_000).pipe(
      concatMap((): readonly Intent[] => {
        const [market] = part.pairs;
        if (market === undefined || part.nowMs() !== begun + 4_000) return [];
        const terms = { side: 'BID', price: 10_202 as Ticks, volume: 10_000 as Lots } as const;
        return [place(market, 'add', { ...terms, timeInForce: 'IOC' }, 'more')];
      }),
    );
  const guard = tripleBarrier({ trailing: { activation: 0.01, delta: 0.005 } });
  const both: ExecutorPart = (context) =>
    merge(context.part('guard', guard), context.part('add', add));
  const run = play(both, {
    top: ['a-b', { ...still, b: { bid: '10200', ask: '10202' } }],
    ...{ position: '0.01', averagePrice: '10000' },
    fills: ['----f', { f: { key: 'add/add' } }],
    for: '8s',
  });
  expect(placed(run, 'guard')).toEqual([]);
});

test('a grid keeps an order that another one is hardly nearer than', () => {
  const about = '4 cells of 0.01 from 9900 to 10100 (arithmetic) on XBTZAR';
  const bought = { next: 2, first: 2, volume: 10_000, value: '99.5', fee: '0', recent: {} };
  const orders = { about, startedMs: begun - 10_000, arrival: 10_000, lines: { buy2: bought } };
  const cells = { lower: '9900', upper: '10100', cells: 4, size: '0.01', open: 1 } as const;
  const run = play(grid({ ...cells, spacing: 'arithmetic' }), {
    top: ['abababababab', { a: { bid: '9949', ask: '9950' }, b: { bid: '9950', ask: '9952' } }],
    ...{ slots: { orders }, position: '0.01', averagePrice: '9950', for: '14s' },
  });
  expect(placed(run)).toHaveLength(1);
});

test('a cell of a grid sells what it has after fees, and buys its whole size again', () => {
  const about = '1 cells of 0.1 from 9900 to 10000 (arithmetic) on XBTZAR';
  const done = { next: 2, first: 2, volume: 100_000, value: '990', fee: '0.0002', recent: {} };
  const cells = { lower: '9900', upper: '10000', cells: 1, size: '0.1' } as const;
  const after = (lines: object, position: string) =>
    placed(
      play(grid({ ...cells, spacing: 'arithmetic' }), {
        ...{ top, position, for: '500ms' },
        slots: { orders: { about, startedMs: begun - 10_000, arrival: 10_000, lines } },
      }),
    );
  expect(after({ buy1: done }, '0.0998')).toEqual(['0s ASK 99800 at 10000']);
  const sold = { ...done, volume: 99_800, fee: '0' };
  expect(after({ buy1: done, sell1: sold }, '0')).toEqual(['0s BID 100000 at 9900']);
});
