/**
 * `millrace dev`: runs a backtest at each save, checks the types meanwhile, and shows what changed.
 *
 * A run is a process of its own: it loads the saved code, and an endless loop or a crash in it ends
 * only that run. A save during a run ends it, because its result would be outdated.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Workspace } from '../../domain/workspace.ts';
import type { SystemClock } from '../../runtime/clock.ts';
import { shortPath } from '../../runtime/paths.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { Output } from '../../terminal/output.ts';
import { type ChildEnd, type ChildRun, runMillrace, runNode } from './child-run.ts';
import type { DevPage } from './dev-page.ts';
import { changeLines, figuresOf, noticesIn, type RunFigures } from './run-change.ts';
import { SourceWatch } from './source-watch.ts';

export type DevOptions = {
  /** What `backtest` takes: a scenario, or the settings of a bot that name one. */
  readonly scenario: string;
  /** Returns the files whose changes start a run; it throws while one of them cannot be read. */
  readonly sourcesOf: () => Promise<DevSources>;
  /** The port on which runs wait for a debugger; undefined without one. */
  readonly debuggerPort: number | undefined;
  readonly page: Pick<DevPage, 'show' | 'fail'>;
  readonly workspace: Workspace;
  readonly clock: Pick<SystemClock, 'monotonicMicros' | 'nowMicros'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly output: Output;
};

export type DevSources = {
  readonly settings: readonly string[];
  /** The module of each strategy. */
  readonly modules: readonly string[];
  /** The modules, and what they import of the project. */
  readonly code: readonly string[];
};

const typeErrorsShown = 5;
const problemLinesShown = 12;

export class DevSession {
  readonly #options: DevOptions;
  readonly #watch: SourceWatch;
  #sources: DevSources = { settings: [], modules: [], code: [] };
  #figures: RunFigures | undefined;
  #hash: string | undefined;
  #hadTypeErrors = false;
  #children: readonly ChildRun[] = [];
  #isClosed = false;
  /** Number of the last run that was started. */
  #run = 0;
  /** How many runs ended by themselves, and how many of them had no result. */
  ended = 0;
  failed = 0;

  constructor(options: DevOptions) {
    this.#options = options;
    this.#watch = new SourceWatch(options.timers, (changed) => this.#changed(changed));
  }

