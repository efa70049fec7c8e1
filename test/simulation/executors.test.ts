/** Executors in the whole bot: the worlds of `prove -- strategies`, outages, halts, the collar. */
import { concat, NEVER } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type ExecutorPart, grid, sequence, tripleBarrier, twap } from '../../src/index.ts';
import { executorWorlds, runExecutor } from '../prove/strategy-lists/executor-worlds.ts';
import { begin, codes } from '../support/scripted-world.ts';
import type { VirtualWorld } from '../support/virtual-world.ts';

describe('through faults and crashes', () => {
  test.each(Object.keys(executorWorlds))('%s exceeds nothing, and ends', (name) => {
    for (const seed of [3, 4]) {
      const { exceeded, isFinished, violations } = runExecutor(name, seed);
      expect({ seed, exceeded, isFinished, violations }).toEqual({
        ...{ seed, isFinished: true, violations: [] },
        exceeded: undefined,
      });
    }
  });
});

/** The volume that our orders have traded at the exchange, in lots. */
const traded = (world: VirtualWorld, side: 'BUY' | 'SELL'): number =>
  world.simulator
    .truth('desk')
    .orders.filter((order) => order.side === side)
    .reduce((sum, { base }) => sum + Math.round(Number(base) * 1e6), 0);

/** One after the other, and then nothing. */
const inTurn = (parts: Readonly<Record<string, ExecutorPart>>, notices: string[] = []) =>
  begin((context) => concat(context.part('all', sequence(parts)), NEVER), {
    ...{ onNotice: (line) => notices.push(line), onRestart: 'adopt' },
  });

const buy = { side: 'BID', total: '0.005' } as const;

test('a barrier that is reached while the exchange is unreachable acts on the next price', () => {
  const entry = twap({ ...buy, duration: 60_000, slices: 1 });
  const world = inTurn({ entry, exit: tripleBarrier({ timeLimit: 10_000 }) });
  expect([traded(world, 'BUY'), traded(world, 'SELL')]).toEqual([5_000, 0]);
  world.isMarketAway = true;
  world.kill();
  world.pass(40);
  expect(traded(world, 'SELL')).toBe(0);
  world.isMarketAway = false;
  world.pass(40);
  expect(traded(world, 'SELL')).toBeGreaterThan(4_900);
  expect(traded(world, 'SELL')).toBeLessThanOrEqual(5_000);
});

test('a market that is halted in the middle is waited for', () => {
  const notices: string[] = [];
  const world = inTurn({ work: twap({ ...buy, duration: 40_000, slices: 10 }) }, notices);
  const set = (status: 'DISABLED' | 'ACTIVE', seconds: number): void => {
    world.simulator.control({ kind: 'set-status', pair: 'XBTZAR', status }, world.time.nowMicros);
    world.pass(seconds);
  };
  set('DISABLED', 12);
  const before = traded(world, 'BUY');
  expect(before).toBeLessThan(5_000);
  expect(codes(world)).toContain('MARKET_STATUS');
  set('ACTIVE', 30);
  expect(traded(world, 'BUY')).toBe(5_000);
  expect(notices.some((line) => line.includes('twap: bought 0.005 of 0.005 XBT'))).toBe(true);
});

test('a grid whose ends are outside the collar keeps the rest, and counts what is refused', () => {
  const notices: string[] = [];
  const cells = { lower: '900000', upper: '1000000', cells: 10, size: '0.001' } as const;
  const world = inTurn({ work: grid({ ...cells, spacing: 'arithmetic' }) }, notices);
  world.pass(5);
  expect(codes(world)).toContain('COLLAR_MID');
  const open = world.reports.openOrders().map(({ price }) => Number(price));
  expect(open.length).toBeGreaterThan(2);
  expect(Math.min(...open)).toBeGreaterThan(940_000);
  expect(notices.some((line) => /no order at \d levels: COLLAR_/u.test(line))).toBe(true);
});
