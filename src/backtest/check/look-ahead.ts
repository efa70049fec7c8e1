/**
 * Whether a strategy does the same twice, and nothing that follows from what comes later: it is run
 * over a recording, again, and then over recordings that are others after a moment.
 */
import type { StoreRecord } from '../../domain/records.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { Alteration } from '../run/altered-flow.ts';
import { type BacktestOptions, runBacktest } from '../run/run-backtest.ts';

export type LookAhead = {
  /**
   * `nondeterministic`: it reads a clock or a generator, and the same run again did something else;
   * `not-repeatable`: that happened without either; `looks-ahead`: see the alteration.
   */
  readonly kind: 'nondeterministic' | 'not-repeatable' | 'looks-ahead';
  readonly alteration: Alteration | undefined;
  /** When the first record is another one, in the recording's time. */
  readonly atMicros: number;
  readonly was: string;
  readonly became: string;
};

export type LookAheadCheck = {
  readonly runs: number;
  readonly rows: number;
  readonly orders: number;
  readonly hash: string;
  /** Of each strategy that a fault stopped in the first run: which, when and why. */
  readonly stopped: readonly string[];
  /** In it, how often each check of the gate refused and each reason to idle was given. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly idle: Readonly<Record<string, number>>;
  readonly found: readonly LookAhead[];
};

export type LookAheadOptions = {
  readonly scenario: ScenarioSettings;
  readonly dataFolder: string;
  readonly strategiesFolder: string;
  /** Whether the strategy has read a clock, a generator or anything else that no run repeats. */
  readonly readsWorld: () => boolean;
  /** Called before each run. */
  readonly onRun: (text: string) => void;
  /** As for a backtest. */
  readonly onBeat?: BacktestOptions['onBeat'];
};

type Done = { readonly atMicros: number; readonly text: string };

/** Where the recording is cut, as shares of the time that is played. */
const cuts = [0.15, 0.4, 0.65, 0.9] as const;
const kinds = ['ends', 'later', 'larger'] as const satisfies readonly Alteration['kind'][];

/** Runs the scenario as often as it takes. Throws as {@link runBacktest} does. */
export async function checkLookAhead(options: LookAheadOptions): Promise<LookAheadCheck> {
  options.onRun('the strategy as it is');
  const first = await runOnce(options, undefined);
  options.onRun('the same again');
  const again = await runOnce(options, undefined);
  const found: LookAhead[] = [];
  const repeated = firstDifference(first.done, again.done, Infinity);
  const isRepeatable = repeated === undefined && first.hash === again.hash;
  if (!isRepeatable)
    found.push({
      kind: options.readsWorld() ? 'nondeterministic' : 'not-repeatable',
      alteration: undefined,
      ...(repeated ?? { atMicros: first.endMicros, was: first.hash, became: again.hash }),
    });
  const { rows, orders, hash, stopped, refusals, idle } = first;
  let runs = 2;
  // Where the same history gives another run, another history proves nothing.
  if (!isRepeatable && options.readsWorld())
    return { runs, rows, orders, hash, stopped, refusals, idle, found };
  for (const share of cuts)
    for (const kind of kinds) {
      const spanMicros = first.endMicros - first.startMicros;
      const cutMicros = first.startMicros + Math.floor(spanMicros * share);
      options.onRun(`another history after ${share * 100} % of it: ${kind}`);
      const altered = await runOnce(options, { cutMicros, kind });
      runs++;
      // A history that ends stops the bot after its last row; without latency, in its moment.
      const untilMicros = kind === 'ends' ? Math.min(cutMicros, altered.endMicros - 1) : cutMicros;
      const difference = firstDifference(first.done, altered.done, untilMicros);
      if (difference === undefined) continue;
      const alteration = { cutMicros, kind };
      const isSure = !options.readsWorld() || (await isSame(options, alteration, altered.done));
      found.push({ kind: isSure ? 'looks-ahead' : 'nondeterministic', alteration, ...difference });
    }
  return { runs, rows, orders, hash, stopped, refusals, idle, found };
}

/** Whether the altered history gives the same run again: then it is the history that decides. */
async function isSame(
  options: LookAheadOptions,
  alteration: Alteration,
  done: readonly Done[],
): Promise<boolean> {
  const again = await runOnce(options, alteration);
  return firstDifference(done, again.done, Infinity) === undefined;
}

async function runOnce(options: LookAheadOptions, alteration: Alteration | undefined) {
  const done: Done[] = [];
  const idle: Record<string, number> = {};
  const { result, hash, run, startMicros, endMicros, stopped } = await runBacktest({
    scenario: options.scenario,
    dataFolder: options.dataFolder,
    strategiesFolder: options.strategiesFolder,
    alteration,
    onBeat: options.onBeat,
    onRecords: (records: readonly StoreRecord[], atMicros: number) => {
      done.push({ atMicros, text: JSON.stringify(records) });
      for (const record of records)
        if (record.kind === 'idle') idle[record.reason] = (idle[record.reason] ?? 0) + 1;
    },
  });
  run.store.close();
  const { rows, orders } = result;
  const { gate: refusals } = result.refusals;
  return {
    done,
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

/** Returns the first thing done up to `untilMicros` that only one of both did. */
function firstDifference(
  was: readonly Done[],
  became: readonly Done[],
  untilMicros: number,
): Pick<LookAhead, 'atMicros' | 'was' | 'became'> | undefined {
  for (let index = 0; ; index++) {
    const [one, other] = [was[index], became[index]];
    const before = (done: Done | undefined) => done !== undefined && done.atMicros <= untilMicros;
    if (!before(one) && !before(other)) return undefined;
    if (one?.atMicros === other?.atMicros && one?.text === other?.text) continue;
    const atMicros = Math.min(one?.atMicros ?? Infinity, other?.atMicros ?? Infinity);
    const shown = (done: Done | undefined) =>
      done === undefined ? 'nothing' : done.text.slice(0, 300);
    return { atMicros, was: shown(one), became: shown(other) };
  }
}
