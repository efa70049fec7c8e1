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
import { sliceBlock, type FlowBlock } from '../../src/market/flow-block.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { makeGround, type SpeedGround } from './speed-ground.ts';
import { NaivePipeline } from './speed-naive.ts';
import type { SpeedSums } from './speed-quoter.ts';
import { bytesPerLiveOrder, runCore, runFile, runFull, runRxjs } from './speed-runs.ts';
import { speedScenario } from './speed-scenario.ts';

const goals = {
  ratioCore: 0.45,
  ratioFull: 0.25,
  rxjsRatio: 0.15,
  ratioToNaive: 100,
  bytesPerLiveOrder: 48,
  bytesPerMessage: 8,
} as const;

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

function runLoop(program: string, path: string): { sums: SpeedSums; cpuSeconds: number } {
  const text = execFileSync(program, [path, '1'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [sums, seconds] = text.split('\n') as [string, string];
  return { sums: JSON.parse(sums) as SpeedSums, cpuSeconds: Number(seconds) };
}

/** Seconds after which a process that begins has played its first million messages. */
function firstMillion(path: string): number {
  const script = join(import.meta.dirname, 'speed-first.ts');
  return Number(execFileSync(process.execPath, [script, path, '1000000'], { encoding: 'utf8' }));
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
      if (((block.meta[row] as number) & 16) !== 0 && ++messages === count)
        return [...taken, sliceBlock(block, 0, row + 1)];
    taken.push(block);
  }
  return taken;
}

async function measure(ground: SpeedGround, folder: string, plant: string | undefined) {
  const { blocks, index, path, columnsPath, lines } = ground;
  const { messages } = index.counts;
  const program = buildLoop(folder);
  const notes: string[] = [];
  const sums = new Map<string, SpeedSums>();
  const scenario = speedScenario(folder, '60s');
  const kinds = ['core', 'rxjs', 'file', 'full', 'naive', 'cpp'] as const;
  const costs = Object.fromEntries(kinds.map((kind) => [kind, [] as Cost[]])) as unknown as Record<
    (typeof kinds)[number],
    Cost[]
  >;
  const isSlow = plant === 'slow-path';
  for (let round = 0; round < roundsWarm + roundsMeasured; round++) {
    const note = (kind: (typeof kinds)[number], cost: Cost): void => {
      if (round >= roundsWarm) costs[kind].push(cost);
    };
    if (program !== undefined) {
      const { cpuSeconds, sums: found } = runLoop(program, columnsPath);
      sums.set('cpp', found);
      note('cpp', { cpuSeconds, wallSeconds: cpuSeconds });
    }
    note('core', await costOf(() => sums.set('core', runCore(blocks, plant).sums)));
    note('rxjs', await costOf(() => sums.set('rxjs', runRxjs(blocks).sums)));
    note('file', await costOf(async () => sums.set('file', (await runFile(path, isSlow)).sums)));
    note('full', await costOf(() => runFull(scenario)));
    const naive = new NaivePipeline();
    note('naive', await costOf(() => lines.forEach((line) => naive.take(line))));
    sums.set('naive', naive.sums);
  }
  sums.set('start', runCore(firstMessages(blocks, lines.length), undefined).sums);
  const text = (name: string): string => JSON.stringify(sums.get(name));
  const isWhole = [...sums.keys()].every(
    (name) => name === 'naive' || name === 'start' || text(name) === text('core'),
  );
  return { program, notes, costs, messages, checksumsEqual: isWhole && text('naive') === text('start') };
}
