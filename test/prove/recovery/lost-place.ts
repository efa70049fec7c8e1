/**
 * A simulated exchange on this machine, and bots of one name in homes of their own, all in this
 * process: so that homes can be lost, emptied, copied and exchanged between lives.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { accountReads } from '../../../src/audit/exchange-account.ts';
import { readExchange, reconcile } from '../../../src/audit/reconciliation.ts';
import { type Bot, startBot } from '../../../src/bot/bot.ts';
import { repair } from '../../../src/bot/repair.ts';
import { fetchAccounts, fetchMarketStarts } from '../../../src/bot/start/market-start.ts';
import { preparePlugins } from '../../../src/bot/start/prepare-plugins.ts';
import { clientOrderIdPrefix } from '../../../src/execution/orders/client-order-id.ts';
import { createClock } from '../../../src/runtime/clock.ts';
import { createLogger } from '../../../src/runtime/log.ts';
import { createSystemRandom } from '../../../src/runtime/system-random.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { loadBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import { Output } from '../../../src/terminal/output.ts';
import { VenueRefusedError } from '../../../src/venue/venue-reader.ts';
import { type Client, createClient } from '../../../src/venues/luno/client/client.ts';
import {
  type SimulatorServer,
  startSimulatorServer,
} from '../../../src/venues/luno/simulator/server/simulator-server.ts';
import { connectVenue } from '../../../src/venues.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';

export const config = join(packageRoot, 'config', 'demo.yaml');
const { source: _, capture: __, ...demo } = loadBotSettings(config, { workspace });
const plugins = await preparePlugins(demo, join(packageRoot, 'strategies'));
const [clock, timers] = [createClock(), createTimers()];
const lookMs = 100;
/** The exchange counts the calls of a minute. */
const callsWithinMs = 75_000;
const callsPaceMs = 5_000;

/** What can be changed of a life. */
export type LifeOptions = {
  readonly resumeReason?: string;
  readonly isAdopting?: boolean;
  readonly isSupervised?: boolean;
};

/** One life of a bot. */
export class Life {
  readonly bot: Bot;
  /** Of every notice, with its level. */
  readonly lines: string[];
  readonly #died: () => unknown;

  constructor(bot: Bot, lines: string[], died: () => unknown) {
    this.bot = bot;
    this.lines = lines;
    this.#died = died;
  }

  /** Waits until `isTrue`, or for so long; returns whether it became true. */
  async until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    const untilMs = performance.now() + withinMs;
    while (!isTrue()) {
      if (this.#died() !== undefined) throw this.#died();
      if (performance.now() > untilMs) return false;
      await sleep(lookMs);
    }
    return true;
  }

  says(pattern: RegExp): boolean {
    return this.lines.some((line) => pattern.test(line));
  }

  get isReconciled(): boolean {
    return this.bot.engine.reconciler.isBalanced;
  }

  /** Tells the bot a command; returns the answer. */
  operate(command: 'halt' | 'resume', reason: string, scope?: string) {
    return new Promise<{ readonly text: string; readonly isRefused?: boolean }>((resolve) =>
      this.bot.operate(
        { command, reason, ...(scope === undefined ? {} : { scope }) },
        'user test',
        resolve,
      ),
    );
  }

  /** Stops the bot in order. */
  async stop(): Promise<void> {
    this.bot.stop('the life is over');
    await this.bot.stopped;
    await this.bot.close();
  }
}

export class LostPlace {
  readonly #folder: string;
  readonly #server: SimulatorServer;

  private constructor(folder: string, server: SimulatorServer) {
    this.#folder = folder;
    this.#server = server;
  }

  /** Opens a new exchange. */
  static async open(seed: number): Promise<LostPlace> {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-recovery-'));
    const server = await startSimulatorServer({
      ...{ folder: join(folder, 'exchange'), port: 0, seed, clock, timers },
      fail: (error) => {
        throw error;
      },
    });
    return new LostPlace(folder, server);
  }

