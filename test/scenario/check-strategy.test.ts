/** Strategies with something planted in them, each found by what it does and where. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alterBlocks } from '../../src/backtest/run/altered-flow.ts';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { watchAmbient } from '../../src/bot/guards/nondeterminism-notes.ts';
import {
  checkStrategy,
  type StrategyCheck,
} from '../../src/cli/commands/check-strategy-command.ts';
import type { FlowBlock } from '../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import { trapNondeterminism } from '../../src/runtime/nondeterminism-detector.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { loadStrategy } from '../../src/strategy/loader.ts';
import { firstRecordingFile } from '../support/first-recording.ts';

const strategies = join(import.meta.dirname, '..', 'fixtures', 'strategies');
const shipped = join(import.meta.dirname, '..', '..', 'strategies');
const first = join(import.meta.dirname, '..', '..', 'backtests', 'first', 'scenario.yaml');

/** Checks a planted strategy over five minutes of the first recording. */
async function check(plugin: string): Promise<StrategyCheck> {
  const { source: _, ...scenario } = loadScenario(first);
  const [own] = scenario.strategies;
  if (own === undefined) throw new Error('the first scenario has a strategy');
  const fromMs = scenario.fromMs ?? 0;
  return checkStrategy({
    strategiesFolder: strategies,
    scenario: {
      ...scenario,
      toMs: fromMs + 300_000,
      strategies: [{ ...own, plugin, parameters: {} }],
    },
    dataFolder: '',
    onRun: () => {},
  });
}

/** Returns the line of a planted strategy that has `text`. */
function lineOf(plugin: string, text: string): number {
  const source = readFileSync(join(strategies, plugin, 'strategy.ts'), 'utf8');
  return source.split('\n').findIndex((line) => line.includes(text)) + 1;
}

describe('a strategy that', () => {
  test('knows nothing but what it is told has nothing to be found', async () => {
    const found = await check('knows-nothing');
    expect(found.imports).toEqual([]);
    expect(found.ambient).toEqual([]);
    expect(found.check.found).toEqual([]);
    expect(found.check.orders).toBeGreaterThan(5);
    expect(found.check.runs).toBe(14);
  });

  test('uses prices to come is found, also where it hides them in a global', async () => {
    const { check: looked, imports, ambient } = await check('looks-ahead');
    expect([...imports, ...ambient]).toEqual([]);
    expect(looked.found.map(({ kind }) => kind)).toContain('not-repeatable');
    expect(looked.found.map(({ kind }) => kind)).toContain('looks-ahead');
  });

  test('G6: a plugin that reads the clock, a generator or a file is found with its place', async () => {
    const places = async (plugin: string) =>
      (await check(plugin)).ambient.map(({ what, file, line }) => ({
        what,
        file: basename(file),
        line,
      }));
    const file = 'strategy.ts';
    const clock = lineOf('reads-clock', 'Date.now()');
    expect(await places('reads-clock')).toEqual([
      { what: 'Date.now', file, line: clock },
      { what: 'new Date()', file, line: clock },
      { what: 'performance.now', file, line: clock },
    ]);
    expect(await places('rolls-dice')).toEqual([
      { what: 'Math.random', file, line: lineOf('rolls-dice', 'Math.random') },
    ]);
    const reading = lineOf('reads-file', 'readFileSync(import');
    expect(await places('reads-file')).toEqual([
      { what: 'node:fs readFileSync', file, line: reading },
      { what: 'process.env', file, line: reading },
    ]);
  });

  test('imports what reaches the world is found without being run', async () => {
    const { imports } = await check('reads-file');
    expect(imports.map(({ specifier, line }) => ({ specifier, line }))).toEqual([
      { specifier: 'node:fs', line: 2 },
    ]);
  });

  test('draws at random is nondeterministic, and nothing says that it looks ahead', async () => {
    const { check: looked } = await check('rolls-dice');
    expect(looked.found.map(({ kind }) => kind)).toEqual(['nondeterministic']);
    expect(looked.runs).toBe(2);
  });
});

test('traps are gone when they are taken away, and tell of nothing but plugins', () => {
  const [now, random, date] = [Date.now, Math.random, Date];
  const uses: unknown[] = [];
  const untrap = trapNondeterminism({ onUse: (use) => uses.push(use) });
  expect(Date.now()).toBeGreaterThan(0);
  expect(new Date() instanceof Date).toBe(true);
  expect(Math.random()).toBeLessThan(1);
  untrap();
  expect(uses).toEqual([]);
  expect([Date.now, Math.random, Date]).toEqual([now, random, date]);
  expect(Date).toBe(date);
});

test('a watched run takes no stack for work of its own, whatever it orders', async () => {
  const { source: _, ...scenario } = loadScenario(first);
  // Loading is a plugin's code, and stacks are taken there.
  await loadStrategy(shipped, 'simple-mm');
  const { stackTraceLimit } = Error;
  let sets = 0;
  const limit = { get: () => stackTraceLimit, set: () => sets++, configurable: true };
  const run = () => {
    Object.defineProperty(Error, 'stackTraceLimit', limit);
    return runBacktest({ scenario, dataFolder: '', strategiesFolder: shipped });
  };
  const { value, ambient } = await watchAmbient(run).finally(() =>
    Object.defineProperty(Error, 'stackTraceLimit', { value: stackTraceLimit, writable: true }),
  );
  expect(ambient).toEqual([]);
  expect(value.result.orders).toBeGreaterThan(1_000);
  // A stack sets the limit and takes that back; those that remain are of files that are read.
  expect(sets / 2).toBeLessThan(100);
});

describe('an altered history', () => {
  test.each(['ends', 'later', 'larger'] as const)(
    'that %s is the same up to the cut',
    async (kind) => {
      const recording = new Recording(firstRecordingFile);
      const { startMicros } = await recording.part(-Infinity, Infinity);
      const cutMicros = startMicros + 123_456_789;
      const rowsOf = async (blocks: AsyncIterable<FlowBlock>) => {
        const rows: { atMicros: number; volume: number }[] = [];
        const cursor = new FlowCursor();
        for await (const block of blocks) {
          cursor.load(block);
          while (cursor.next()) rows.push({ atMicros: cursor.atMicros, volume: cursor.volume });
        }
        return rows;
      };
      const whole = await rowsOf((await recording.part(-Infinity, Infinity)).blocks);
      const part = await recording.part(-Infinity, Infinity);
      const altered = await rowsOf(alterBlocks(part.blocks, { cutMicros, kind }));
      recording.close();
      const before = whole.filter(({ atMicros }) => atMicros <= cutMicros).length;
      expect(before).toBeGreaterThan(100);
      expect(altered.slice(0, before)).toEqual(whole.slice(0, before));
      if (kind === 'ends') expect(altered.length).toBe(before);
      else expect(altered.slice(before)).not.toEqual(whole.slice(before));
      if (kind !== 'ends') expect(altered.length).toBe(whole.length);
    },
  );
});
