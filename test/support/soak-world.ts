/**
 * A long run of the whole bot in virtual time, on real files: the demo's market and strategy, a few
 * faults, a kill every twelve hours. What grows is measured, and the store is held against the
 * exchange all along.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createJournalFile, journalDefaults } from '../../src/bot/journal/journal-file.ts';
import { Decimal } from '../../src/domain/money.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { StepInput } from '../../src/engine/stepping/step-input.ts';
import { createLogger } from '../../src/runtime/log.ts';
import { openLogFile } from '../../src/runtime/log-file.ts';
import type { Connect } from '../../src/store/open-database.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite-store.ts';
import { WalWatch } from '../../src/store/wal-watch.ts';
import { defaultSimulatorSettings } from '../../src/venues/luno/simulator/core/simulator-settings.ts';
import { startMicros } from './simulated-exchange.ts';
import { slopePerHour } from './soak-slope.ts';
import { virtualNamespace, virtualSimulator } from './virtual-bot.ts';
import { judgeFills, judgeLedger } from './virtual-judge.ts';
import { VirtualWorld } from './virtual-world.ts';
import { watchDatabase } from './watched-database.ts';

export const soakPlants = {
  leak: 'something is kept of every event',
  'no-checkpoint': 'the write-ahead log is never copied into the database',
  'no-rotation': 'the journal and the log are never rotated',
} as const;
export type SoakPlant = keyof typeof soakPlants;

export type SoakOptions = {
  readonly seed: number;
  readonly hours: number;
  readonly restartEveryHours: number;
  readonly plant: SoakPlant | undefined;
  readonly onProgress: (text: string) => void;
};

export type SoakFigures = {
  readonly virtualDays: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly orders: number;
  readonly fills: number;
  readonly lives: number;
  readonly faults: number;
  /** Of the heap after a collection, fitted after the warm-up; null if nothing can be fitted. */
  readonly slopeBytesPerHour: number | null;
  readonly heapBytes: number;
  readonly walBytesMax: number;
  readonly databaseBytes: number;
  readonly journalBytesMax: number;
  readonly logBytesMax: number;
  readonly incidents: Readonly<Record<string, number>>;
  /** Fills, orders and balances that are not equal in the store and at the exchange. */
  readonly differences: number;
};

/** Bounds of this run: small, so that hours show what weeks would. */
export const soakBounds = {
  journalBytes: 60e6,
  segmentBytes: 8 * 2 ** 20,
  logBytes: 2 ** 17,
  logFiles: 3,
} as const;

const hourMicros = 3_600_000_000;
/** How far behind the bot may be with what it knows of the exchange. */
const settleMs = 600_000;
const history = { orders: 6_000, trades: 6_000, rows: 8_000 };

/** Every crash of a process is one that this run makes itself. */
const noCrashes = [
  'crash.before-commit',
  'crash.after-commit',
  'crash.mid-release',
  'crash.any-time',
  'crash.again',
] as const;

/** Runs it; `violations` are what the witness of the run says, and what differs. */
export class SoakWorld {
  readonly violations: string[] = [];
  readonly #options: SoakOptions;
  readonly #folder: string;
  readonly #world: VirtualWorld;
  readonly #samples: { readonly hour: number; readonly bytes: number }[] = [];
  readonly #leaked: StepInput[] = [];
  readonly #incidents: Record<string, number> = {};
  #store: SqliteStore | undefined;
  #events = 0;
  #fills = 0;
  #differences = 0;
  #comparedMs = Math.floor(startMicros / 1000);
  readonly #highest = { wal: 0, journal: 0, log: 0 };

