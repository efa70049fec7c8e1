/**
 * Checks that a strategy is repeatable and does not look ahead: it is run over a recording twice,
 * and then over histories that diverge after a given time. A last run says how much its orders
 * depend on its warm-up.
 */
import type { StoreRecord } from '../../domain/records.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { Alteration } from '../run/altered-flow.ts';
import { type BacktestOptions, runBacktest } from '../run/run-backtest.ts';

export type LookAhead = {
  /**
   * `nondeterministic`: it reads a clock or a random generator, and a second run differed;
   * `not-repeatable`: a second run differed although it reads neither; `looks-ahead`: it acted
   * differently before the time from which the history was altered.
   */
  readonly kind: 'nondeterministic' | 'not-repeatable' | 'looks-ahead';
  readonly alteration: Alteration | undefined;
  /** The time of the first difference, in the recording's time. */
  readonly atMicros: number;
  readonly was: string;
  readonly became: string;
};

/** What twice the candles from before the run change. */
export type WarmUpEffect = {
  /** How many candles it was given, and how many in the run with twice as many. */
  readonly candles: number;
  readonly candlesTwice: number;
  /** How many orders both runs have, and how many only one of them. */
  readonly sameOrders: number;
  readonly otherOrders: number;
  /** When the first such order was placed, in the recording's time; undefined without one. */
  readonly firstOtherMs: number | undefined;
};

export type LookAheadCheck = {
  readonly runs: number;
  readonly rows: number;
  readonly orders: number;
  readonly hash: string;
  /** For each strategy that a fault stopped in the first run: which, when and why. */
  readonly stopped: readonly string[];
  /** How often each check of the gate refused, and each idle reason was given, in the first run. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly idle: Readonly<Record<string, number>>;
  readonly found: readonly LookAhead[];
  /** Undefined if it was given no candles from before the run, or is not repeatable. */
  readonly warmUp: WarmUpEffect | undefined;
};

export type LookAheadOptions = {
  readonly scenario: ScenarioSettings;
  readonly dataFolder: string;
  readonly strategiesFolder: string;
  /** Whether the strategy has read a clock, a random generator or any other outside state. */
  readonly readsWorld: () => boolean;
  /** Called before each run. */
  readonly onRun: (text: string) => void;
  /** Called with the notices of the first run. */
  readonly onNotice?: BacktestOptions['onNotice'];
  /** See {@link BacktestOptions}. */
  readonly onHeartbeat?: BacktestOptions['onHeartbeat'];
};

type StepRecords = { readonly atMicros: number; readonly text: string };

/** The times from which history is altered, as shares of the played time. */
const cuts = [0.15, 0.4, 0.65, 0.9] as const;
const kinds = ['ends', 'later', 'larger'] as const satisfies readonly Alteration['kind'][];

/** Runs the scenario as often as the check needs. Throws as {@link runBacktest} does. */
export async function checkLookAhead(options: LookAheadOptions): Promise<LookAheadCheck> {
  options.onRun('first run');
  const first = await runOnce(options, undefined, options.onNotice);
  options.onRun('second run');
  const again = await runOnce(options, undefined);
  const found: LookAhead[] = [];
  const repeated = firstDifference(first.steps, again.steps, Infinity);
  const isRepeatable = repeated === undefined && first.hash === again.hash;
  if (!isRepeatable)
    found.push({
      kind: options.readsWorld() ? 'nondeterministic' : 'not-repeatable',
      alteration: undefined,
      ...(repeated ?? { atMicros: first.endMicros, was: first.hash, became: again.hash }),
    });
  const { rows, orders, hash, stopped, refusals, idle } = first;
  let runs = 2;
  // If the same history gives different runs, an altered history proves nothing.
  if (!isRepeatable && options.readsWorld())
    return { runs, rows, orders, hash, stopped, refusals, idle, found, warmUp: undefined };
  for (const share of cuts)
    for (const kind of kinds) {
      const spanMicros = first.endMicros - first.startMicros;
      const cutMicros = first.startMicros + Math.floor(spanMicros * share);
      options.onRun(`history altered after ${share * 100} %: ${kind}`);
      const altered = await runOnce(options, { cutMicros, kind });
      runs++;
      // If history ends, the bot is stopped after its last row; without latency, at the same time.
      const untilMicros = kind === 'ends' ? Math.min(cutMicros, altered.endMicros - 1) : cutMicros;
      const difference = firstDifference(first.steps, altered.steps, untilMicros);
      if (difference === undefined) continue;
      const alteration = { cutMicros, kind };
      const isSure = !options.readsWorld() || (await isSame(options, alteration, altered.steps));
      found.push({ kind: isSure ? 'looks-ahead' : 'nondeterministic', alteration, ...difference });
    }
  let warmUp: WarmUpEffect | undefined;
  if (isRepeatable && first.historyCandles > 0) {
    options.onRun('twice as many candles from before the run');
    warmUp = warmUpEffect(first, await runOnce(options, undefined, () => {}, 2));
    runs++;
  }
  return { runs, rows, orders, hash, stopped, refusals, idle, found, warmUp };
}

