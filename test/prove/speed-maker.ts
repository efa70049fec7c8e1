/**
 * What an order costs in a whole backtest: a maker that quotes both sides, and the same maker whose
 * intents are dropped. Gate, executor, records, metrics and the result file are included; the
 * exchange's limit of calls is not, since it would only make orders wait.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricsOf } from '../../src/backtest/metrics/run-metrics.ts';
import { type Backtest, runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { writeResultFile } from '../../src/cli/result-file.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Step } from '../../src/engine/event.ts';
import type { StepInput } from '../../src/engine/stepping/step-input.ts';
import { StrategyRunner } from '../../src/engine/strategy-runner.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { speedStrategies } from './speed-scenario.ts';

export type MakerSums = {
  readonly orders: number;
  readonly fills: number;
  readonly rows: number;
  /** Given by a run that is measured in parts. */
  readonly steps?: StepTimes;
};

/**
 * Time inside the engine, and how many steps it was, by what was stepped. What strategies decide in
 * a step, and the planning, checking and placing of orders that follow, is in `decisions` alone.
 */
export type StepTimes = Readonly<Record<StepKind, { readonly steps: number; readonly ms: number }>>;
export const stepKinds = ['replies', 'timers', 'reports', 'rows', 'decisions'] as const;
export type StepKind = (typeof stepKinds)[number];

/** Plays `flow.mrec` of the folder with the maker; `quotes` false drops what it decides. */
export async function runMaker(folder: string, quotes: boolean): Promise<MakerSums> {
  const parameters = `{ size: "0.01", refresh: "1500ms", quotes: ${quotes} }`;
  const scenario = loadScenario(writeMakerScenario(folder, { plugin: 'maker', parameters }));
  const backtest = await runBacktest({
    scenario,
    dataFolder: '',
    strategiesFolder: speedStrategies,
  });
  await writeResults(join(folder, `maker-${quotes}.json`), backtest);
  const { orders, fills, rows } = backtest.result;
  return { orders, fills, rows };
}

/** As {@link runMaker}, and says how long the steps of each kind took. */
export async function runMakerInParts(folder: string): Promise<MakerSums> {
  const times = new StepClock();
  const restore = watchSteps(times);
  try {
    return { ...(await runMaker(folder, true)), steps: times.taken };
  } finally {
    restore();
  }
}

async function writeResults(path: string, { result, run, recorders }: Backtest): Promise<void> {
  const metrics = recorders.map((recorder, index) => {
    const accountMarket = run.marketRuns[index]?.feed.accountMarket;
    return (
      accountMarket &&
      metricsOf(recorder, accountMarket, { cautions: [], recorders, coarseData: undefined })
    );
  });
  const { store } = run;
  await writeResultFile(
    path,
    { ...result, metrics },
    { orderRows: store.orderTexts(), fillRows: store.fillTexts() },
  );
  store.close();
}

/** Writes a scenario of one strategy over `flow.mrec` of the folder, and returns its path. */
export function writeMakerScenario(
  folder: string,
  strategy: { readonly plugin: string; readonly parameters: string },
): string {
  const { plugin, parameters } = strategy;
  const path = join(folder, `${plugin}.yaml`);
  writeFileSync(
    path,
    `version: 1
scenario: maker
data: { kind: recording, recording: flow.mrec }
market: { pair: XBTZAR, base: XBT, counter: ZAR, priceScale: 0, volumeScale: 6, feeScale: 8,
          priceMin: "1", priceMax: "100000000", volumeMin: "0.000001", volumeMax: "1000000" }
fees: { maker: "2bps", taker: "10bps" }
latencies: { feed: "1ms", request: "1ms", answer: "1ms" }
balances: { XBT: "1000", ZAR: "2000000000" }
seed: 1
profile: { from: luno, calls: unlimited }
bot: maker
strategies:
  maker:
    plugin: ${plugin}
    pairs: [XBTZAR]
    parameters: ${parameters}
    budget: { XBT: "200", ZAR: "400000000" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }
limits:
  account: { openNotionalMax: { ZAR: "1000000000" }, turnoverDayMax: { ZAR: "10000000000" },
             lossDayMax: { ZAR: "1000000000" }, ordersOpenMax: 10, ordersPerMinuteMax: 2000 }
  pairs:
    XBTZAR: { orderBaseMax: "0.02", positionBaseMax: "500", collar: "50%", bookAgeMax: "30s" }
`,
  );
  return path;
}

/** Adds up the time of each kind of step; what runs inside another kind counts once. */
class StepClock {
  readonly taken = Object.fromEntries(stepKinds.map((kind) => [kind, { steps: 0, ms: 0 }])) as {
    [kind in StepKind]: { steps: number; ms: number };
  };
  #inner = 0;

  measure<T>(kind: StepKind, run: () => T): T {
    const outer = this.#inner;
    this.#inner = 0;
    const startMs = performance.now();
    try {
      return run();
    } finally {
      const ms = performance.now() - startMs;
      const entry = this.taken[kind];
      entry.steps++;
      entry.ms += ms - this.#inner;
      this.#inner = outer + ms;
    }
  }
}

const kindOfInput: Partial<Record<StepInput['kind'], StepKind>> = {
  replies: 'replies',
  report: 'reports',
  tick: 'timers',
};

/** Times every step of every engine from now on; returns what ends that. */
function watchSteps(times: StepClock): () => void {
  const engine = Engine.prototype;
  const runner = StrategyRunner.prototype;
  const { step, fastForward } = engine;
  const { settle } = runner;
  engine.step = function (this: Engine, atMicros, input): Step {
    const kind = kindOfInput[input.kind] ?? 'rows';
    return times.measure(kind, () => step.call(this, atMicros, input));
  };
  engine.fastForward = function (this: Engine, ...rest) {
    return times.measure('rows', () => fastForward.apply(this, rest));
  };
  runner.settle = function (this: StrategyRunner): void {
    times.measure('decisions', () => settle.call(this));
  };
  return () => {
    Object.assign(engine, { step, fastForward });
    Object.assign(runner, { settle });
  };
}