  async close(): Promise<void> {
    await this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Returns a home by its name; it is made when it is used first. */
  home(name: string): string {
    const home = join(this.#folder, name);
    mkdirSync(home, { recursive: true });
    return home;
  }

  store(home: string): string {
    return join(home, 'demo.sqlite');
  }

  /** How many orders of the bots the exchange has ever had. */
  get orders(): number {
    return this.#truth().orders.length;
  }

  get trades(): number {
    return this.#truth().trades.length;
  }

  #truth() {
    return this.#server.simulator.truth('desk');
  }

  /** Starts a bot of the one name in `home`. */
  async start(home: string, options: LifeOptions = {}): Promise<Life> {
    const lines: string[] = [];
    let death: unknown;
    const bot = await startBot({
      workspace,
      ...this.#beside(home),
      ...{ home, config: 'config/demo.yaml', plugins, clock, timers },
      random: createSystemRandom(),
      ...{ acceptedPermissions: [], egressCaps: undefined, liveFlag: false },
      capture: { days: 0, bytesMax: 0 },
      logger: createLogger({ level: 'silent', secrets: [] }),
      isSupervised: options.isSupervised === true,
      resumeReason: options.resumeReason,
      isAdopting: options.isAdopting === true,
      onNotice: ({ level, text }) => void lines.push(`${level} ${text}`),
      onFatal: (error) => {
        death = error;
      },
    });
    return new Life(bot, lines, () => death);
  }

  /** A life that trades until it has some fills, and ends in order; returns how many it has. */
  async trade(home: string, options: LifeOptions = {}): Promise<number> {
    const life = await this.start(home, options);
    const before = this.trades;
    await life.until(() => this.trades >= before + 2, 60_000);
    await life.stop();
    return this.trades - before;
  }

  /** What `reconcile --repair` does. */
  async repair(home: string): Promise<void> {
    const config = 'config/demo.yaml';
    await repair({
      ...this.#beside(home),
      home,
      config,
      plugins,
      workspace,
      output: silentOutput(),
    });
  }

  /** How many differences `reconcile` finds, once the exchange takes as many calls. */
  async differences(home: string): Promise<number> {
    const untilMs = performance.now() + callsWithinMs;
    for (;;) {
      try {
        return await this.#differences(home);
      } catch (error) {
        const isThrottled = error instanceof VenueRefusedError && error.reason === 'throttled';
        if (!isThrottled || performance.now() > untilMs) throw error;
        await sleep(callsPaceMs);
      }
    }
  }

  async #differences(home: string): Promise<number> {
    const reports = openStoreReports(this.store(home));
    const venue = connectVenue({
      venue: { ...this.#server, paths: {}, userStreamPath: '/' },
      credentials: this.#credentials(),
      allow: accountReads,
      timers,
    });
    try {
      const names = demo.strategies.flatMap(({ pairs }) => pairs);
      const markets = await fetchMarketStarts(venue, names);
      const accounts = await fetchAccounts(venue, markets, []);
      const pairs = new Map(markets.map(({ market }) => [market.pair, market]));
      const { namespace } = demo;
      const exchange = await readExchange(venue, { namespace, accounts, pairs });
      return reconcile(exchange, { reports, accounts, pairs }).differences.length;
    } finally {
      reports.close();
      await venue.close();
    }
  }

  /** Places an order of the same name as another database would, with its number of an order. */
  async placeAsAnother(number: number): Promise<void> {
    const client = this.#client();
    const id = `${clientOrderIdPrefix(demo.namespace)}${number.toString(36)}-otherone-abcdefghijkl`;
    const terms = { pair: 'XBTZAR', type: 'BID', price: '900000', volume: '0.001' } as const;
    try {
      await client.postorder({ ...terms, client_order_id: id });
    } finally {
      await client.close();
    }
  }

  /** Copies a database that no bot has open. */
  copyStore(from: string, to: string): void {
    for (const end of ['-wal', '-shm']) rmSync(`${this.store(to)}${end}`, { force: true });
    copyFileSync(this.store(from), this.store(to));
  }

  emptyStore(home: string): void {
    truncateSync(this.store(home), 0);
  }

  hasStore(home: string): boolean {
    return existsSync(this.store(home));
  }

  #client(): Client {
    return createClient({
      baseUrl: this.#server.baseUrl,
      credentials: this.#credentials(),
      timers,
    });
  }

  #credentials() {
    const { api_key_id: keyId, api_key_secret: keySecret } = this.#server.credentials;
    return { keyId, keySecret };
  }

  #beside(home: string) {
    const { baseUrl, streamUrl } = this.#server;
    return {
      settings: { ...demo, store: this.store(home) },
      venue: {
        ...{ name: 'simulator', baseUrl, streamUrl, paths: {} },
        userStreamPath: '/api/1/userstream',
      },
      credentials: this.#credentials(),
      ordersGoTo: 'simulator',
    } as const;
  }
}

/** An output that nobody reads. */
export function silentOutput(): Output {
  const nobody = new PassThrough().resume();
  return new Output({ workspace, isJson: true, stdout: nobody, stderr: nobody });
}

/** Waits. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => timers.after(milliseconds, resolve));
}
