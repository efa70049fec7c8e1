/** What executors refuse at the start: each error names the executor, the option and its value. */
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

const valid = {
  twap: { side: 'BID', total: '0.01', duration: 60_000, slices: 4 },
  pov: { side: 'BID', total: '0.01', rate: 0.1 },
  chase: { side: 'ASK', total: '0.01' },
  iceberg: { side: 'BID', total: '0.01', limit: '999', display: '0.001' },
  tripleBarrier: { stopLoss: 0.01 },
  grid: { lower: '900', upper: '1100', cells: 4, size: '0.01' },
  dca: { size: '0.01', safetyOrders: 2, safetySize: '0.01', step: 0.01, takeProfit: 0.01 },
  hedge: { pair: 'XBTZAR', exposure: () => new Decimal(0), band: '0.01' },
} as const;
type Name = keyof typeof valid;
const made = { twap, pov, chase, iceberg, tripleBarrier, grid, dca, hedge } as unknown as Readonly<
  Record<Name, (options: unknown) => ExecutorPart>
>;

/** Begins an executor as the whole of a strategy; a strategy that throws fails the call. */
function begin(name: Name, options: unknown): void {
  const strategy = defineStrategy({
    ...{ name: 'own', parameters: z.strictObject({}), pairs: 1 },
    run: (context) => made[name](options)(context),
  });
  fakeContext(strategy, { top: ['a--', { a: { bid: '999', ask: '1001' } }] });
}

const refused: readonly (readonly [name: Name, change: object, said: string])[] = [
  ['twap', { total: '0.00001' }, 'twap: total must be at least 0.0001 XBT, the smallest order of'],
  ['pov', { total: '0.00001' }, 'pov: total must be at least 0.0001 XBT'],
  ['grid', { size: '0.00001' }, 'grid: size must be at least 0.0001 XBT'],
  ['dca', { safetySize: '0.00001' }, 'dca: safetySize must be at least 0.0001 XBT'],
  ['iceberg', { display: '0.00001' }, 'iceberg: display must be at least 0.0001 XBT'],
  ['twap', { total: '-1' }, 'twap: total must be a decimal text above 0, such as "0.01", was "-1"'],
  ['twap', { total: 0.01 }, 'twap: total must be a decimal text above 0, such as "0.01", was 0.01'],
  ['twap', { slices: 101 }, 'twap: slices must be at most 100, so that each has 0.0001 XBT'],
  ['twap', { slices: 0 }, 'twap: slices must be a whole number from 1 to 10000, was 0'],
  ['twap', { side: 'BUY' }, 'twap: side must be BID or ASK, was "BUY"'],
  ['twap', { duration: '60s' }, 'twap: duration must be whole milliseconds above 0, was "60s"'],
  ['twap', { participation: 5 }, 'twap: participation must be a share above 0 and below 1, such'],
  ['twap', { slipp: 0.1 }, 'twap: slipp is unknown; allowed: pair, side, total, limit'],
  ['chase', { pair: 'ETHZAR' }, 'chase: pair must be one that the strategy trades (XBTZAR), was'],
  ['pov', { rate: 0 }, 'pov: rate must be a share above 0 and below 1'],
  ['tripleBarrier', { stopLoss: -0.01 }, 'tripleBarrier: stopLoss must be a share above 0 and'],
  [
    'tripleBarrier',
    { stopLoss: undefined },
    'tripleBarrier: one of stopLoss, takeProfit, trailing',
  ],
  [
    'tripleBarrier',
    { trailing: { delta: 0 } },
    'tripleBarrier: trailing must be { activation, delta',
  ],
  [
    'grid',
    { lower: '1100', upper: '900' },
    'grid: lower must be below upper, was lower 1100 and upper 900',
  ],
  ['grid', { lower: '999', upper: '1001' }, 'grid: cells must be fewer, since two prices are both'],
  ['dca', { step: 0.6 }, 'dca: step must be below 0.5 with 2 safety orders, was 0.6'],
  ['hedge', { exposure: 1 }, 'hedge: exposure must be a function, was 1'],
  [
    'hedge',
    { exposure: () => 1 },
    'hedge: exposure must return a finite Decimal or undefined, was 1',
  ],
];

describe('an executor', () => {
  test.each(Object.keys(valid) as Name[])('%s begins with valid options', (name) => {
    begin(name, valid[name]);
  });

  test.each(Object.keys(valid) as Name[])('%s refuses what is no object', (name) => {
    expect(() => begin(name, undefined)).toThrow(`${name}: options must be an object`);
  });

  test('sequence refuses what is no executor', () => {
    expect(() => sequence({ entry: 1 as never })).toThrow(
      'sequence: steps must be executors by name, entry was 1',
    );
  });

  test.each(refused)('%s refuses %o', (name, change, said) => {
    expect(() => begin(name, { ...valid[name], ...change })).toThrow(said);
  });
});
