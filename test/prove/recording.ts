/**
 * A compiled recording gives the same backtest as the files it was made from, takes at most 8 bytes
 * a message without ids, and is faster to read: both paths run in turns, in one process.
 *
 * The order flow is a day of SSE if it is there, else random. Times are of this thread's CPU, so a
 * decompression that runs beside it is not in them; the whole backtests are.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { Market } from '../../src/domain/market.ts';
import { MarketFeed } from '../../src/market/feed/market-feed.ts';
import { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import { BlockEncoder } from '../../src/recording/file/block-encoder.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import { type FlowSource, writeRecording } from '../../src/recording/file/flow-source.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import { importNdjson } from '../../src/recording/import/import-ndjson.ts';
import { OrderFlowReader, readFlowSnapshot } from '../../src/recording/import/order-flow-reader.ts';
import { ReplayMarket } from '../../src/replay-exchange/fill-models/replay-market.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { scenarioText, smallSet } from '../support/backtest-scenario.ts';
import { orderHistoryOf } from '../support/encoded-history.ts';
import { writeRecordedSet } from '../support/recorded-set.ts';
import { onlyMarketOf, overRecording } from '../support/scenario-market.ts';
import { howToGet, outsideData } from './outside-data.ts';
import type { Prover } from './prover.ts';

const realDay = 'sse_600519_20230207';
const bytesPerMessageMax = 8;
const plantLostRow = 'lost-row';
const roundsWarm = 3;
const roundsMeasured = 9;

type Ground = {
  readonly name: string;
  /** Has the set's folder. */
  readonly dataFolder: string;
  readonly scenario: string;
  readonly flowFolder: string;
};

function groundIn(folder: string): Ground {
  const set = outsideData(realDay);
  const root = join(import.meta.dirname, '../..');
  if (set !== undefined)
    return {
      name: realDay,
      dataFolder: join(set, '..'),
      scenario: join(root, 'backtests/sse-600519/scenario.yaml'),
      flowFolder: join(set, 'derived'),
    };
  writeRecordedSet(folder, { name: smallSet, seed: 1, actions: 20_000 });
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, scenarioText());
  return { name: 'random', dataFolder: folder, scenario, flowFolder: join(folder, smallSet) };
}

