/**
 * The whole bot in virtual time through storms of faults and crashes, judged by the exchange's
 * own books.
 *
 * A failing seed prints its number: `runWorld({ seed, log: console.log })` tells its story.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import { decodeEvent, decodeLine, digestOf } from '../../src/engine/journal.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { marketFramesOf } from '../../src/venues.ts';
import { type Knob, knobs } from '../support/virtual-faults.ts';
import type { WorldResult } from '../support/virtual-run.ts';
import { runWorld, VirtualWorld } from '../support/virtual-world.ts';

const seeds = Array.from({ length: 300 }, (_, i) => i + 1);

/** Returns a result's violations with the seed that had them and the end of its story. */
function storyOf(result: WorldResult): readonly string[] {
  if (result.violations.length === 0) return [];
  const lines: string[] = [];
  runWorld({ seed: result.seed, log: (line) => lines.push(line) });
  const told = lines.filter((line) => !line.includes(' ! info ')).slice(-40);
  return [`seed ${result.seed}:`, ...result.violations, ...told];
}

describe('a storm over the whole bot', { timeout: 60_000 }, () => {
  let results: readonly WorldResult[] = [];
  beforeAll(() => {
    results = seeds.map((seed) => runWorld({ seed }));
  }, 240_000);

  test('breaks no promise in any seed', () => {
    expect(results.flatMap(storyOf)).toEqual([]);
  });

  test('is a storm: every knob fires, orders fill, the bot dies and comes back', () => {
    const fired = new Set(results.flatMap((result) => Object.keys(result.faults)));
    expect(knobs.filter((knob: Knob) => !fired.has(knob))).toEqual([]);
    const sum = (of: (result: WorldResult) => number): number =>
      results.reduce((total, result) => total + of(result), 0);
    expect(sum((result) => result.fills)).toBeGreaterThan(1_000);
    expect(sum((result) => result.lives - 1)).toBeGreaterThan(50);
    const states = new Set(results.flatMap((result) => Object.keys(result.states)));
    expect([...states].sort()).toEqual(['absent', 'cancelled', 'filled', 'rejected', 'unsent']);
  });

  test('never makes the exchange refuse a call for the rate, however often it restarts (I12)', () => {
    const throttled = results.filter((result) => result.throttled > 0);
    expect(throttled.map((result) => result.seed)).toEqual([]);
    expect(results.filter((result) => result.lives > 2).length).toBeGreaterThan(5);
    expect(results.filter((result) => result.lives > 3).length).toBeGreaterThan(0);
  });

  test('is the same story for the same seed (I14)', () => {
    for (const result of results.slice(0, 12))
      expect(runWorld({ seed: result.seed }).hash).toBe(result.hash);
  });
});

describe('the journal of a simulated run', () => {
  test.each([3, 8, 21, 34])('replays with equal effects and records, seed %i', (seed) => {
    const world = new VirtualWorld({ seed, keepJournals: true });
    const result = world.run();
    let events = 0;
    for (const journal of result.journals) {
      let engine: Engine | undefined;
      for (const line of journal) {
        const block = decodeLine(line.trimEnd());
        if (block === undefined || block.kind === 'segment')
          throw new Error('the journal has a torn line');
        if (block.kind === 'header') {
          engine = new Engine(block.start, world.pluginsUsed);
          continue;
        }
        const effects = [];
        const records = [];
        for (const [atMicros, event] of block.events) {
          const step = engine?.step(atMicros, decodeEvent(event, marketFramesOf()));
          effects.push(...(step?.effects ?? []));
          records.push(...(step?.records ?? []));
          events++;
        }
        expect(JSON.stringify(effects)).toBe(JSON.stringify(block.effects));
        expect(digestOf(records)).toBe(block.records);
      }
    }
    expect(events).toBeGreaterThan(100);
  });
});

describe('a calm market', () => {
  test('costs simple-mm far fewer calls than the exchange allows, and no refusal at all', () => {
    const world = new VirtualWorld({
      seed: 7,
      level: 0,
      withChaos: false,
      halfSpread: '20bps',
      refresh: '15s',
      stormSeconds: 120,
    });
    const result = world.run();
    expect(result.violations).toEqual([]);
    expect(result.incidents).toEqual({});
    const calls = Object.values(result.calls).reduce((sum, count) => sum + count, 0);
    const perMinute = (calls / result.virtualSeconds) * 60;
    expect(perMinute).toBeLessThan(180);
    expect(perMinute).toBeGreaterThan(10);
  });
});

describe('a storm over the durable store', () => {
  test.each([101, 102, 103, 104])('breaks no promise and is the same story, seed %i', (seed) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-storm-'));
    try {
      const result = runWorld({
        seed,
        openStore: (nowMs) =>
          openSqliteStore(join(folder, 'bot.sqlite'), {
            nowMs,
            namespace: 'virtua22',
            run: { configHash: 'a', codeHash: 'b', nodeVersion: 'c' },
          }),
      });
      expect(result.violations).toEqual([]);
      expect(result.hash).toBe(runWorld({ seed }).hash);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
