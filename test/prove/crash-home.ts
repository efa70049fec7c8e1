/**
 * One home of the crash proof: a simulator and a bot as processes of their own, which are killed by
 * a plan, started again, and in the end left in peace and stopped in order.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { packageRoot } from '../support/package-root.ts';
import { BotProcess, newHome } from '../support/process-bot.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { type CommittedState, dyingMark } from './crash-at-commit.ts';
import { type Kill, planOf } from './crash-plan.ts';

const script = join(import.meta.dirname, 'crash-bot.ts');
const main = join(packageRoot, 'src', 'main.ts');

/**
 * A bot trades once it has reconciled; one that does not get so far is killed all the same. The
 * third life of a minute waits for calls that the exchange would take.
 */
const tradesWithinMs = 45_000;
const listenWithinMs = 30_000;
const stopWithinMs = 60_000;
const pollMs = 250;
/** Long enough for a request to leave, not for its time to live to end. */
const inFlightMs = 600;
/** A bot that trades commits an order every second or two, unless it waits for calls. */
const commitsWithinMs = 15_000;

export type HomeCounts = {
  bot: number;
  simulator: number;
  /** Kills of a bot that had not found its way back from the one before. */
  duringRecovery: number;
  inFlight: number;
  /** Of bots that died with an order committed that had not left. */
  committed: number;
  starts: number;
};

export class CrashHome {
  readonly path = newHome();
  readonly counts: HomeCounts = {
    bot: 0,
    simulator: 0,
    duringRecovery: 0,
    inFlight: 0,
    committed: 0,
    starts: 0,
  };
  /** What went wrong with the processes themselves. */
  readonly faults: string[] = [];
  readonly #seed: number;
  readonly #plant: string | undefined;
  #port = 0;
  #simulator: BotProcess | undefined;
  #bot: BotProcess | undefined;

  constructor(seed: number, plant?: string) {
    this.#seed = seed;
    this.#plant = plant;
  }

  get database(): string {
    return join(this.path, 'crash.sqlite');
  }

