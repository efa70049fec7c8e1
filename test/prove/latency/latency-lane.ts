/**
 * One program that is measured, an exchange of its own and the proxy between them: a bot, or the
 * floor. The market moves only when a reaction is asked for.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inlining, trading } from '../../../src/bot-flags.mjs';
import { BotProcess } from '../../support/process-bot.ts';
import { HostileProxy } from '../network/hostile-proxy.ts';
import { botSettingsText, type Reactor, ticksBelow } from './bot-settings-text.ts';
import type { Block } from './latency-figures.ts';
import { latencyPlants } from './latency-plants.ts';
import { MarketMover } from './market-mover.ts';
import { markOf } from './measured-process.ts';
import { monotonicMicros } from './monotonic.ts';
import { type ReactionTimes, ReactionWatch } from './reaction-watch.ts';

/** A file system in memory; where there is none, the usual one is used, and the figures say so. */
const memoryFolder = existsSync('/dev/shm') ? '/dev/shm' : undefined;
export const databaseInMemory =
  memoryFolder === undefined ? 'on disk: there is no /dev/shm' : 'a file in /dev/shm';

export type LaneOptions = {
  readonly reactor: Reactor;
  readonly database: 'disk' | 'memory';
  readonly strategies: number;
  /** Frames that each change comes with; only the last one raises the best bid. */
  readonly burst: number;
  readonly lineDelayMs: number;
  readonly isLimited: boolean;
  /** Whether the parts of a bot's work can be measured, which costs it CPU time. */
  readonly isHooked: boolean;
  readonly plant: string | undefined;
  /** The Node that runs the floor; the one that runs the proof unless given. */
  readonly node?: string;
};

/** What one change brought. */
export type Reacted = {
  readonly orders: readonly ReactionTimes[];
  /** Orders that did not come in time. */
  readonly missing: number;
};

const startsWithinMs = 60_000;
const reactsWithinMs = 5_000;
const settlesWithinMs = 2_000;
/** Without calls for so long, nothing of a reaction is still to come. */
const calmMicros = 8_000;
const tradeEveryMicros = 15_000_000;
const lookEveryMs = 2;

export class LatencyLane {
  readonly options: LaneOptions;
  readonly watch: ReactionWatch;
  readonly #mover: MarketMover;
  readonly #folders: readonly string[];
  readonly #proxy: HostileProxy;
  readonly #exchange: BotProcess;
  readonly #program: BotProcess;
  #tradedMicros = monotonicMicros();
  #cleanUp = async (): Promise<void> => {};