type Run = Awaited<ReturnType<typeof runOnce>>;

/** Compares the orders of two runs; the second one had more candles from before it. */
function warmUpEffect(once: Run, twice: Run): WarmUpEffect {
  const others = [...without(once.placed, twice.placed), ...without(twice.placed, once.placed)];
  const firstOtherMs = others.reduce((least, { atMs }) => Math.min(least, atMs), Infinity);
  return {
    candles: once.historyCandles,
    candlesTwice: twice.historyCandles,
    sameOrders: once.placed.length - without(once.placed, twice.placed).length,
    otherOrders: others.length,
    firstOtherMs: others.length === 0 ? undefined : firstOtherMs,
  };
}

type PlacedOrder = { readonly atMs: number; readonly text: string };

/** Returns the orders that are not among the others, each of which stands for one. */
function without(
  orders: readonly PlacedOrder[],
  others: readonly PlacedOrder[],
): readonly PlacedOrder[] {
  const left = new Map<string, number>();
  for (const { text } of others) left.set(text, (left.get(text) ?? 0) + 1);
  return orders.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** Whether the altered history gives the same run twice: then it causes the difference. */
async function isSame(
  options: LookAheadOptions,
  alteration: Alteration,
  steps: readonly StepRecords[],
): Promise<boolean> {
  const again = await runOnce(options, alteration);
  return firstDifference(steps, again.steps, Infinity) === undefined;
}

async function runOnce(
  options: LookAheadOptions,
  alteration: Alteration | undefined,
  onNotice: BacktestOptions['onNotice'] = () => {},
  historyTimes = 1,
) {
  const steps: StepRecords[] = [];
  const idle: Record<string, number> = {};
  const { result, hash, run, ...ended } = await runBacktest({
    scenario: options.scenario,
    dataFolder: options.dataFolder,
    strategiesFolder: options.strategiesFolder,
    alteration,
    historyTimes,
    onNotice,
    onHeartbeat: options.onHeartbeat,
    onRecords: (records: readonly StoreRecord[], atMicros: number) => {
      steps.push({ atMicros, text: JSON.stringify(records) });
      for (const record of records)
        if (record.kind === 'idle') idle[record.reason] = (idle[record.reason] ?? 0) + 1;
    },
  });
  const placed = [...run.store.orders()].map(
    ({ createdMs, pair, side, volume, price }): PlacedOrder => ({
      atMs: createdMs,
      text: `${createdMs} ${pair} ${side} ${volume} at ${price}`,
    }),
  );
  run.store.close();
  const { rows, orders } = result;
  const { startMicros, endMicros, stopped, historyCandles } = ended;
  const { gate: refusals } = result.refusals;
  return {
    steps,
    hash,
    rows,
    orders,
    stopped,
    refusals,
    idle,
    startMicros,
    endMicros,
    historyCandles,
    placed,
  };
}

/** Returns the first difference between two runs up to `untilMicros`. */
function firstDifference(
  was: readonly StepRecords[],
  became: readonly StepRecords[],
  untilMicros: number,
): Pick<LookAhead, 'atMicros' | 'was' | 'became'> | undefined {
  for (let index = 0; ; index++) {
    const [one, other] = [was[index], became[index]];
    const before = (step: StepRecords | undefined) =>
      step !== undefined && step.atMicros <= untilMicros;
    if (!before(one) && !before(other)) return undefined;
    if (one?.atMicros === other?.atMicros && one?.text === other?.text) continue;
    const atMicros = Math.min(one?.atMicros ?? Infinity, other?.atMicros ?? Infinity);
    const shown = (step: StepRecords | undefined) =>
      step === undefined ? 'nothing' : step.text.slice(0, 300);
    return { atMicros, was: shown(one), became: shown(other) };
  }
}