/** Leaves the thousandth row out. */
async function* withoutOne(items: FlowSource['items']): AsyncGenerator<readonly FlowItem[], void> {
  let seen = 0;
  for await (const batch of items) yield batch.filter(() => ++seen !== 1_000);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

async function cpuSeconds(work: () => Promise<number>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}

function replayOf(market: Market): ReplayMarket {
  return new ReplayMarket({
    market,
    data: { kind: 'orders' },
    rates: [{ maker: '0', taker: '0', fromMs: 0 }],
    listener: () => {},
  });
}

async function playNdjson({ flowFolder }: Ground, market: Market): Promise<number> {
  const model = replayOf(market);
  const encoder = new BlockEncoder();
  encoder.start(await readFlowSnapshot(join(flowFolder, 'snapshot.json.gz'), market));
  orderHistoryOf(model).start(encoder.resting().block);
  const reader = new OrderFlowReader(join(flowFolder, 'events.ndjson.gz'), market);
  const row = new FlowCursor();
  for await (const rows of reader.batches()) {
    for (const one of rows) encoder.add(one);
    const block = encoder.take()?.block;
    if (block === undefined) continue;
    row.load(block);
    while (row.next()) model.apply(row);
  }
  return orderHistoryOf(model).book.size;
}

async function playRecording(recording: Recording, withFeed: boolean): Promise<number> {
  const { market } = recording.header;
  const model = replayOf(market);
  const feed = new MarketFeed(market);
  const part = await recording.part();
  orderHistoryOf(model).start(part.resting);
  feed.startFlow(part.resting, part.startMicros, 0);
  const row = new FlowCursor();
  const late = new FlowCursor();
  for await (const block of part.blocks) {
    row.load(block);
    late.load(block);
    while (row.next()) {
      model.apply(row);
      if (withFeed && row.endsMessage) feed.applyFlow(late, row.atMicros);
    }
  }
  return orderHistoryOf(model).book.size;
}

export const recordingProver: Prover = {
  name: 'recording',
  title: 'a compiled recording gives the same backtest as its source, in fewer bytes and less time',
  compared: ['messages'],
  plants: { [plantLostRow]: 'the thousandth row is left out of the recording' },
  run: async ({ plant }) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-recording-'));
    const notes: string[] = [];
    try {
      const ground = groundIn(folder);
      const { source: _, ...scenario } = loadScenario(ground.scenario);
      const { market } = onlyMarketOf(scenario);
      const { base, counter, priceScale, volumeScale } = market;
      const scales = { base, counter, priceScale, volumeScale };
      const source = await importNdjson(ground.flowFolder, scales);
      const path = join(folder, 'day.mrec');
      const { index } = await writeRecording(
        plant === plantLostRow ? { ...source, items: withoutOne(source.items) } : source,
        path,
      );
      const again = join(folder, 'again.mrec');
      const second = await writeRecording(await importNdjson(ground.flowFolder, scales), again);
      const { rows, messages } = index.counts;

      const compiled = overRecording({ ...scenario, folder }, 'day.mrec');
      const strategiesFolder = join(import.meta.dirname, '../../strategies');
      const wall: Record<'ndjson' | 'recording', number[]> = { ndjson: [], recording: [] };
      const hashes = new Set<string>();
      for (let round = 0; round < 3; round++)
        for (const kind of ['ndjson', 'recording'] as const) {
          const used = kind === 'recording' ? compiled : scenario;
          const startMs = performance.now();
          const { dataFolder } = ground;
          const run = await runBacktest({ scenario: used, dataFolder, strategiesFolder });
          wall[kind].push((performance.now() - startMs) / 1_000);
          hashes.add(run.hash);
        }

      const recording = new Recording(path);
      const loops = {
        ndjson: () => playNdjson(ground, market),
        replay: () => playRecording(recording, false),
        replayAndBook: () => playRecording(recording, true),
      };
      const cpu: Record<keyof typeof loops, number[]> = {
        ndjson: [],
        replay: [],
        replayAndBook: [],
      };
      for (let round = 0; round < roundsWarm + roundsMeasured; round++)
        for (const name of ['ndjson', 'replay', 'replayAndBook'] as const) {
          const seconds = await cpuSeconds(loops[name]);
          if (round >= roundsWarm) cpu[name].push(seconds);
        }
      recording.close();

      const perSecond = (name: keyof typeof loops) => Math.round(rows / median(cpu[name]));
      const bytesPerMessage = index.bytes / messages;
      let violations = 0;
      const judge = (isRight: boolean, note: string): void => {
        if (isRight) return;
        violations++;
        notes.push(note);
      };
      judge(hashes.size === 1, `the backtests differ: ${[...hashes].join(' ')}`);
      judge(bytesPerMessage <= bytesPerMessageMax, `${bytesPerMessage} bytes a message`);
      if (plant === undefined)
        judge(index.hash === second.index.hash, 'two compilations have different hashes');
      const ratio = (slow: number, fast: number) => Math.round((slow / fast) * 100) / 100;
      const isWhole = outsideData(realDay) !== undefined;
      return {
        ...(isWhole ? {} : { missing: [howToGet(realDay)] }),
        figures: {
          source: ground.name,
          rows,
          messages,
          equalHash: hashes.size === 1,
          bytesPerMessage: Math.round(bytesPerMessage * 1_000) / 1_000,
          bytesPerMessageWithIds:
            Math.round(((index.bytes + index.sideBytes) / messages) * 1_000) / 1_000,
          rowsPerSecondNdjson: perSecond('ndjson'),
          rowsPerSecondReplay: perSecond('replay'),
          rowsPerSecondReplayAndBook: perSecond('replayAndBook'),
          ratioReplay: ratio(median(cpu.ndjson), median(cpu.replay)),
          ratioReplayAndBook: ratio(median(cpu.ndjson), median(cpu.replayAndBook)),
          backtestSecondsNdjson: Math.round(median(wall.ndjson) * 1_000) / 1_000,
          backtestSecondsRecording: Math.round(median(wall.recording) * 1_000) / 1_000,
          ratioBacktest: ratio(median(wall.ndjson), median(wall.recording)),
        },
        violations,
        notes,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