  /** Starts everything; resolves when the program has reacted a few times. */
  static async #open(options: LaneOptions): Promise<LatencyLane> {
    const memory = mkdtempSync(join(memoryFolder ?? tmpdir(), 'millrace-latency-'));
    const disk = mkdtempSync(join(tmpdir(), 'millrace-latency-'));
    // The exchange's disk is not what is measured, and of the bot's only that of its database.
    const home = options.database === 'memory' ? memory : disk;
    for (const [folder, names] of [
      [memory, ['simulator']],
      [disk, ['journal', 'captures', 'log']],
    ] as const)
      for (const name of names) {
        mkdirSync(join(folder, name));
        if (folder !== home) symlinkSync(join(folder, name), join(home, name));
      }
    const limit = options.isLimited ? 'limited' : 'unlimited';
    const exchange = start('latency-exchange.ts', [join(home, 'simulator'), limit]);
    const [{ port, id, secret }] = (await once(exchange.child, 'message')) as [ExchangeReady];
    const mover = new MarketMover(port);
    await mover.open();
    const plant = options.plant === undefined ? undefined : latencyPlants[options.plant];
    const watch = new ReactionWatch({
      lineDelayMs: options.lineDelayMs,
      countOf: plant?.countOf ?? (() => 1),
    });
    const proxy = new HostileProxy(port);
    await proxy.open();
    void proxy.begin(watch.hooks);
    const { baseUrl } = proxy;
    const program =
      options.reactor === 'floor'
        ? start('latency-floor.ts', [baseUrl, id, secret, String(ticksBelow)], options)
        : startBot(home, { ...options, reactor: options.reactor }, [baseUrl, limit]);
    const folders = [disk, memory];
    const lane = new LatencyLane({ options, watch, mover, folders, proxy, exchange, program });
    try {
      await lane.#begin();
      return lane;
    } catch (error) {
      await lane.#close();
      throw error;
    }
  }

  /** Opens a lane for as long as `use` needs it. */
  static async with<T>(options: LaneOptions, use: (lane: LatencyLane) => Promise<T>): Promise<T> {
    const lane = await LatencyLane.#open(options);
    try {
      return await use(lane);
    } finally {
      await lane.#close();
    }
  }

  private constructor(parts: {
    readonly options: LaneOptions;
    readonly watch: ReactionWatch;
    readonly mover: MarketMover;
    readonly folders: readonly string[];
    readonly proxy: HostileProxy;
    readonly exchange: BotProcess;
    readonly program: BotProcess;
  }) {
    this.options = parts.options;
    this.watch = parts.watch;
    this.#mover = parts.mover;
    this.#folders = parts.folders;
    this.#proxy = parts.proxy;
    this.#exchange = parts.exchange;
    this.#program = parts.program;
  }

  /** Raises the best bid, and waits until the program has reacted and is calm again. */
  async #react(): Promise<Reacted> {
    await this.keepTrading();
    const { strategies } = this.options;
    const price = await this.change();
    const isDone = (): boolean => this.watch.ordersOf(price).length >= strategies;
    await until(isDone, reactsWithinMs);
    await this.calm();
    const orders = this.watch.ordersOf(price);
    return { orders, missing: Math.max(0, strategies - orders.length) };
  }

  /** Raises the best bid and returns it; what the change before has left is cleaned up first. */
  async change(): Promise<number> {
    await this.#cleanUp();
    const { burst } = this.options;
    const price = this.#mover.best + 1;
    this.watch.await(price, burst > 1);
    this.#cleanUp = await this.#mover.raise(burst - 1);
    return price;
  }

  /**
   * Changes the market several times, and measures the program meanwhile. To measure its parts as
   * well costs CPU time itself.
   */
  async block(changes: number, { timesParts = false } = {}): Promise<Block> {
    const before = await markOf(this.#program.child, timesParts);
    const { calls } = this.watch;
    const orders: ReactionTimes[] = [];
    let missing = 0;
    for (let count = 0; count < changes; count++) {
      const reacted = await this.#react();
      orders.push(...reacted.orders);
      missing += reacted.missing;
    }
    const mark = await markOf(this.#program.child, false);
    const cpuMicros = mark.cpuMicros - before.cpuMicros;
    return { changes, orders, missing, calls: this.watch.calls - calls, cpuMicros, mark };
  }

  /** The gate of a bot wants a trade of the last minute. */
  async keepTrading(): Promise<void> {
    if (monotonicMicros() - this.#tradedMicros < tradeEveryMicros) return;
    this.#tradedMicros = monotonicMicros();
    await this.#mover.trade();
  }

  /** Waits until no call has been made or answered for a moment, as long as that takes. */
  async calm(): Promise<void> {
    const quietMicros = calmMicros + 2_000 * this.options.lineDelayMs;
    const { watch } = this;
    const isCalm = (): boolean =>
      watch.open === 0 && monotonicMicros() - watch.lastMicros > quietMicros;
    await until(isCalm, settlesWithinMs);
  }

  async #close(): Promise<void> {
    // An orderly stop would wait for the calls of the last minute, and nothing is judged here.
    await this.#program.kill();
    await this.#proxy.close();
    await this.#mover.close();
    await this.#exchange.kill();
    for (const folder of this.#folders)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  async #begin(): Promise<void> {
    const isReady = this.#program.sees(
      this.options.reactor === 'floor' ? /ready/u : /reconciled: /u,
    );
    const limit = new Promise<'late'>((resolve) => {
      setTimeout(resolve, startsWithinMs, 'late').unref();
    });
    if ((await Promise.race([isReady, limit])) === 'late')
      throw new Error(`not ready within ${startsWithinMs} ms: ${this.#program.text.slice(-2_000)}`);
    // The first reactions wait for what a program loads and opens when it needs it.
    for (let attempt = 0; attempt < 10; attempt++) await this.#react();
  }
}

type ExchangeReady = { readonly port: number; readonly id: string; readonly secret: string };

function startBot(
  home: string,
  { reactor, strategies, isHooked, plant }: LaneOptions & { readonly reactor: 'place' | 'quote' },
  [baseUrl, limit]: readonly [string, string],
): BotProcess {
  const config = join(home, 'latency.yaml');
  writeFileSync(config, botSettingsText(reactor, strategies));
  // As the launcher starts it.
  const flags = [...inlining, ...trading];
  const words = [config, home, baseUrl, limit, isHooked ? 'hooked' : 'plain'];
  return start('latency-bot.ts', words, { plant, flags });
}

type ProcessOptions = Partial<Pick<LaneOptions, 'plant' | 'node'>> & {
  readonly flags?: readonly string[];
};

function start(
  script: string,
  words: readonly string[],
  { plant, node = process.execPath, flags = [] }: ProcessOptions = {},
): BotProcess {
  const child: ChildProcess = spawn(node, [...flags, join(import.meta.dirname, script), ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: { ...process.env, ...(plant === undefined ? {} : { MILLRACE_PLANT: plant }) },
  });
  return new BotProcess(child);
}

async function until(isTrue: () => boolean, withinMs: number): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (!isTrue() && performance.now() < untilMs)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}
