/**
 * One bot as a process, an exchange of its own in this process, and the hostile proxy between them;
 * and what a person reads of the bot: its terminal, `status` and `why`.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runOperatorCommand } from '../../../src/cli/commands/operator-command.ts';
import { runStatus } from '../../../src/cli/commands/status-command.ts';
import { runWhy } from '../../../src/cli/commands/why-command.ts';
import { createClock } from '../../../src/runtime/clock.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { Output } from '../../../src/terminal/output.ts';
import {
  type SimulatorServer,
  startSimulatorServer,
} from '../../../src/venues/luno/simulator/server/simulator-server.ts';
import { workspace } from '../../support/package-root.ts';
import { BotProcess } from '../../support/process-bot.ts';
import { HostileProxy } from '../network/hostile-proxy.ts';

const script = join(import.meta.dirname, 'silence-bot.ts');
const baseConfig = join(import.meta.dirname, 'silence-bot.yaml');
const [clock, timers] = [createClock(), createTimers()];

/** Lines of the settings, each with what stands in its place. */
export type Changes = readonly (readonly [from: string, to: string])[];

/** What a verb printed, for people and with `--json`. */
export type Asked = { readonly text: string; readonly value: Readonly<Record<string, unknown>> };

export class SilencePlace {
  readonly config: string;
  readonly home: string;
  readonly proxy: HostileProxy;
  readonly server: SimulatorServer;
  readonly #folder: string;
  #bot: BotProcess | undefined;

  private constructor(parts: { folder: string; server: SimulatorServer; proxy: HostileProxy }) {
    this.#folder = parts.folder;
    this.server = parts.server;
    this.proxy = parts.proxy;
    this.home = join(parts.folder, 'home');
    this.config = join(parts.folder, 'silence.yaml');
  }

  /** Opens an exchange, and writes the settings of a bot that has not started. */
  static async open(seed: number, changes: Changes): Promise<SilencePlace> {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-silence-'));
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    const server = await startSimulatorServer({
      ...{ folder: join(home, 'simulator'), port: 0, seed, clock, timers },
      fail: (error) => {
        throw error;
      },
    });
    const proxy = new HostileProxy(server.port);
    await proxy.open();
    const place = new SilencePlace({ folder, server, proxy });
    writeFileSync(place.config, changed(readFileSync(baseConfig, 'utf8'), changes));
    return place;
  }

  /** Starts the bot, with a fault built in if one is named. */
  start(plant: string | undefined): BotProcess {
    const child = spawn(process.execPath, [script, this.config, this.home, this.proxy.baseUrl], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...(plant === undefined ? {} : { MILLRACE_PLANT: plant }) },
    });
    this.#bot = new BotProcess(child);
    return this.#bot;
  }

  get bot(): BotProcess {
    if (this.#bot === undefined) throw new Error('the bot has not been started');
    return this.#bot;
  }

  /** Halts or reduces the whole bot, as a person does. */
  async operate(command: 'halt' | 'reduce', reason: string): Promise<void> {
    await runOperatorCommand({
      workspace,
      ...{ command, config: this.config, home: this.home, reason, scope: undefined },
      ...{ thenStop: false, environment: {}, output: captured(true).output },
    });
  }

  status(): Promise<Asked> {
    const { config, home } = this;
    return asked((output) => runStatus({ workspace, config, home, output }));
  }

  why(): Promise<Asked> {
    const { config, home } = this;
    const what = { order: undefined, sinceMs: undefined };
    return asked(async (output) => runWhy({ workspace, config, home, ...what, output }));
  }

  async close(): Promise<void> {
    if (this.#bot?.hasEnded === false) {
      // A process that stands still cannot end.
      this.#bot.signal('SIGCONT');
      await this.#bot.kill();
    }
    await this.proxy.close();
    await this.server.close();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Returns the text with each `from`, which must be there once, replaced. */
export function changed(text: string, changes: Changes): string {
  return changes.reduce((now, [from, to]) => {
    if (now.split(from).length !== 2) throw new Error(`"${from}" must be there once`);
    return now.replace(from, () => to);
  }, text);
}

async function asked(ask: (output: Output) => Promise<unknown>): Promise<Asked> {
  const [people, program] = [captured(false), captured(true)];
  await ask(people.output);
  await ask(program.output);
  return { text: people.text(), value: JSON.parse(program.result()) };
}

/** Returns an output, and what was written to it. */
export function captured(isJson: boolean) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const parts: string[] = [];
  const results: string[] = [];
  stdout.on('data', (data: Buffer) => results.push(String(data)));
  for (const stream of [stdout, stderr])
    stream.on('data', (data: Buffer) => parts.push(String(data)));
  return {
    output: new Output({ workspace, isJson, stdout, stderr }),
    text: () => parts.join(''),
    result: () => results.join('').trimEnd().split('\n').at(-1) ?? '',
  };
}