  constructor(options: SoakOptions) {
    this.#options = options;
    // Where syncs cost nothing: what is looked for here is growth.
    const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    this.#folder = mkdtempSync(join(parent, 'millrace-soak-'));
    const isRotated = options.plant !== 'no-rotation';
    const log = openLogFile(join(this.#folder, 'log', 'soak.log'), {
      bytesMax: isRotated ? soakBounds.logBytes : Number.MAX_SAFE_INTEGER,
      filesMax: soakBounds.logFiles,
    });
    const logger = createLogger({
      level: 'info',
      secrets: [],
      destination: (line) => log.append(line()),
    });
    const shipped = defaultSimulatorSettings.markets[0];
    this.#world = new VirtualWorld({
      seed: options.seed,
      level: 0.01,
      without: noCrashes,
      withChaos: false,
      onRestart: 'adopt',
      refresh: '15s',
      halfSpread: '20bps',
      exchange: { ...virtualSimulator, markets: shipped === undefined ? [] : [shipped], history },
      openStore: () => this.#openStore(),
      openJournal: (runId) => {
        const nowMs = Math.floor(this.#world.time.nowMicros / 1000);
        const journal = createJournalFile(
          join(this.#folder, 'journal'),
          { bot: 'soak', runId, startedMs: nowMs },
          isRotated
            ? {
                ...journalDefaults,
                bytesMax: soakBounds.journalBytes,
                segmentBytesMax: soakBounds.segmentBytes,
              }
            : { bytesMax: 1e15, segmentBytesMax: 1e15, filesMax: 1e9 },
        );
        return journal;
      },
      // The notices of the bot are what its log holds.
      onNotice: (text) => logger.info(text),
    });
    this.#world.witness.limitsEvery = 500;
  }

