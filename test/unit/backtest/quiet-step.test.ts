/**
 * Messages that nobody waits for take a short way through the engine. A recording in columns takes
 * it, the same rows as NDJSON do not, and a strategy that looks at timers and fills only sees most
 * messages pass: both must give the same records, to the last byte.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runBacktest } from '../../../src/backtest/run-backtest.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { writeRecording } from '../../../src/recording/flow-source.ts';
import { openImport } from '../../../src/recording/import.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { scenarioText, smallSet, writeScenario } from '../../support/backtest-scenario.ts';
import { writeRecordedSet } from '../../support/recorded-set.ts';
import { onlyMarketOf, overRecording } from '../../support/scenario-market.ts';

const strategiesFolder = join(import.meta.dirname, '../../prove/strategies');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-quiet-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([1, 2, 3])(
  'most messages of flow %i take the short way, to the same records',
  async (seed) => {
    writeRecordedSet(folder, { name: smallSet, seed, actions: 3_000 });
    const text = scenarioText(1_500)
      .replace('simple-mm', 'timed-quoter')
      .replace(/parameters: .*/u, 'parameters: { size: "10", refresh: "2s" }');
    const { source: _, ...scenario } = loadScenario(writeScenario(folder, text));
    const { base, counter, priceScale, volumeScale } = onlyMarketOf(scenario).market;
    const path = join(folder, smallSet);
    const source = await openImport({
      format: 'ndjson',
      path,
      ...{ base, counter, priceScale, volumeScale },
    });
    await writeRecording(source, join(folder, 'small.mrec'), { blockRows: 100 });
    const options = { dataFolder: folder, strategiesFolder };
    const fromJson = await runBacktest({ ...options, scenario });

    const steps = vi.spyOn(Engine.prototype, 'stepFlow');
    const fromColumns = await runBacktest({
      ...options,
      scenario: overRecording({ ...scenario, folder }, 'small.mrec'),
    });
    const quiet = steps.mock.results.filter(({ value }) => value === undefined).length;
    expect(quiet).toBeGreaterThan(steps.mock.results.length / 2);
    steps.mockRestore();

    expect(fromJson.result.fills).toBeGreaterThan(20);
    expect(fromColumns.result).toEqual(fromJson.result);
    expect(fromColumns.hash).toBe(fromJson.hash);
    const [inColumns, inJson] = [fromColumns.recorders[0], fromJson.recorders[0]];
    expect(inColumns?.presence).toBeDefined();
    expect(inColumns?.presence).toEqual(inJson?.presence);
    expect(inColumns?.samples).toEqual(inJson?.samples);
    expect(inColumns?.log.fills).toEqual(inJson?.log.fills);
  },
  60_000,
);