  /** Kills `count` times, as the seed says. */
  async storm(count: number): Promise<void> {
    for (const kill of planOf(new SeededRandom(this.#seed), count)) {
      await this.#startSimulator();
      this.#startBot();
      await this.#untilTime(kill);
      await this.#strike(kill);
      await sleep(kill.downMs);
    }
  }

  /** Lets the bot find the end of every order, `withinMs` at most, and stops both in order. */
  async calm(withinMs: number): Promise<void> {
    await this.#startSimulator();
    const bot = this.#startBot();
    const untilMs = performance.now() + withinMs;
    await this.#sees(bot, /reconciled: /u, withinMs);
    while (this.#unknownOrders() > 0 && performance.now() < untilMs && !bot.hasEnded)
      await sleep(pollMs);
    await this.stop();
  }

  /** Starts both, for a run without kills; `prefix` goes before the bot's command. */
  async begin(prefix: readonly string[] = []): Promise<BotProcess> {
    await this.#startSimulator();
    return this.#startBot(prefix);
  }

  /** Stops both in order. */
  async stop(): Promise<void> {
    const bot = this.#bot;
    if (bot !== undefined) {
      bot.signal('SIGTERM');
      const ended = await Promise.race([bot.ended, limit(stopWithinMs)]);
      if (ended === undefined) {
        this.faults.push(`the bot does not stop: ${bot.text.slice(-500)}`);
        await bot.kill();
      } else if (ended.code !== 0)
        this.faults.push(`the bot ended with ${JSON.stringify(ended)}: ${bot.text.slice(-1_500)}`);
    }
    this.#simulator?.signal('SIGTERM');
    await this.#simulator?.ended;
    this.#bot = undefined;
    this.#simulator = undefined;
  }

  async #startSimulator(): Promise<void> {
    if (this.#simulator?.hasEnded === false) return;
    const { path } = this;
    const port = String(this.#port);
    const seed = String(this.#seed);
    const untilMs = performance.now() + listenWithinMs;
    for (;;) {
      const child = run([
        main,
        'exchange',
        '--home',
        path,
        '--port',
        port,
        '--seed',
        seed,
        '--json',
      ]);
      const simulator = new BotProcess(child);
      try {
        await simulator.sees(/"baseUrl"/u);
        this.#simulator = simulator;
        const told = JSON.parse(simulator.stdout) as { readonly baseUrl: string };
        this.#port = Number.parseInt(new URL(told.baseUrl).port, 10);
        return;
      } catch (error) {
        // The last connections of the one before may still hold the port.
        if (performance.now() > untilMs) throw error;
        await sleep(pollMs);
      }
    }
  }

  #startBot(prefix: readonly string[] = []): BotProcess {
    if (this.#bot?.hasEnded === true) {
      this.faults.push(`the bot ended by itself: ${this.#bot.text.slice(-1_500)}`);
      this.#bot = undefined;
    }
    if (this.#bot === undefined) {
      const environment = this.#plant === undefined ? {} : { MILLRACE_PLANT: this.#plant };
      const address = `http://127.0.0.1:${this.#port}`;
      this.#bot = new BotProcess(run([script, this.path, address], environment, prefix));
      this.counts.starts++;
    }
    return this.#bot;
  }

  async #untilTime(kill: Kill): Promise<void> {
    const bot = this.#bot as BotProcess;
    // Its first words come just before it opens the database and asks the exchange.
    const sign = kill.while === 'starting' ? /namespace/u : /reconciled: /u;
    await this.#sees(bot, sign, tradesWithinMs);
    await sleep(kill.afterMs);
  }

  async #strike({ target, while: moment, committedAs }: Kill): Promise<void> {
    const bot = this.#bot as BotProcess;
    const simulator = this.#simulator as BotProcess;
    if (moment === 'committed') await this.#letDieAtCommit(bot, committedAs);
    if (moment === 'in-flight') {
      simulator.signal('SIGSTOP');
      await sleep(inFlightMs);
      this.counts.inFlight++;
    }
    if (target !== 'simulator') {
      if (!/reconciled: /u.test(bot.text)) this.counts.duringRecovery++;
      this.counts.bot++;
      if (!bot.hasEnded || moment !== 'committed') await this.#kill(bot);
      this.#bot = undefined;
    }
    if (moment === 'in-flight') simulator.signal('SIGCONT');
    if (target !== 'bot') {
      this.counts.simulator++;
      await this.#kill(simulator);
    }
  }

  /** The bot kills itself at its next such commit; one that makes none is killed as it is. */
  async #letDieAtCommit(bot: BotProcess, state: CommittedState): Promise<void> {
    const mark = join(this.path, dyingMark);
    writeFileSync(mark, state);
    const ended = await Promise.race([bot.ended, limit(commitsWithinMs)]);
    rmSync(mark, { force: true });
    if (ended?.signal === 'SIGKILL') this.counts.committed++;
    else if (ended !== undefined) this.faults.push(`the bot ended: ${bot.text.slice(-1_500)}`);
  }

  async #kill(one: BotProcess): Promise<void> {
    if (one.hasEnded) this.faults.push(`ended before its kill: ${one.text.slice(-1_500)}`);
    await one.kill();
  }

  /** As {@link BotProcess.sees}, but a bot that is too slow or ends is no error here. */
  async #sees(bot: BotProcess, pattern: RegExp, withinMs: number): Promise<void> {
    await Promise.race([bot.sees(pattern).catch(() => {}), limit(withinMs)]);
  }

  #unknownOrders(): number {
    if (!existsSync(this.database)) return 1;
    const database = new SqliteDatabase(this.database, { readonly: true, timeout: 2_000 });
    try {
      const count = `SELECT count(*) FROM orders WHERE state = 'unknown'`;
      return database.prepare(count).pluck().get() as number;
    } finally {
      database.close();
    }
  }
}

function run(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  prefix: readonly string[] = [],
): ChildProcess {
  const [program = '', ...rest] = [...prefix, process.execPath, ...commandLine];
  return spawn(program, rest, {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
}

function sleep(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
}

/** As {@link sleep}, for a race that may be over earlier. */
function limit(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref());
}
