/**
 * `node --expose-gc memory-process.ts MESSAGES FOLDER REFRESH [keep]`: plays a synthetic flow, made
 * block by block, through a whole backtest whose strategy quotes every REFRESH, and prints what its
 * memory was; see {@link MemoryRun}.
 */

import { RunRecorder } from '../../src/backtest/metrics/run-recorder.ts';
import { BacktestRun } from '../../src/backtest/run/backtest-run.ts';
import { startOf } from '../../src/backtest/run/backtest-start.ts';
import { assert } from '../../src/domain/errors.ts';
import { marketOfRules } from '../../src/domain/market-rules.ts';
import { rowKind } from '../../src/market/flow/flow-block.ts';
import { FlowBlockBuilder } from '../../src/recording/file/flow-block-builder.ts';
import { prepareStrategy } from '../../src/strategy/loader.ts';
import type { MemoryRun } from './memory.ts';
import { flowStartMicros, SpeedFlow } from './speed-flow.ts';
import { emptyBook } from './speed-quoter.ts';
import { speedScenario, speedStrategies } from './speed-scenario.ts';

const samplesMax = 50;
const blockRows = 65_536;

const [count, folder, refresh, keep] = process.argv.slice(2) as [string, string, string, string];
const collect = globalThis.gc;
assert(collect !== undefined, 'node must be started with --expose-gc');

/** V8 gives the memory of dead buffers back on another thread, after the collection. */
async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    collect?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const scenario = speedScenario(folder, refresh);
const [settings] = scenario.strategies;
assert(settings !== undefined, 'the scenario must have a strategy');
const plugin = await prepareStrategy({ folder: speedStrategies, settings });
const [settled] = scenario.markets;
const market = settled && marketOfRules(settled.pair, settled.rules);
assert(settled !== undefined && market !== undefined, 'the scenario must have a market');
const run = new BacktestRun({
  start: startOf(scenario, [market], flowStartMicros),
  plugins: new Map([[settings.id, plugin]]),
  exchange: { balances: scenario.balances, latencies: scenario.latencies, seed: scenario.seed },
  markets: [
    {
      market,
      rates: [{ ...settled.fees, fromMs: 0 }],
      resting: emptyBook,
      data: { kind: 'orders' },
    },
  ],
  onNotice: () => {},
  onRow: (row) => {
    recorder.noteRow(row);
  },
});
const [marketRun] = run.marketRuns;
assert(marketRun !== undefined, 'a run must have a market');
const { accountMarket } = marketRun.feed;
const recorder = new RunRecorder(accountMarket, flowStartMicros);
run.start();

const flow = new SpeedFlow({ seed: 1, liveAim: 20_000 });
const kept: object[] = [];
const samples: { messages: number; bytes: number }[] = [];
let rssMaxBytes = 0;
const sampleEvery = Math.ceil(Number(count) / samplesMax);
let nextSample = sampleEvery;
for (let message = 0; message < Number(count); ) {
  const builder = new FlowBlockBuilder(run.rows, flow.atMicros);
  for (; builder.rows < blockRows && message < Number(count); message++)
    flow.next(({ kind, slot, isAsk, price, volume, endsMessage }, atMicros) => {
      const place = { kind, slot, isAsk, endsMessage, atMicros };
      if (kind === rowKind.create) builder.add({ ...place, price, volume });
      else if (kind === rowKind.trade) builder.add({ ...place, volume });
      else builder.add(place);
      if (keep === 'keep' && (run.rows + builder.rows) % 100 === 0) kept.push({ ...place, price });
    });
  run.load(marketRun, builder.take().block);
  run.playUntil(marketRun, Infinity);
  rssMaxBytes = Math.max(rssMaxBytes, process.memoryUsage.rss());
  if (message < nextSample) continue;
  nextSample += sampleEvery;
  await settle();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  samples.push({ messages: message, bytes: heapUsed + arrayBuffers });
}
run.endAt(run.lastRowMicros);
recorder.finish(run.lastRowMicros);
run.stop();
const found: MemoryRun = {
  samples,
  rssMaxBytes,
  orders: accountMarket.orderCount,
  fills: accountMarket.trades.count,
};
console.log(JSON.stringify(found));
