/**
 * The command line as real processes, for tests that kill, stop and starve them.
 *
 * A bot is the leader of a process group of its own, as it would be in a terminal; what a test
 * leaves running is killed by {@link endAll}.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { packageRoot } from './package-root.ts';

const main = join(packageRoot, 'src', 'main.ts');

const running = new Set<BotProcess>();
const homes: string[] = [];
const ends: (() => Promise<void>)[] = [];

/** What `--json` prints at the end of a run. */
export type Summary = {
  readonly mode: string;
  readonly seconds: number;
  readonly firstQuoteMs: number | null;
  readonly ordersAccepted: number;
  readonly fills: number;
  readonly fillsAtExchange: number;
  readonly positionDifference: string;
  readonly balanceDifference: string;
  readonly openOrdersAtExit: number;
  readonly unprovenAtExit: number;
  readonly auditFailed: string | null;
  readonly incidents: number;
  readonly states: readonly { readonly scope: string; readonly state: string }[];
  readonly journal: string;
};

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** How long the pipes of a process that has ended are read, if they do not end. */
const pipesMs = 1_000;

export class BotProcess {
  readonly child: ChildProcess;
  /** When the process and its pipes have ended. */
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  #hasEnded = false;
  #look = (): void => {};

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (data: Buffer) => {
      this.stdout += data.toString();
      this.#look();
    });
    child.stderr?.on('data', (data: Buffer) => {
      this.stderr += data.toString();
      this.#look();
    });
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#hasEnded = true;
        running.delete(this);
        const tell = (): void => {
          this.#look();
          resolve({ code, signal });
        };
        // What was written before the exit is still to be read; a child of its own may hold the
        // pipes for longer.
        child.once('close', tell);
        setTimeout(tell, pipesMs).unref();
      });
    });
    running.add(this);
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Everything it has printed, for people and for programs, without colours. */
  get text(): string {
    return stripVTControlCharacters(`${this.stdout}\n${this.stderr}`);
  }

  /** Resolves when the text matches `count` times; rejects if the process ends before. */
  sees(pattern: RegExp, count = 1): Promise<void> {
    const all = new RegExp(pattern.source, `${pattern.flags.replaceAll('g', '')}g`);
    return new Promise((resolve, reject) => {
      this.#look = () => {
        if ((this.text.match(all)?.length ?? 0) >= count) resolve();
        else if (this.#hasEnded)
          reject(new Error(`ended without ${pattern}, which it should print: ${this.text}`));
      };
      this.#look();
    });
  }

  /** Sends a signal to the process alone. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal to its whole process group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Returns the object on the last line of standard output. */
  summary(): Summary {
    return JSON.parse(this.stdout.trimEnd().split('\n').at(-1) ?? '') as Summary;
  }
}

/** Starts `millrace` with these arguments. */
export function millrace(
  commandLine: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    /** Of a copy of the package; the package itself unless given. */
    readonly root?: string;
  } = {},
): BotProcess {
  const script = options.root === undefined ? main : join(options.root, 'src', 'main.ts');
  const child = spawn(process.execPath, [script, ...commandLine], {
    cwd: options.cwd ?? options.root ?? packageRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...options.env },
  });
  return new BotProcess(child);
}

/** Starts the demo in `home`, as a program would. */
export function startDemo(home: string, ...more: string[]): BotProcess {
  return millrace(['start', '--home', home, '--json', ...more]);
}

/** Starts the demo through npm, as a person would. */
export function npmStart(home: string, ...more: string[]): BotProcess {
  const child = spawn('npm', ['start', '--', '--home', home, ...more], {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  return new BotProcess(child);
}

/**
 * Starts the demo through the launcher of a Node that cannot put the pinned one in its place, as
 * any but the pinned one: the launcher stays, and the bot is its child.
 */
export function launchStart(home: string, ...more: string[]): BotProcess {
  const child = spawn(
    process.execPath,
    [
      '--import=data:text/javascript,process.execve=undefined',
      join(packageRoot, 'src', 'launch.mjs'),
      ...['src/main.ts', 'start', '--home', home, ...more],
    ],
    { cwd: packageRoot, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  return new BotProcess(child);
}

/** Returns a new folder, removed by {@link endAll}. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'millrace-process-'));
  homes.push(home);
  return home;
}

/** Returns the processes whose command line names `home`, without npm's and shells' own. */
export function processesOf(
  home: string,
): readonly { readonly pid: number; readonly verb: string }[] {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  return listed.split('\n').flatMap((line) => {
    const [pid, state, ...words] = line.trim().split(/\s+/u);
    const script = words.findIndex((word) => word.endsWith('src/main.ts'));
    const isOurs = words.includes(home) && script >= 0 && state?.startsWith('Z') === false;
    if (!isOurs || words[0] === 'npm' || words[0] === 'sh') return [];
    return [{ pid: Number.parseInt(pid as string, 10), verb: words[script + 1] ?? '' }];
  });
}

/** Returns the process number of the simulator of `home`. */
export function simulatorOf(home: string): number {
  const found = processesOf(home).filter(({ verb }) => verb === 'exchange');
  if (found.length !== 1) throw new Error(`${found.length} simulators run for ${home}`);
  return (found[0] as { pid: number }).pid;
}

/** Resolves when `isTrue` says so; rejects after `withinMs`. */
export async function eventually(isTrue: () => boolean, withinMs: number): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (!isTrue()) {
    if (performance.now() > untilMs) throw new Error(`not within ${withinMs} ms: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Has {@link endAll} call `stop`, after the bots have ended. */
export function endsWith(stop: () => Promise<void>): void {
  ends.push(stop);
}

/** Kills what runs and removes what was written. */
export async function endAll(): Promise<void> {
  const bots = [...running];
  for (const bot of bots) bot.signal('SIGKILL');
  await Promise.all(bots.map((bot) => bot.ended));
  await Promise.all(ends.splice(0).map((stop) => stop()));
  for (const home of homes.splice(0)) {
    for (const { pid } of processesOf(home)) kill(pid);
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since it was listed.
  }
}
