/**
 * The candles that a strategy is given at its start continue in its stream: both put a bar into the
 * period in which it ends, whatever grid the bars are on and whenever the run begins.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { barTable, coarseScenario, writeCoarse } from '../support/coarse-recordings.ts';
import { writePlugin } from '../support/planted-plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-alignment-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hour = 3_600;
const monday = Date.UTC(2024, 0, 1) / 1_000;

/** The hour of a candle, its close and its volume. */
type Seen = readonly [hour: number, close: number, volume: number];

type Told = { history: Seen[]; stream: Seen[] };

/** Puts each candle that it is given into a list of the test. */
const tells = (candles: number) => `
    const shown = ({ startMs, close, volume }) => [startMs / 3_600_000, close, volume];
    const { told } = globalThis;
    told.history.push(...market.history.map(shown));
    return market.candle$(3_600_000).pipe(
      rx.tap((candle) => told.stream.push(shown(candle))), rx.ignoreElements());
}, warmUp: () => ({ intervalMs: 3_600_000, candles: ${candles} }), quoting() { return undefined;`;

async function candlesFrom(from: number | undefined, begins: readonly number[], name: string) {
  const place = join(folder, name);
  mkdirSync(place);
  const recording = await writeCoarse(place, 'candles', barTable(begins));
  const fillModel = `{ halfSpread: "0.02", volumeShare: "10%", interval: "${begins[1]! - begins[0]!}s" }`;
  const text = coarseScenario(recording, fillModel, 0)
    .replace('plugin: simple-mm', 'plugin: tells')
    .replace(/parameters: \{.*\}/u, 'parameters: {}')
    .replace('bookAgeMax: "30s"', 'bookAgeMax: "24h"');
  const since = from === undefined ? '' : `from: "${new Date(from * 1_000).toISOString()}"\n`;
  const scenario = join(place, 'scenario.yaml');
  writeFileSync(scenario, text.replace('latencies:', `${since}latencies:`));
  const told: Told = { history: [], stream: [] };
  Object.assign(globalThis, { told });
  await runBacktest({
    scenario: loadScenario(scenario),
    dataFolder: '',
    strategiesFolder: writePlugin(place, 'tells', tells(from === undefined ? 0 : 30)),
  });
  return told;
}

/** Sessions from 09:30 to 16:30 on five days, in bars of this length. */
const sessions = (length: number): number[] =>
  Array.from({ length: 5 }, (_, day) => monday + day * 24 * hour + 9.5 * hour).flatMap((open) =>
    Array.from({ length: (7 * hour) / length }, (_, index) => open + index * length),
  );

test.each([
  ['half past, at a whole hour', hour, 87],
  ['half past, when a bar begins', hour, 61.5],
  ['half past, within a bar', hour, 61.25],
  ['half past, at the first bar of a day', hour, 57.5],
  ['half past, in the night', hour, 70],
  ['half hours, at a whole hour', hour / 2, 61],
  ['half hours, at half past', hour / 2, 61.5],
])(
  'bars that begin at %s',
  async (name, length, hours) => {
    const begins = sessions(length);
    const from = monday + hours * hour;
    const whole = await candlesFrom(undefined, begins, `${name}, whole`);
    const { history, stream } = await candlesFrom(from, begins, name);
    expect(history.length).toBeGreaterThan(10);
    // As documented, the candle of the period in which the run begins is in neither.
    const began = Math.floor(from / hour);
    const first = history[0]?.[0] ?? 0;
    const shown = (candles: readonly Seen[]) => candles.map((one) => one.join(' '));
    expect(shown([...history, ...stream])).toEqual(
      shown(whole.stream.filter(([at]) => at >= first && (from % hour === 0 || at !== began))),
    );
  },
  60_000,
);
