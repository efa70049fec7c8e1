/**
 * How fast order by order history is played: against a C++ loop that does the same work on the same
 * columns, and against the usual JSON, Map, decimal.js and RxJS pipeline, in one run and in turns.
 *
 * Times are CPU time of the process, all its threads, so that other work on the machine counts
 * little; the whole backtest's wall time stands beside it. Before any of it counts, all of them
 * must have seen the same tops, fills, cash and fees.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endFlag, type FlowBlock, sliceBlock } from '../../src/market/flow-block.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { makeGround, type SpeedGround } from './speed-ground.ts';
import { NaivePipeline } from './speed-naive.ts';
import { SpeedQuoter, type SpeedSums } from './speed-quoter.ts';
import { bytesPerLiveOrder, runCore, runFile, runFull, runRxjs, runTold } from './speed-runs.ts';
import { speedScenario } from './speed-scenario.ts';

const floors = { ratioCore: 0.45, ratioFull: 0.25, rxjsRatio: 0.15, ratioToNaive: 100 } as const;
const ceilings = { bytesPerLiveOrder: 48, bytesPerMessage: 8, firstMillionSeconds: 0.5 } as const;

const wrongRates = { maker: '0.0003', taker: '0.001' } as const;
/** Of the whole backtest's quotes, in the recording's time: a message takes 20 ms of it. */
const refreshOfFull = '60s';

const messagesUsual = 10_000_000;
const messagesOfPlant = 300_000;
/** Of the naive pipeline: enough for the book to be full, and for its own speed to settle. */
const naiveMessages = 60_000;
const roundsWarm = 1;
const roundsMeasured = 5;
const plants = {
  'wrong-fee': 'the tape takes another fee than the others',
  'slow-path': 'every message is also told as JSON',
};

type Cost = { readonly cpuSeconds: number; readonly wallSeconds: number };

async function costOf(work: () => unknown): Promise<Cost> {
  const before = process.cpuUsage();
  const startMs = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - startMs) / 1e3 };
}

/** The C++ loop, or undefined where there is no compiler. */
function buildLoop(folder: string): string | undefined {
  const program = join(folder, 'speed-loop');
  const source = join(import.meta.dirname, 'speed-loop.cpp');
  try {
    const flags = ['-O3', '-march=native', '-std=c++17'];
    execFileSync('g++', [...flags, '-o', program, source], { stdio: ['ignore', 'ignore', 'pipe'] });
    return program;
  } catch {
    return undefined;
  }
}

