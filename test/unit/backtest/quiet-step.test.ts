/**
 * Messages without listeners take a fast path through the engine: some are applied only when the
 * next event happens. With a strategy that reacts only to timers and fills, most messages take the
 * fast path; a run in which none does must give the same records, to the last byte. This includes
 * gaps and crossed books, which must not be skipped, and synthetic flows of trades and candles. An
 * NDJSON data set and the recording that is made of it give the same records, too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { EngineContext } from '../../../src/engine/engine-context.ts';
import type { StepInput } from '../../../src/engine/stepping/step-input.ts';
import { StrategyRunner } from '../../../src/engine/strategy-runner.ts';
import type { FeedResult } from '../../../src/market/feed/feed-result.ts';
import { MarketFeed } from '../../../src/market/feed/market-feed.ts';
import type { FlowItem } from '../../../src/recording/file/flow-item.ts';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { scenarioText, smallSet, writeScenario } from '../../support/backtest-scenario.ts';
import {
  barLines,
  coarseScenario,
  tradeLines,
  writeCoarse,
} from '../../support/coarse-recordings.ts';
import { writeRecordedSet } from '../../support/recorded-set.ts';
import { onlyMarketOf, overRecording } from '../../support/scenario-market.ts';

const strategiesFolder = join(import.meta.dirname, '../../prove/strategies');
const shippedFolder = join(import.meta.dirname, '../../../strategies');
const fixturesFolder = join(import.meta.dirname, '../../fixtures/strategies');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-quiet-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns how many steps took an input of a kind. */
function countOf(
  calls: readonly (readonly [number, StepInput])[],
  kind: StepInput['kind'],
): number {
  return calls.filter(([, input]) => input.kind === kind).length;
}

/** Applies the rows of a message, whether or not somebody needs them. */
function applyPlainly(
  this: MarketFeed,
  ...[flow, atMicros, wantsTrades]: Parameters<MarketFeed['applyNext']>
): FeedResult {
  flow.take();
  return this.applyFlow(flow.cursor, atMicros, wantsTrades);
}

test.each([1, 2, 3])(
  'most messages of flow %i take the fast path, with the same records',
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
    const written = await writeRecording(source, join(folder, 'small.mrec'), { blockRows: 100 });
    const options = { dataFolder: folder, strategiesFolder };
    vi.spyOn(Engine.prototype, 'isQuiet').mockReturnValue(false);
    vi.spyOn(MarketFeed.prototype, 'applyNext').mockImplementation(applyPlainly);
    const fromJson = await runBacktest({ ...options, scenario });
    vi.restoreAllMocks();

    const steps = vi.spyOn(Engine.prototype, 'step');
    const fromColumns = await runBacktest({
      ...options,
      scenario: overRecording({ ...scenario, folder }, 'small.mrec'),
    });
    expect(written.index.counts.messages).toBeGreaterThan(2 * countOf(steps.mock.calls, 'flow'));
    vi.restoreAllMocks();

    expect(fromJson.result.fills).toBeGreaterThan(20);
    expect(fromColumns.result).toEqual(fromJson.result);
    expect(fromColumns.hash).toBe(fromJson.hash);
    const [inColumns, inJson] = [fromColumns.recorders[0], fromJson.recorders[0]];
    expect(inColumns?.presence).toBeDefined();
    expect(inColumns?.presence).toEqual(inJson?.presence);
    expect(inColumns?.samples).toEqual(inJson?.samples);
    expect(inColumns?.log.markouts).toEqual(inJson?.log.markouts);
    expect(inColumns?.trades).toEqual(inJson?.trades);
    expect(inColumns?.orders).toEqual(inJson?.orders);
  },
  60_000,
);

/** Occasionally adds a gap or an order that crosses the book between two messages. */
async function* withTrouble(
  batches: AsyncIterable<readonly FlowItem[]>,
): AsyncGenerator<readonly FlowItem[], void> {
  let messages = 0;
  for await (const items of batches)
    for (const item of items) {
      yield [item];
      const { atMicros } = item;
      if ('endsMessage' in item && !item.endsMessage) continue;
      const place = { sequence: 0, atMicros, endsMessage: true };
      const [price, volume] = [10_900 as Ticks, 5 as Lots];
      const bid = { ...place, kind: 'create', id: 'crosses', side: 'BID', price, volume } as const;
      if (++messages % 200 === 0) yield [bid];
      else if (messages % 200 === 7) yield [{ ...place, kind: 'delete', id: 'crosses' }];
      else if (messages % 200 === 100) yield [{ kind: 'gap', atMicros }];
    }
}

