/**
 * A backtest over a compiled recording equals the backtest over its source files, to the last
 * record; a recording that is damaged, of another market, or of coarse data without a fill model is
 * refused with a reason.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backtest, runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import type { ScenarioSettings } from '../../../src/domain/scenario-settings.ts';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import type { RecordingOptions } from '../../../src/recording/file/recording-writer.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { outsideData } from '../../prove/outside-data.ts';
import { scenarioText, smallSet, writeScenario } from '../../support/backtest-scenario.ts';
import { firstRecordingFile, writeFirstRecording } from '../../support/first-recording.ts';
import { writeRecordedSet } from '../../support/recorded-set.ts';
import { onlyMarketOf, overRecording } from '../../support/scenario-market.ts';

const project = join(import.meta.dirname, '../../..');
let folder = '';
let scenario: ScenarioSettings;
let startMs = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-compiled-'));
  const rows = writeRecordedSet(folder, { name: smallSet, seed: 11, actions: 3_000 });
  startMs = Math.floor((rows[0]?.atMicros ?? 0) / 1_000);
  const { source: _, ...loaded } = loadScenario(writeScenario(folder, scenarioText(1_500)));
  scenario = loaded;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(settings: ScenarioSettings, dataFolder = folder): Promise<Backtest> {
  const strategiesFolder = join(project, 'strategies');
  return runBacktest({ scenario: settings, dataFolder, strategiesFolder });
}

async function compile(
  name: string,
  settings: ScenarioSettings,
  options: RecordingOptions = {},
  path = join(folder, smallSet),
): Promise<ScenarioSettings> {
  const { base, counter, priceScale, volumeScale } = onlyMarketOf(settings).market;
  const scales = { base, counter, priceScale, volumeScale };
  const source = await openImport({ format: 'ndjson', path, ...scales });
  await writeRecording(source, join(folder, name), options);
  return overRecording({ ...settings, folder }, name);
}

test('a scenario has the same hash over either kind of file', async () => {
  const compiled = await compile('small.mrec', scenario, { blockRows: 100, checkpointEvery: 4 });
  const [fromJson, fromColumns] = [await run(scenario), await run(compiled)];
  expect(fromJson.result.fills).toBeGreaterThan(20);
  expect(fromColumns.result).toEqual(fromJson.result);
  expect(fromColumns.hash).toBe(fromJson.hash);
  expect((await run(compiled)).hash).toBe(fromJson.hash);
}, 60_000);

test('a message of several rows reaches waiting quotes at once, over either kind of file', async () => {
  // With this flow, a quote waits while a taker's trade of two rows arrives.
  const data = join(folder, 'waiting');
  writeRecordedSet(data, { name: smallSet, seed: 1, actions: 20_000 });
  const path = join(data, 'scenario.yaml');
  writeFileSync(path, scenarioText());
  const { source: _, ...waiting } = loadScenario(path);
  const compiled = await compile('waiting.mrec', waiting, {}, join(data, smallSet));
  expect((await run(compiled)).hash).toBe((await run(waiting, data)).hash);
}, 60_000);

test('a single market under markets is played like one under market', async () => {
  const compiled = await compile('alone.mrec', scenario);
  const { rules } = onlyMarketOf(compiled).settings;
  const among = 'markets: { ABCEUR: { recording: alone.mrec } }\n';
  const path = join(folder, 'alone.yaml');
  writeFileSync(path, scenarioText(1_500).replace(/data: .*?(?=fees:)/su, among));
  const { source: _, ...named } = loadScenario(path);
  // The recording has no limits of its own.
  const scoped = { ...named, markets: named.markets.map((market) => ({ ...market, rules })) };
  const [alone, one] = [await run(compiled), await run(scoped)];
  expect(one.result).toEqual(alone.result);
  expect(one.hash).toBe(alone.hash);
}, 60_000);

test('every range of a scenario has the same hash over either kind of file', async () => {
  const compiled = await compile('ranges.mrec', scenario, { blockRows: 64, checkpointEvery: 5 });
  for (const [from, to] of [
    [60_000, 300_000],
    [123_456, undefined],
    [undefined, 200_001],
  ]) {
    const range = {
      fromMs: from === undefined ? undefined : startMs + from,
      toMs: to === undefined ? undefined : startMs + to,
    };
    const [fromJson, fromColumns] = [
      await run({ ...scenario, ...range }),
      await run({ ...compiled, ...range }),
    ];
    expect(fromColumns.result).toEqual(fromJson.result);
    expect(fromColumns.hash).toBe(fromJson.hash);
  }
}, 60_000);

const sse = outsideData('sse_600519_20230207');
test.skipIf(sse === undefined)(
  'a day of SSE has its pinned hash',
  async () => {
    const { source: _, ...day } = loadScenario(join(project, 'backtests/sse-600519/scenario.yaml'));
    const compiled = await compile('sse.mrec', day, {}, join(sse ?? '', 'derived'));
    const { hash, result } = await run(compiled);
    expect(result.fills).toBeGreaterThan(100);
    expect(hash).toBe((await run(day, join(sse ?? '', '..'))).hash);
  },
  120_000,
);

test('a recording that is damaged later gives the result up to there, marked partial', async () => {
  const compiled = await compile('damaged.mrec', scenario, { blockRows: 100, checkpointEvery: 4 });
  const path = join(folder, 'damaged.mrec');
  const recording = new Recording(path);
  const entry = recording.index.blocks[5];
  recording.close();
  if (entry === undefined) throw new Error('no block');
  const bytes = readFileSync(path);
  bytes[entry.offset + 40] = (bytes[entry.offset + 40] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const { result } = await run(compiled);
  expect(result.partial).toBe(
    `${path}: offset ${entry.offset}: the checksum of the block is wrong`,
  );
  expect(result.rows).toBe(entry.firstRow);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  await expect(run(compiled)).rejects.toThrow(/damaged\.mrec: offset 8: the checksum/u);
}, 60_000);

test('a recording that cannot be played is refused with a reason', async () => {
  const compiled = await compile('good.mrec', scenario);
  const { rules } = onlyMarketOf(compiled).settings;
  const other = overRecording(compiled, 'good.mrec', { pair: 'XYZEUR' });
  await expect(run(other)).rejects.toThrow(/records ABCEUR, but the scenario says XYZEUR/u);
  const scaled = overRecording(compiled, 'good.mrec', { rules: { ...rules, priceScale: 3 } });
  await expect(run(scaled)).rejects.toThrow(/has priceScale 2, but the scenario says 3/u);
  const late = { ...compiled, fromMs: startMs + 1e12 };
  await expect(run(late)).rejects.toThrow(/has no rows in .* it covers 2023-02-07T/u);
  const gone = overRecording(compiled, 'gone.mrec');
  await expect(run(gone)).rejects.toThrow(/gone\.mrec does not exist/u);
  const trades = join(folder, 'trades.csv');
  writeFileSync(trades, 'time_us,price,volume,side\n1000,10.5,2,buy\n');
  const currencies = { base: 'ABC', counter: 'EUR', priceScale: 2, volumeScale: 0 };
  await writeRecording(
    await openImport({ format: 'csv-trades', path: trades, ...currencies }),
    join(folder, 'trades.mrec'),
  );
  const overTrades = overRecording(compiled, 'trades.mrec');
  await expect(run(overTrades)).rejects.toThrow(
    /holds only trades, which cannot prove a fill.*fillModel/u,
  );
});

test('the recording of the first backtest equals what the simulator creates', async () => {
  const path = join(folder, 'first.mrec');
  const { index } = await writeFirstRecording(path);
  const shipped = new Recording(firstRecordingFile);
  expect(index.hash).toBe(shipped.index.hash);
  shipped.close();
  // Other library versions may compress to other bytes; the hash covers the uncompressed contents.
  if (process.versions['zstd'] === '1.5.7')
    expect(readFileSync(path).equals(readFileSync(firstRecordingFile))).toBe(true);
}, 120_000);
