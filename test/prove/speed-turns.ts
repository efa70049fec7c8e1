/** The ways of the speed proof in turns, each in a process of its own. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MakerSums } from './speed-maker.ts';
import type { SpeedSums } from './speed-quoter.ts';

/** The last three say what an order costs: with orders, decisions alone, and in parts. */
export const speedWays = [
  'core',
  'rxjs',
  'file',
  'full',
  'naive',
  'maker',
  'dropped',
  'parts',
] as const;
export type SpeedWay = (typeof speedWays)[number];

export type SpeedCost = {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** The most memory that the process has had so far; 0 for the C++ loop. */
  readonly residentMb: number;
};

/** What a process answers. */
export type SpeedTurn = {
  readonly cost: SpeedCost;
  readonly sums?: SpeedSums;
  /** Of the whole backtest. */
  readonly orders?: number;
  readonly maker?: MakerSums;
};

/** One way, waiting for its turns. */
export class SpeedProcess {
  readonly #child: ChildProcess;
  readonly #failed: Promise<never>;

  private constructor(words: readonly string[]) {
    this.#child = fork(join(import.meta.dirname, 'speed-process.ts'), words);
    this.#failed = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`speed-process.ts ${words.join(' ')} ended early, exit ${code}`);
    });
    // Whoever waits for a turn hears of it.
    this.#failed.catch(() => {});
  }

  /** Starts the process and waits until it is ready. */
  static async start(way: SpeedWay, folder: string, plant: string): Promise<SpeedProcess> {
    const process = new SpeedProcess([way, folder, plant]);
    await process.#message();
    return process;
  }

  async turn(): Promise<SpeedTurn> {
    this.#child.send({});
    return (await this.#message()) as SpeedTurn;
  }

  end(): void {
    this.#child.kill();
  }

  async #message(): Promise<unknown> {
    const [message] = await Promise.race([once(this.#child, 'message'), this.#failed]);
    return message;
  }
}

/** Builds the C++ loop and returns its path, or undefined where there is no compiler. */
export function buildLoop(folder: string): string | undefined {
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

/** Runs the loop once; what it took to read the columns does not count. */
export function loopTurn(program: string, columns: string): SpeedTurn {
  const text = execFileSync(program, [columns, '1'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [sums, seconds] = text.split('\n') as [string, string];
  const cost = { cpuSeconds: Number(seconds), wallSeconds: Number(seconds), residentMb: 0 };
  return { sums: JSON.parse(sums) as SpeedSums, cost };
}