test.each([1_000, 700_000])(
  'a gap and a crossed book are processed in time without listeners, at a latency of %i us',
  async (latencyUs) => {
    writeRecordedSet(folder, { name: smallSet, seed: 4, actions: 3_000 });
    const text = scenarioText(latencyUs)
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
    const troubled = { ...source, items: withTrouble(source.items) };
    await writeRecording(troubled, join(folder, 'troubled.mrec'), { blockRows: 100 });
    const options = { dataFolder: folder, strategiesFolder };
    const troubledScenario = overRecording({ ...scenario, folder }, 'troubled.mrec');
    const run = () => runBacktest({ ...options, scenario: troubledScenario });
    const fastForwards = vi.spyOn(Engine.prototype, 'fastForward');
    const faults = vi.spyOn(MarketFeed.prototype, 'invalidate');
    const late = await run();
    expect(fastForwards.mock.calls.length).toBeGreaterThan(500);
    expect(faults.mock.calls.length).toBeGreaterThan(20);
    vi.restoreAllMocks();
    vi.spyOn(Engine.prototype, 'isQuiet').mockReturnValue(false);
    const atOnce = await run();
    vi.restoreAllMocks();

    expect(late.result.fills).toBeGreaterThan(20);
    expect(late.result).toEqual(atOnce.result);
    expect(late.hash).toBe(atOnce.hash);
    expect(late.recorders[0]?.samples).toEqual(atOnce.recorders[0]?.samples);
  },
  60_000,
);

test.each([
  ['trades', 1_000],
  ['trades', 700_000],
  ['candles', 0],
  ['candles', 20_000],
] as const)(
  'flow of %s without listeners gives the same records, at a latency of %i us',
  async (grade, latencyUs) => {
    // While orders rest, the first message after a second without messages is a separate step.
    const lines = grade === 'trades' ? tradeLines(5, 3_000) : barLines(5, 3_000, 1);
    const fillModel = `{ halfSpread: "0.02", volumeShare: "10%"${grade === 'trades' ? '' : ', interval: "1s"'} }`;
    const text = coarseScenario(await writeCoarse(folder, grade, lines), fillModel, latencyUs)
      .replace('simple-mm', 'timed-quoter')
      .replace(/parameters: .*/u, 'parameters: { size: "10", refresh: "2s" }');
    const { source: _, ...scenario } = loadScenario(writeScenario(folder, text));
    const run = () => runBacktest({ scenario, dataFolder: folder, strategiesFolder });
    const fastForwards = vi.spyOn(Engine.prototype, 'fastForward');
    const late = await run();
    expect(fastForwards.mock.calls.length).toBeGreaterThan(grade === 'trades' ? 200 : 10);
    vi.restoreAllMocks();
    vi.spyOn(Engine.prototype, 'isQuiet').mockReturnValue(false);
    const atOnce = await run();
    vi.restoreAllMocks();

    expect(late.result.fills).toBeGreaterThan(5);
    expect(late.result).toEqual(atOnce.result);
    expect(late.hash).toBe(atOnce.hash);
    expect(late.recorders[0]?.samples).toEqual(atOnce.recorders[0]?.samples);
  },
  60_000,
);