  async run(): Promise<SoakFigures> {
    const { hours, restartEveryHours, plant, onProgress } = this.#options;
    const world = this.#world;
    const undo = [this.#countEvents(), ...(plant === 'no-checkpoint' ? [neverShorten()] : [])];
    try {
      world.begin();
      for (let hour = 1; hour <= hours; hour++) {
        for (let part = 0; part < 12; part++) {
          world.time.runUntil(world.time.nowMicros + hourMicros / 12);
          await this.#compressed();
          this.#measure();
          if (part % 3 === 2) this.#sample(hour - 1 + (part + 1) / 12);
        }
        this.#compare(Math.floor(world.time.nowMicros / 1000) - settleMs);
        if (hour % restartEveryHours === 0 && hour < hours) world.kill();
        if (hour % 6 === 0) onProgress(this.#progress(hour));
      }
      world.faults.isStorm = false;
      world.pass(120);
      world.end();
      this.#finish();
      return this.#figures();
    } finally {
      for (const back of undo) back();
      this.#store?.close();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  /** Waits for what is compressed beside the process: a week of journals passes in minutes here. */
  async #compressed(): Promise<void> {
    const folder = join(this.#folder, 'journal');
    do await new Promise((resolve) => setImmediate(resolve));
    while (readdirSync(folder).some((name) => name.endsWith('.tmp')));
  }

  #openStore(): SqliteStore {
    this.#store = openSqliteStore(join(this.#folder, 'soak.sqlite'), {
      nowMs: Math.floor(this.#world.time.nowMicros / 1000),
      namespace: virtualNamespace,
      run: { configHash: '', codeHash: '', nodeVersion: process.version },
      ...(this.#options.plant === 'no-checkpoint' ? { connect: connectWithoutCheckpoint } : {}),
    });
    return this.#store;
  }

  /** Counts what every engine is stepped with from now on; returns what ends that. */
  #countEvents(): () => void {
    const count = (event: StepInput): void => {
      this.#events++;
      if (this.#options.plant === 'leak') this.#leaked.push(event);
    };
    const step = Engine.prototype.step;
    Engine.prototype.step = function (this: Engine, atMicros, event) {
      count(event);
      return step.call(this, atMicros, event);
    };
    return () => {
      Engine.prototype.step = step;
    };
  }

  #measure(): void {
    const { witness } = this.#world;
    witness.forget(2_000);
    const highest = this.#highest;
    highest.wal = Math.max(highest.wal, sizeOf(join(this.#folder, 'soak.sqlite-wal')));
    highest.journal = Math.max(highest.journal, sizeIn(join(this.#folder, 'journal')));
    highest.log = Math.max(highest.log, sizeIn(join(this.#folder, 'log')));
    for (const { code } of witness.incidents.splice(0))
      this.#incidents[code] = (this.#incidents[code] ?? 0) + 1;
    this.violations.push(...witness.violations.splice(0));
  }

  #sample(hour: number): void {
    globalThis.gc?.();
    this.#samples.push({ hour, bytes: process.memoryUsage().heapUsed });
  }

  /** Holds what was traded and finished since the last time against the store, up to `untilMs`. */
  #compare(untilMs: number): void {
    const fromMs = this.#comparedMs;
    const reports = this.#store?.reports;
    if (reports === undefined || untilMs <= fromMs) return;
    const isNow = (atMs: number): boolean => atMs >= fromMs && atMs < untilMs;
    const truth = this.#world.simulator.truth('desk');
    const trades = truth.trades.filter(({ timeMs }) => isNow(timeMs));
    const fills = reports.fills(fromMs).filter(({ tradedMs }) => isNow(tradedMs));
    const say = (text: string): void => this.#differ(text);
    judgeFills(trades, fills, { say });
    for (const order of truth.orders) {
      if (order.status !== 'COMPLETE' || !isNow(order.completed_timestamp)) continue;
      const row = reports.findOrder({ clientOrderId: order.client_order_id });
      if (row?.completedMs === undefined)
        say(`${order.client_order_id} is not finished in the store`);
      else if (!new Decimal(row.base).eq(order.base) || !new Decimal(row.counter).eq(order.counter))
        say(`${order.client_order_id} has ${row.base} in the store and ${order.base}`);
    }
    this.#fills += fills.length;
    this.#comparedMs = untilMs;
  }

  #finish(): void {
    this.#measure();
    this.#compare(Math.floor(this.#world.time.nowMicros / 1000) + 1);
    const reports = this.#store?.reports;
    if (reports === undefined) throw new Error('a world that has ended has a store');
    const say = (text: string): void => this.#differ(text);
    for (const order of reports.openOrders()) say(`${order.clientOrderId} is still ${order.state}`);
    judgeLedger(this.#world.simulator.truth('desk'), reports, { say });
    for (const fault of this.#world.simulator.faults()) say(`the exchange: ${fault}`);
    this.violations.push(...this.#world.witness.violations.splice(0));
  }

  #differ(text: string): void {
    this.#differences++;
    this.violations.push(text);
  }

  #figures(): SoakFigures {
    const { hours } = this.#options;
    const world = this.#world;
    const faults = Object.values(world.faults.counts).reduce((sum, count) => sum + count, 0);
    return {
      virtualDays: hours / 24,
      events: this.#events,
      eventsPerSecond: Math.round((10 * this.#events) / (hours * 3600)) / 10,
      orders: world.witness.accepted,
      fills: this.#fills,
      lives: world.lives,
      faults,
      slopeBytesPerHour: slopePerHour(this.#samples),
      heapBytes: this.#samples.at(-1)?.bytes ?? 0,
      walBytesMax: this.#highest.wal,
      databaseBytes: sizeOf(join(this.#folder, 'soak.sqlite')),
      journalBytesMax: this.#highest.journal,
      logBytesMax: this.#highest.log,
      incidents: this.#incidents,
      differences: this.#differences,
    };
  }

  #progress(hour: number): string {
    const megabytes = Math.round((this.#samples.at(-1)?.bytes ?? 0) / 1e6);
    return `${hour} of ${this.#options.hours} virtual hours, ${this.#events} events, heap ${megabytes} MB`;
  }
}

const connectWithoutCheckpoint: Connect = (path, options) => {
  const database = new SqliteDatabase(path, options);
  return watchDatabase(database, (text) => {
    // The store asks for checkpoints when it opens; from its first commit on there are none.
    if (text.startsWith('BEGIN')) database.pragma('wal_autocheckpoint = 0');
  });
};

/** Takes the store's own watch over its log away; returns what gives it back. */
function neverShorten(): () => void {
  const { beforeCommit, afterCommit } = WalWatch.prototype;
  Object.assign(WalWatch.prototype, { beforeCommit: () => {}, afterCommit: () => {} });
  return () => void Object.assign(WalWatch.prototype, { beforeCommit, afterCommit });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** A file may go while it is being looked at. */
function sizeIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
}
