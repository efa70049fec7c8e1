/** What DCA does beside other parts, after fees, and at its stop. */
import { concatMap, merge } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Context,
  type DcaOptions,
  dca,
  defineStrategy,
  type ExecutorPart,
  type Lots,
  place,
  type Side,
  type Ticks,
} from '../../../../src/index.ts';
import { fakeContext } from '../../../../src/testing.ts';

type Given = Parameters<typeof fakeContext>[1];
type Part = Context<unknown, unknown>;

const begun = Date.parse('2026-01-05T06:00:00Z');
const start = begun.toString(36);
const still = { a: { bid: '9999', ask: '10001' } } as const;
const options = { size: '0.01', safetyOrders: 2, safetySize: '0.01', step: 0.005 } as const;

function play(run: ExecutorPart, given: Given) {
  const strategy = defineStrategy({
    ...{ name: 'own', parameters: z.strictObject({}), pairs: 1 },
    run,
  });
  return fakeContext(strategy, given);
}

function played(change: Partial<DcaOptions>, given: Given) {
  return play(dca({ ...options, takeProfit: 0.05, ...change }), given);
}

/** Places and cancels, with their seconds. */
const asked = ({ intents }: ReturnType<typeof fakeContext>): readonly string[] =>
  intents.flatMap(({ atMs, intent }) => {
    const at = `${Math.floor(atMs / 1_000)}s`;
    if (intent.kind === 'cancel') return [`${at} cancel ${intent.key.split('.')[1]}`];
    if (intent.kind !== 'place' || 'type' in intent.terms) return [];
    const { side, volume, price } = intent.terms;
    return [`${at} ${side} ${volume} at ${price}`];
  });
const ends = ({ lines }: ReturnType<typeof fakeContext>) =>
  lines.filter((line) => line.includes(' done ('));

/** Sells or buys once beside it. */
const once =
  (second: number, side: Side, [price, volume]: readonly [number, number]) =>
  (part: Part) => {
    const [market] = part.pairs;
    const terms = { side, price: price as Ticks, volume: volume as Lots } as const;
    return part
      .every(1_000)
      .pipe(
        concatMap(() =>
          market !== undefined && part.nowMs() === begun + second * 1_000
            ? [place(market, 'once', { ...terms, timeInForce: 'IOC' }, 'another part')]
            : [],
        ),
      );
  };

/** Begins after an earlier run, of which only these lines are kept. */
const kept = (lines: Readonly<Record<string, readonly [volume: number, fee: string]>>) => ({
  orders: {
    ...{ about: 'an entry by BID on XBTZAR', startedMs: begun - 10_000, arrival: 10_000 },
    lines: Object.fromEntries(
      Object.entries(lines).map(([name, [volume, fee]]) => [
        name,
        { next: 2, first: 2, volume, value: String(volume / 100), fee, recent: {} },
      ]),
    ),
  },
});

test('at its stop it cancels all that rests, and then sells all until nothing is left', () => {
  const run = played(
    { stopLoss: 0.02, safetyOrders: 1 },
    {
      top: ['a--b', { ...still, b: { bid: '9799', ask: '9801' } }],
      fills: ['f--g-h', { f: {}, g: { volume: '0.004', key: `${start}.stop.1` }, h: {} }],
      for: '10s',
    },
  );
  expect(asked(run)).toEqual([
    ...['0s BID 10000 at 10011', '0s BID 10000 at 9960', '0s ASK 10000 at 10512'],
    ...['3s cancel safety1', '3s cancel exit', '3s ASK 10000 at 9790'],
    ...['4s ASK 6000 at 9790', '5s ASK 6000 at 9790'],
  ]);
  expect(run.positions['XBTZAR']?.base).toBe(0);
  expect(ends(run)).toEqual(['5s done (dca: all is closed: entered with 0.01 XBT, holds 0)']);
});

