/** A bot of the real command line in a pseudo-terminal, with a home and an exchange of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../support/package-root.ts';
import { eventually } from '../../support/process-bot.ts';
import { PtyScreen } from '../../support/pty-screen.ts';

const main = join(packageRoot, 'src', 'main.ts');
const planted = join(import.meta.dirname, 'terminal-main.ts');
/** A view has what a strategy that trades has. */
const isTrading = /^(?:ASK|BID) +\d+ .* open +/mu;
const startsWithinMs = 60_000;

/** What was looked at, and what was not as it should be. */
export class Checks {
  count = 0;
  readonly violations: string[] = [];

  /** Notes whether `what` is true; `seen` is what was there instead. */
  note(what: string, isTrue: boolean, seen: string | (() => string) = ''): void {
    this.count++;
    if (isTrue) return;
    const text = typeof seen === 'string' ? seen : seen();
    this.violations.push(text === '' ? what : `${what}: ${text}`);
  }
}

export type PlaceOptions = {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly plant: string | undefined;
};

export class TerminalPlace {
  readonly home = mkdtempSync(join(tmpdir(), 'millrace-terminal-'));
  readonly #plant: string | undefined;
  readonly #screens: PtyScreen[] = [];

  constructor(plant: string | undefined) {
    this.#plant = plant;
  }

  get store(): string {
    return join(this.home, 'demo.sqlite');
  }

  /** The demo's settings, with a plugin of its own that does `deed` after some seconds. */
  writeSettings(deed: string): string {
    const packages = join(this.home, 'node_modules');
    mkdirSync(packages);
    for (const name of ['rxjs', 'zod'])
      symlinkSync(join(packageRoot, 'node_modules', name), join(packages, name));
    symlinkSync(packageRoot, join(packages, 'millrace'));
    writeFileSync(
      join(this.home, 'ends.ts'),
      `/** A plugin that ends in an unusual way. */
import { concatMap, NEVER, of } from 'rxjs';
import { defineStrategy } from 'millrace';
import { z } from 'zod';

export default defineStrategy({
  name: 'ends',
  parameters: z.strictObject({}),
  pairs: 1,
  run(context) {
    let count = 0;
    return context.every(1000).pipe(concatMap(() => {
      if (++count === 4) { ${deed} }
      return of();
    }));
  },
});
`,
    );
    const path = join(this.home, 'demo.yaml');
    const text = readFileSync(join(packageRoot, 'config', 'demo.yaml'), 'utf8')
      .replace(/^egress: .*\n/mu, '')
      .replace('plugin: simple-mm ', 'plugin: ./ends.ts ')
      .replace(/parameters:\n(?: {6}.*\n)+/u, 'parameters: {}\n');
    writeFileSync(path, text);
    return path;
  }

  /** The words that run the command line. */
  words(args: readonly string[]): readonly string[] {
    return [this.#plant === undefined ? main : planted, ...args, '--home', this.home];
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#plant === undefined ? {} : { MILLRACE_PLANT: this.#plant };
  }

  /** Opens a terminal with `file` in it, or with the command line. */
  open(
    args: readonly string[],
    {
      columns = 80,
      rows = 24,
      env = {},
      file = process.execPath,
    }: Partial<PlaceOptions> & {
      readonly file?: string;
    } = {},
  ): PtyScreen {
    const screen = new PtyScreen({
      ...{ file, cwd: packageRoot, columns, rows },
      args: file === process.execPath ? this.words(args) : args,
      env: { ...this.environment, ...env },
    });
    this.#screens.push(screen);
    return screen;
  }

  /** Opens a terminal with the demo in it, and waits until the view has its orders. */
  async openDemo(options: Partial<PlaceOptions> = {}): Promise<PtyScreen> {
    const screen = this.open(['start'], options);
    if (!(await screen.shows(isTrading, startsWithinMs)))
      throw new Error(`the demo shows no order: ${screen.lines.join('\n')}`);
    return screen;
  }

  /** Runs a command beside it; returns what it printed. */
  async run(
    ...args: readonly string[]
  ): Promise<{ code: number | null; out: string; err: string }> {
    const child = spawn(process.execPath, [main, ...args, '--home', this.home], {
      cwd: packageRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return output(child);
  }

  /** Runs the command line with pipes. */
  async pipe(args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
    const child = spawn(process.execPath, [...this.words(args)], {
      cwd: packageRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.environment },
    });
    return output(child);
  }

  async close(): Promise<void> {
    for (const screen of this.#screens) {
      screen.resume();
      screen.kill('SIGKILL');
      await screen.ended;
    }
    const remove = () => rmSync(this.home, { recursive: true, force: true });
    await eventually(() => {
      try {
        remove();
        return true;
      } catch {
        // Its exchange, which ends when its bot is gone, may still write.
        return false;
      }
    }, 20_000);
  }
}

async function output(child: ReturnType<typeof spawn>) {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr?.on('data', (data: Buffer) => {
    err += data.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}