test.each([0, 20_000, 700_000])(
  'a strategy that uses only candles needs no step for each message, at %i us',
  async (latencyUs) => {
    const recording = await writeCoarse(folder, 'candles', barLines(6, 20_000, 1));
    const fillModel = '{ halfSpread: "0.02", volumeShare: "50%", interval: "1s" }';
    const text = coarseScenario(recording, fillModel, latencyUs)
      .replace('simple-mm', 'ma-cross')
      .replace(
        /parameters: .*/u,
        'parameters: { candle: "1m", fast: 1, slow: 2, size: "2", slip: "1%" }',
      )
      .replace('timeInForce: [GTC], postOnly: required', 'timeInForce: [IOC], postOnly: never');
    const { source: _, ...scenario } = loadScenario(writeScenario(folder, text));
    const run = () =>
      runBacktest({ scenario, dataFolder: folder, strategiesFolder: shippedFolder });
    const steps = vi.spyOn(Engine.prototype, 'step');
    const records = vi.spyOn(EngineContext.prototype, 'record');
    const notices = vi.spyOn(EngineContext.prototype, 'notice');
    const late = await run();
    const idleRecords = records.mock.calls.filter(([{ kind }]) => kind === 'idle');
    const idleNotices = notices.mock.calls.filter(([{ topic }]) => topic === 'idle');
    const lateSteps = countOf(steps.mock.calls, 'flow');
    vi.spyOn(Engine.prototype, 'isQuiet').mockReturnValue(false);
    const atOnce = await run();
    const allSteps = countOf(steps.mock.calls, 'flow') - lateSteps;
    vi.spyOn(StrategyRunner.prototype, 'collectorsAlone').mockReturnValue([]);
    const byEvents = await run();
    vi.restoreAllMocks();

    // The strategy is idle for many reasons, which nobody reads.
    expect([idleRecords, idleNotices]).toEqual([[], []]);
    expect(lateSteps).toBeLessThan(allSteps / 3);
    expect(late.result.fills).toBeGreaterThan(5);
    expect(byEvents.hash).toBe(late.hash);
    expect(late.result).toEqual(atOnce.result);
    expect(late.hash).toBe(atOnce.hash);
    expect(late.recorders[0]?.samples).toEqual(atOnce.recorders[0]?.samples);
  },
  60_000,
);

test.each([
  ['ma-cross', 20_000, '{ candle: "1m", fast: 1, slow: 2, size: "2", slip: "1%" }', shippedFolder],
  // It subscribes to candles when the top changes, which is delivered before the trades.
  ['new-candles', 2_000, '{ candle: "10ms" }', fixturesFolder],
])(
  'candles of %s are the same whether their trades are events or only collected',
  async (plugin, actions, parameters, strategiesFolder) => {
    writeRecordedSet(folder, { name: smallSet, seed: 7, actions });
    const text = scenarioText(1_500)
      .replace('simple-mm', plugin)
      .replace(/parameters: .*/u, `parameters: ${parameters}`)
      .replace('timeInForce: [GTC], postOnly: required', 'timeInForce: [IOC], postOnly: never');
    const { source: _, ...scenario } = loadScenario(writeScenario(folder, text));
    const { base, counter, priceScale, volumeScale } = onlyMarketOf(scenario).market;
    const path = join(folder, smallSet);
    const scales = { base, counter, priceScale, volumeScale };
    const source = await openImport({ format: 'ndjson', path, ...scales });
    await writeRecording(source, join(folder, 'crossing.mrec'), { blockRows: 100 });
    const options = { dataFolder: folder, strategiesFolder };
    const run = () =>
      runBacktest({
        ...options,
        scenario: overRecording({ ...scenario, folder }, 'crossing.mrec'),
      });
    vi.spyOn(Engine.prototype, 'isQuiet').mockReturnValue(false);
    const collected = await run();
    vi.spyOn(StrategyRunner.prototype, 'collectorsAlone').mockReturnValue([]);
    const byEvents = await run();
    vi.restoreAllMocks();
    const late = await run();

    expect(collected.result.fills).toBeGreaterThan(5);
    expect(byEvents.hash).toBe(collected.hash);
    expect(late.hash).toBe(collected.hash);
  },
  60_000,
);

test('a timer that is due between two milliseconds runs at the next one', async () => {
  const recording = await writeCoarse(folder, 'candles', barLines(8, 20, 1));
  const fillModel = '{ halfSpread: "0.02", volumeShare: "50%", interval: "1s" }';
  const text = coarseScenario(recording, fillModel, 0)
    .replace('simple-mm', 'fraction-timer')
    .replace(/parameters: .*/u, 'parameters: {}');
  const { source: _, ...scenario } = loadScenario(writeScenario(folder, text));
  const reasons: string[] = [];
  let steps = 0;
  const { startMicros, endMicros } = await runBacktest({
    ...{ scenario, dataFolder: folder, strategiesFolder: fixturesFolder },
    onRecords: (records) => {
      for (const record of records) if (record.kind === 'idle') reasons.push(record.reason);
    },
    onHeartbeat: () => {
      // A wake-up that comes too early would come again and again.
      if (++steps > 100_000) throw new Error('the run does not move on');
    },
  });
  const elapsedMs = (endMicros - startMicros) / 1_000;
  expect(reasons.length).toBeGreaterThan(elapsedMs / 1.5 / 2);
  expect(reasons.at(-1)).toBe(`timer ${reasons.length - 1}`);
});
