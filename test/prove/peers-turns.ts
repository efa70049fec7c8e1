/** Runs the programs of the comparison in turns, each run in a process of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { PeerProgram } from './peers-programs.ts';
import { speedStrategies } from './speed-scenario.ts';

const root = join(import.meta.dirname, '../..');

/** What a program prints as its last line. */
export type PeerRun = {
  /** Of each run in the process, without what was loaded before. */
  readonly runSeconds: readonly number[];
  /** The processor time of each. */
  readonly runCpuSeconds: readonly number[];
  /** That of the whole process. */
  readonly cpuSeconds: number;
  readonly orders: number;
  readonly fills: number;
  /** The most that was resident. */
  readonly residentMb: number;
};

/** One turn of a program. */
export type PeerTurn = {
  /** From the start of a process to its end, for one run. */
  readonly coldSeconds: number;
  /** The processor time of that process. */
  readonly coldCpuSeconds: number;
  /** The fastest further run in a process that has run before. */
  readonly warmSeconds: number;
  readonly warmCpuSeconds: number;
  readonly run: PeerRun;
};

/**
 * How many runs a process has whose further runs are timed. numba compiles everything in the first
 * one, V8 what is hot in the first three.
 */
const warmRuns = 5;

export type PeerPlace = {
  /** Of the data and the scenarios. */
  readonly folder: string;
  /** The interpreter that has the program's package; undefined for Millrace. */
  readonly python: string | undefined;
};

export async function takeTurn(program: PeerProgram, place: PeerPlace): Promise<PeerTurn> {
  const startMs = performance.now();
  const run = await runProcess(program, place, 1);
  const coldSeconds = (performance.now() - startMs) / 1_000;
  const warm = program.compiles ? await runProcess(program, place, warmRuns) : run;
  return {
    ...{ run, coldSeconds },
    coldCpuSeconds: run.cpuSeconds,
    warmSeconds: fastestFurther(warm.runSeconds),
    warmCpuSeconds: fastestFurther(warm.runCpuSeconds),
  };
}

/** Returns the least time of the runs after the first one, or that of the only one. */
function fastestFurther(seconds: readonly number[]): number {
  return Math.min(...(seconds.length > 1 ? seconds.slice(1) : seconds));
}

async function runProcess(program: PeerProgram, place: PeerPlace, runs: number): Promise<PeerRun> {
  const [command, words] = commandOf(program, place, runs);
  // What our launcher sets for our own memory must not change that of the other programs.
  const { MALLOC_ARENA_MAX: arenas, ...inherited } = process.env;
  const env = place.python === undefined ? process.env : inherited;
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const output: [out: string, errors: string] = ['', ''];
  child.stdout.on('data', (text) => {
    output[0] += String(text);
  });
  child.stderr.on('data', (text) => {
    output[1] += String(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  child.on('error', reject);
  const code = await promise;
  const [out, errors] = output;
  const last = out.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !last.startsWith('{'))
    throw new Error(`${program.script} ended with exit code ${code}: ${errors.slice(-2_000)}`);
  return JSON.parse(last) as PeerRun;
}

function commandOf(
  { work, script, rule }: PeerProgram,
  { folder, python }: PeerPlace,
  runs: number,
): readonly [command: string, words: readonly string[]] {
  if (python !== undefined) {
    const path = join(import.meta.dirname, 'peers', script);
    // -B: no bytecode beside the scripts; that of the packages was written by pip.
    return [python, ['-B', '-W', 'ignore', path, folder, String(runs), JSON.stringify(rule)]];
  }
  // The package's plugins have the averages; the maker is one of the provers'.
  const strategies = work === 'maker' ? speedStrategies : join(root, 'strategies');
  const scenario = join(folder, `${work}.yaml`);
  const launcher = join(root, 'src/launch.mjs');
  const path = join(import.meta.dirname, script);
  return [process.execPath, [launcher, path, 'backtest', scenario, strategies, String(runs)]];
}
