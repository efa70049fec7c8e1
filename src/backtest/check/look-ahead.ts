/**
 * Checks that a strategy is repeatable and does not look ahead: it is run over a recording twice,
 * and then over histories that diverge after a given time.
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
    return { runs, rows, orders, hash, stopped, refusals, idle, found };
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
  return { runs, rows, orders, hash, stopped, refusals, idle, found };
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
) {
  const steps: StepRecords[] = [];
  const idle: Record<string, number> = {};
  const { result, hash, run, startMicros, endMicros, stopped } = await runBacktest({
    scenario: options.scenario,
    dataFolder: options.dataFolder,
    strategiesFolder: options.strategiesFolder,
    alteration,
    onNotice,
    onHeartbeat: options.onHeartbeat,
    onRecords: (records: readonly StoreRecord[], atMicros: number) => {
      steps.push({ atMicros, text: JSON.stringify(records) });
      for (const record of records)
        if (record.kind === 'idle') idle[record.reason] = (idle[record.reason] ?? 0) + 1;
    },
  });
  run.store.close();
  const { rows, orders } = result;
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