/** Runs the loop once and adds what it cost, without reading the columns. */
function runLoop(program: string, path: string, costs: Cost[]): SpeedSums {
  const text = execFileSync(program, [path, '1'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [sums, seconds] = text.split('\n') as [string, string];
  costs.push({ cpuSeconds: Number(seconds), wallSeconds: Number(seconds) });
  return JSON.parse(sums) as SpeedSums;
}

/**
 * Seconds after which a process that begins has played its first million messages; the median of
 * three, since the first one after an installation also compiles for those after it.
 */
function firstMillion(path: string): number {
  const script = join(import.meta.dirname, 'speed-first.ts');
  const command = [script, path, '1000000'];
  const seconds = () => Number(execFileSync(process.execPath, command, { encoding: 'utf8' }));
  return median([seconds(), seconds(), seconds()]);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function rounded(value: number, digits = 3): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** The blocks up to the end of message `count`. */
function firstMessages(blocks: readonly FlowBlock[], count: number): readonly FlowBlock[] {
  const taken: FlowBlock[] = [];
  let messages = 0;
  for (const block of blocks) {
    for (let row = 0; row < block.rows; row++)
      if (((block.meta[row] as number) & endFlag) !== 0 && ++messages === count)
        return [...taken, sliceBlock(block, 0, row + 1)];
    taken.push(block);
  }
  return taken;
}

const kinds = ['cpp', 'core', 'rxjs', 'file', 'full', 'naive'] as const;
type Kind = (typeof kinds)[number];

type Measured = {
  readonly costs: Readonly<Record<Kind, readonly Cost[]>>;
  readonly checksumsEqual: boolean;
  readonly ordersOfFull: number;
};

/** Lets all of them do the work in turns. Without `program` there is no C++ loop. */
async function measure(
  ground: SpeedGround,
  folder: string,
  { program, plant }: { readonly program: string | undefined; readonly plant: string | undefined },
): Promise<Measured> {
  const { blocks, path, columnsPath, lines } = ground;
  const scenario = speedScenario(folder, refreshOfFull);
  const sums: Partial<Record<Kind, SpeedSums>> = {};
  const costs: Record<Kind, Cost[]> = {
    cpp: [],
    core: [],
    rxjs: [],
    file: [],
    full: [],
    naive: [],
  };
  let ordersOfFull = 0;
  const runTested = (): SpeedSums =>
    plant === 'slow-path'
      ? runTold(blocks).sums
      : runCore(blocks, plant === 'wrong-fee' ? new SpeedQuoter(wrongRates) : undefined).sums;
  const works: Readonly<Record<Kind, () => unknown>> = {
    cpp: () => {
      if (program !== undefined) sums.cpp = runLoop(program, columnsPath, costs.cpp);
    },
    core: () => {
      sums.core = runTested();
    },
    rxjs: () => {
      sums.rxjs = runRxjs(blocks).sums;
    },
    file: async () => {
      sums.file = (await runFile(path)).sums;
    },
    full: async () => {
      ordersOfFull = (await runFull(scenario)).result.orders;
    },
    naive: () => {
      const naive = new NaivePipeline();
      for (const line of lines) naive.take(line);
      sums.naive = naive.sums;
    },
  };
  for (let round = 0; round < roundsWarm + roundsMeasured; round++)
    for (const kind of kinds) {
      const cost = await costOf(works[kind]);
      if (kind !== 'cpp') costs[kind].push(cost);
    }
  for (const kind of kinds) costs[kind].splice(0, roundsWarm);
  const start = runCore(firstMessages(blocks, lines.length)).sums;
  const equal = (one: object | undefined, other: object | undefined): boolean =>
    one === undefined || JSON.stringify(one) === JSON.stringify(other);
  const checksumsEqual =
    equal(sums.cpp, sums.core) &&
    equal(sums.rxjs, sums.core) &&
    equal(sums.file, sums.core) &&
    equal(sums.naive, start);
  return { costs, checksumsEqual, ordersOfFull };
}

function figuresOf(
  { costs, checksumsEqual, ordersOfFull }: Measured,
  { messages, lines }: { readonly messages: number; readonly lines: number },
) {
  const cpu = (kind: Kind): number => median(costs[kind].map(({ cpuSeconds }) => cpuSeconds));
  const spreadOf = (kind: Kind): number => {
    const values = costs[kind].map(({ cpuSeconds }) => cpuSeconds);
    return rounded((Math.max(...values) - Math.min(...values)) / median(values), 2);
  };
  const hasLoop = costs.cpp.length > 0;
  // Of the same round, so that a busy moment slows both.
  const ratio = (kind: Kind, seconds: (cost: Cost) => number): number | null =>
    hasLoop
      ? rounded(
          median(
            costs[kind].map((cost, round) => (costs.cpp[round] as Cost).cpuSeconds / seconds(cost)),
          ),
        )
      : null;
  const cpuOf = (cost: Cost): number => cost.cpuSeconds;
  const perSecond = (kind: Kind, count = messages): number => Math.round(count / cpu(kind));
  const naive = perSecond('naive', lines);
  return {
    messages,
    cppEventsPerSecond: hasLoop ? perSecond('cpp') : null,
    engineEventsPerSecond: perSecond('core'),
    fileEventsPerSecond: perSecond('file'),
    fullEventsPerSecond: perSecond('full'),
    naiveEventsPerSecond: naive,
    ratioCore: ratio('core', cpuOf),
    ratioFull: ratio('full', cpuOf),
    ratioFullWall: ratio('full', ({ wallSeconds }) => wallSeconds),
    rxjsRatio: ratio('rxjs', cpuOf),
    ratioToNaive: rounded(perSecond('file') / naive, 1),
    ratioFullToNaive: rounded(perSecond('full') / naive, 1),
    ordersOfFull,
    checksumsEqual,
    spread: Object.fromEntries(
      kinds.filter((kind) => costs[kind].length > 0).map((kind) => [kind, spreadOf(kind)]),
    ),
  };
}

/** The goals that the figures miss, in words. */
function missed(figures: Readonly<Record<string, unknown>>): readonly string[] {
  const notes: string[] = [];
  if (figures['checksumsEqual'] !== true) notes.push('the sums differ');
  for (const [name, goal] of Object.entries(floors)) {
    const value = figures[name];
    // Nothing to compare with is said by a note of its own.
    if (value !== null && !(Number(value) >= goal)) notes.push(`${name} must be at least ${goal}`);
  }
  for (const [name, goal] of Object.entries(ceilings))
    if (!(Number(figures[name]) <= goal)) notes.push(`${name} must be at most ${goal}`);
  return notes;
}

async function run({ messages, plant }: ProverOptions): Promise<ProverResult> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-speed-'));
  try {
    const program = buildLoop(folder);
    const ground = await makeGround(folder, {
      messages: messages ?? (plant === undefined ? messagesUsual : messagesOfPlant),
      linesMax: naiveMessages,
      seed: 1,
    });
    const { counts, bytes } = ground.index;
    const measured = await measure(ground, folder, { program, plant });
    const figures = {
      ...figuresOf(measured, { messages: counts.messages, lines: ground.lines.length }),
      bytesPerMessage: rounded(bytes / counts.messages),
      bytesPerLiveOrder: rounded(bytesPerLiveOrder(), 1),
      firstMillionSeconds: rounded(firstMillion(ground.path)),
    };
    const notes = [...missed(figures)];
    const violations = notes.length;
    if (program === undefined) notes.push('g++ is not there: nothing was compared with C++');
    notes.push('events a second and ratios are of CPU time, all threads; ratioFullWall is of wall');
    return { figures, violations, notes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const speedProver: Prover = {
  name: 'speed',
  title: 'history is played at a stated share of the speed of C++, with the same fills and fees',
  plants,
  run,
};