  /** Runs the backtest; a run that is going on is ended. */
  async run(): Promise<void> {
    this.#stopChildren();
    const { clock, scenario, output } = this.#options;
    const run = ++this.#run;
    const startedMicros = clock.monotonicMicros();
    await this.#watchFiles();
    if (this.#isOutdated(run)) return;
    const backtest = runMillrace(['backtest', scenario, '--json'], this.#debuggerFlags());
    const types = startTypeCheck(this.#options.workspace.project);
    this.#children = types === undefined ? [backtest] : [backtest, types];
    output.progress('running the backtest ...');
    const ended = await backtest.ended;
    if (this.#isOutdated(run)) return;
    this.ended += 1;
    this.#show(ended, (clock.monotonicMicros() - startedMicros) / 1e6);
    if (types === undefined) return;
    const { stdout } = await types.ended;
    if (!this.#isOutdated(run)) this.#showTypes(typeErrorsIn(stdout));
  }

  /** Checks each strategy for look-ahead; prints what the check prints. */
  async checkLookAhead(): Promise<void> {
    const { output, scenario } = this.#options;
    for (const file of this.#sources.modules) {
      output.line(`checking ${shortPath(file, process.cwd())} for look-ahead ...`);
      const check = runMillrace(['check-strategy', file, '--scenario', scenario]);
      this.#children = [...this.#children, check];
      const { stdout, stderr } = await check.ended;
      if (this.#isClosed) return;
      for (const line of linesOf(stdout + stderr)) output.line(`  ${line}`);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#stopChildren();
  }

  #debuggerFlags(): readonly string[] {
    const { debuggerPort, output } = this.#options;
    if (debuggerPort === undefined) return [];
    const address = `127.0.0.1:${debuggerPort}`;
    output.line(`the run waits until a debugger is attached to ${address}`);
    return [`--inspect-wait=${address}`];
  }

  #changed(files: readonly string[]): void {
    const { output, clock } = this.#options;
    const time = new Date(Math.floor(clock.nowMicros() / 1000)).toISOString().slice(11, 19);
    output.line('');
    output.line(
      `${time} changed ${files.map((file) => shortPath(file, process.cwd())).join(', ')}`,
    );
    void this.run();
  }

  async #watchFiles(): Promise<void> {
    try {
      const found = await this.#options.sourcesOf();
      // A file that was read before may be part of the next run, even if it is not found now.
      const known = new Set([...found.code, ...this.#sources.code]);
      this.#sources = { ...found, code: [...known] };
    } catch {
      // The run says what is wrong with them. A later save of a file known before starts the next.
    }
    const { settings, code } = this.#sources;
    if (!this.#isClosed) this.#watch.set([...settings, ...code]);
  }

  #show({ code, stdout, stderr }: ChildEnd, seconds: number): void {
    const { output, page } = this.#options;
    const said = linesOf(stderr);
    const result = resultIn(stdout);
    if (result === undefined) {
      this.failed += 1;
      const problem = said.filter((line) => !/^\[[#.]+\]/u.test(line));
      const shown = problem.slice(0, problemLinesShown);
      if (shown.length === 0)
        shown.push(`the run ended with ${code ?? 'a signal'} and said nothing`);
      for (const line of shown) output.line(line);
      page.fail(shown.join('\n'));
      return;
    }
    for (const line of noticesIn(said)) output.line(line);
    const figures = figuresOf(result);
    const isSame = result['hash'] === this.#hash;
    output.line(
      `run ${this.#run}: ${seconds.toFixed(2)} s${isSame ? ', the same orders and fills' : ''}`,
    );
    if (!isSame) for (const line of changeLines(figures, this.#figures)) output.line(line);
    this.#figures = figures;
    this.#hash = String(result['hash']);
    page.show(readFileSync(String(result['report']), 'utf8'));
  }

  #showTypes(errors: readonly string[]): void {
    const { output } = this.#options;
    for (const line of errors.slice(0, typeErrorsShown)) output.line(`types: ${line}`);
    if (errors.length > typeErrorsShown)
      output.line(`types: ${errors.length - typeErrorsShown} more errors`);
    if (errors.length === 0 && this.#hadTypeErrors) output.line('types: no error any more');
    this.#hadTypeErrors = errors.length > 0;
  }

  /** Whether a later run has been started, or the session ended. */
  #isOutdated(run: number): boolean {
    return this.#isClosed || run !== this.#run;
  }

  #stopChildren(): void {
    for (const child of this.#children) child.stop();
    this.#children = [];
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Returns the JSON of the last line, if the run came to a result. */
function resultIn(stdout: string): { readonly [name: string]: unknown } | undefined {
  const last = linesOf(stdout).at(-1);
  try {
    const value: unknown = JSON.parse(last ?? '');
    return typeof value === 'object' && value !== null && 'hash' in value
      ? (value as { readonly [name: string]: unknown })
      : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the compiler; undefined if the project has no TypeScript or no `tsconfig.json`. */
function startTypeCheck(project: string): ChildRun | undefined {
  if (!existsSync(join(project, 'tsconfig.json'))) return undefined;
  const compiler = compilerOf(project);
  if (compiler === undefined) return undefined;
  return runNode([compiler, '--noEmit', '--pretty', 'false', '--project', project]);
}

function typeErrorsIn(printed: string): readonly string[] {
  return printed.split('\n').filter((line) => /: error TS\d+: |^error TS\d+: /u.test(line));
}

function compilerOf(project: string): string | undefined {
  try {
    const manifest = createRequire(join(project, 'package.json')).resolve(
      'typescript/package.json',
    );
    return join(dirname(manifest), 'bin', 'tsc');
  } catch {
    return undefined;
  }
}