test('a stop that was reached stays so after a restart', () => {
  const slots = { ...kept({ entry: [10_000, '0'] }), stopped: true };
  const run = played(
    { stopLoss: 0.02 },
    { top: ['a', still], slots, position: '0.01', averagePrice: '10000', for: '500ms' },
  );
  expect(asked(run)).toEqual(['0s ASK 10000 at 9990']);
});

test('it ends when its position was closed by another part', () => {
  const both: ExecutorPart = (context) =>
    merge(
      context.part('dca', dca({ ...options, takeProfit: 0.05 })),
      context.part('close', once(5, 'ASK', [9_700, 10_000])),
    );
  const run = play(both, {
    top: ['a', still],
    fills: ['f----g', { f: { key: `dca/${start}.entry.1` }, g: { key: 'close/once' } }],
    for: '20s',
  });
  expect(run.orders['XBTZAR']).toEqual([]);
  expect(run.logged.map(({ text }) => text)).toEqual([
    'dca: dca: its position was closed by others: entered with 0.01 XBT, holds 0.01',
  ]);
});

test('a resting exit is made smaller when another part has sold of the position', () => {
  const both: ExecutorPart = (context) =>
    merge(
      context.part('dca', dca({ ...options, safetyOrders: 0, takeProfit: 0.05 })),
      context.part('close', once(5, 'ASK', [9_700, 4_000])),
    );
  const run = play(both, {
    top: ['a', still],
    fills: ['f----g', { f: { key: `dca/${start}.entry.1` }, g: { key: 'close/once' } }],
    for: '9s',
  });
  const open = run.orders['XBTZAR']?.map(({ terms }) => terms.volume);
  expect(open).toEqual([6_000]);
});

test('fees that were taken in the base currency are not for sale', () => {
  // 1 XBT was bought with a fee of 0.001, and the rest has been sold.
  const slots = kept({ entry: [1_000_000, '0.001'], exit: [999_000, '0'] });
  const run = played(
    { size: '1', safetySize: '1' },
    { top: ['a', still], slots, position: '0', for: '20s' },
  );
  expect(asked(run)).toEqual([]);
  expect(ends(run)).toEqual(['0ms done (dca: all is closed: entered with 1 XBT, holds 0)']);
});

test('what dropped safety orders have bought in an earlier run is sold, too', () => {
  const lines = { entry: [10_000, '0'], safety1: [10_000, '0'], safety2: [10_000, '0'] } as const;
  const run = played(
    { safetyOrders: 1 },
    { top: ['a', still], slots: kept(lines), position: '0.03', for: '500ms' },
  );
  expect(asked(run)).toEqual(['0s ASK 30000 at 10500']);
});

test('it has no exit while its entry is unfinished, which would trade with it', () => {
  const run = played(
    { takeProfit: 0.0005, safetyOrders: 0 },
    { top: ['a', still], fills: ['fg', { f: { volume: '0.004' }, g: {} }], for: '2s' },
  );
  expect(asked(run)).toEqual([
    ...['0s BID 10000 at 10011', '1s BID 6000 at 10011'],
    '1s ASK 10000 at 10017',
  ]);
});

test('safety orders that the market has passed stay where they are', () => {
  const falling = Object.fromEntries(
    [...'bcdefghij'].map((name, at) => [
      name,
      { bid: String(9_300 - at * 3), ask: String(9_305 - at * 3) },
    ]),
  );
  const run = played(
    { safetyOrders: 3 },
    { top: ['a-bcdefghij', { ...still, ...falling }], fills: ['f', { f: {} }], for: '15s' },
  );
  // The entry, three safety orders, each of them moved once at most, and the exit.
  expect(asked(run).length).toBeLessThan(12);
});

test('an entry too small to be sold ends it', () => {
  const run = played(
    { size: '0.0001', safetyOrders: 0 },
    { top: ['a', still], fills: ['f', { f: { volume: '0.00005' } }], for: '1m' },
  );
  expect(ends(run)).toEqual([
    '1s done (dca: it has too little to close: entered with 0.00005 XBT, holds 0.00005)',
  ]);
});
