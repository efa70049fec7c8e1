/**
 * A bot as a running process: store, client, engine and driver wired together, for demo and live.
 *
 * Invariant: the database is locked before anything is asked of the exchange, and the journal's
 * header is written before the first event.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Client, createClient } from '../client/client.ts';
import type { Credentials } from '../client/credentials.ts';
import { EgressGuard } from '../client/egress-guard.ts';
import type { BotSettings, EgressCaps, VenueSettings } from '../domain/bot-settings.ts';
import { MillraceError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import { Driver } from '../engine/driver.ts';
import { Engine } from '../engine/engine.ts';
import type { EngineStart } from '../engine/engine-start.ts';
import { encodeHeader } from '../engine/journal.ts';
import type { OperationName } from '../interface/operations.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Upgrade } from '../store/migrate.ts';
import { openSqliteStore, type SqliteStore } from '../store/sqlite-store.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import { crashLoopOf, recentStartsOf } from './crash-brake.ts';
import { hashSources } from './hash-sources.ts';
import { createJournalFile, type JournalFile } from './journal-file.ts';
import { checkKeyAtStart } from './key-check.ts';
import { fetchAccounts, fetchMarketStarts } from './market-start.ts';
import { createNetworkExchange } from './network-exchange.ts';

/** For the crash brake, which counts further than it needs only to say how many there were. */
const runsLookedAt = 100;

/** The operations that a bot may send. Nothing that moves money off the exchange is among them. */
export const botOperations: readonly OperationName[] = [
  'markets',
  'ticker',
  'balance',
  'transactions',
  'feeInfo',
  'postorder',
  'stoporder',
  'listOrdersV2',
  'getOrderV3',
  'listtrades',
];

export type BotOptions = {
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly credentials: Credentials;
  /** Dangerous permissions of the key that a person has accepted, by name. */
  readonly acceptedPermissions: readonly string[];
  /** Absolute caps on what leaves; undefined in the demo alone. */
  readonly egressCaps: EgressCaps | undefined;
  readonly ordersGoTo: 'simulator' | 'exchange';
  readonly liveFlag: boolean;
  /** Where journals are kept. */
  readonly home: string;
  /** By strategy id. */
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly logger: Logger;
  /**
   * Something starts it again when it dies, so that crashes in a row must halt it; a person who
   * starts it at a terminal has seen them.
   */
  readonly isSupervised: boolean;
  /** Opens what was halted in an earlier run; undefined leaves it. */
  readonly resumeReason: string | undefined;
  readonly onNotice: (notice: Notice) => void;
  /** Called once if the run cannot go on; the process must end. */
  readonly onFatal: (error: unknown) => void;
};

export type Bot = {
  readonly settings: BotSettings;
  readonly engine: Engine;
  readonly store: SqliteStore;
  readonly client: Client;
  readonly journal: string;
  readonly startedMs: number;
  /** Asks the bot to stop; `stopped` resolves with the number of orders that are still open. */
  stop(reason: string): void;
  readonly stopped: Promise<number>;
  /** Closes connections, journal and store. */
  close(): Promise<void>;
};

/** Opens the store, asks the exchange for its markets, and starts trading. */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { clock, timers, venue, credentials, plugins } = options;
  const hashes = await hashSources(plugins);
  const store = openSqliteStore(options.settings.store, {
    nowMs: Math.floor(clock.nowMicros() / 1000),
    namespace: options.settings.namespace,
    run: {
      configHash: options.settings.hash,
      codeHash: hashes['millrace'] ?? '',
      nodeVersion: process.version,
    },
  });
  const guard = new EgressGuard({ caps: options.egressCaps, clock });
  if (store.upgrade !== undefined) options.onNotice(upgradeNotice(store.upgrade));
  const client = createClient({
    baseUrl: venue.baseUrl,
    credentials,
    paths: venue.paths,
    allow: botOperations,
    guard,
    timers,
  });
  try {
    await checkKey(options);
    const start = await gatherStart(options, client, store);
    const journal = beginJournal(options, { start, hashes, runId: store.runId });
    guard.noteRestored(start.restored.orders);
    return drive(options, { start, journal, client, store, guard });
  } catch (error) {
    await client.close();
    store.close();
    throw error;
  }
}

/** A key that lacks what the bot needs, or can move money in live mode, does not start. */
async function checkKey(options: BotOptions): Promise<void> {
  const { settings, venue, credentials, acceptedPermissions, timers, onNotice } = options;
  const found = await untilReachable(options, () =>
    checkKeyAtStart({
      mode: settings.mode,
      baseUrl: venue.baseUrl,
      credentials,
      accepted: acceptedPermissions,
      timers,
    }),
  );
  for (const text of found) onNotice({ level: 'warn', topic: 'state', text });
}

function upgradeNotice({ fromVersion, backup }: Upgrade): Notice {
  const text = `the database had schema version ${fromVersion} and was upgraded; as it was before: ${backup}`;
  return { level: 'info', topic: 'state', text };
}

function beginJournal(
  options: BotOptions,
  run: {
    readonly start: EngineStart;
    readonly hashes: Readonly<Record<string, string>>;
    readonly runId: number;
  },
): JournalFile {
  const { start, hashes, runId } = run;
  const journal = createJournalFile(join(options.home, 'journal'), {
    bot: start.settings.bot,
    runId,
    startedMs: Math.floor(start.startedMicros / 1000),
  });
  journal.append(encodeHeader({ run: String(runId), node: process.version, hashes, start }));
  return journal;
}

function drive(
  options: BotOptions,
  parts: {
    readonly start: EngineStart;
    readonly journal: JournalFile;
    readonly client: Client;
    readonly store: SqliteStore;
    readonly guard: EgressGuard;
  },
): Bot {
  const { clock, timers, random, venue, credentials } = options;
  const { start, journal, client, store, guard } = parts;
  const engine = new Engine(start, options.plugins);
  const exchange = createNetworkExchange({
    client,
    venue,
    credentials,
    pairs: start.markets.map(({ market }) => market.pair),
    timers,
    random,
    logger: options.logger,
  });
  const stopped = Promise.withResolvers<number>();
  const driver = new Driver({
    engine,
    store,
    clock,
    timers,
    exchange,
    journal,
    onCommitted: (records) => guard.noteCommitted(records),
    onNotice: options.onNotice,
    onStopped: stopped.resolve,
    onFatal: options.onFatal,
  });
  driver.start();
  if (options.resumeReason !== undefined)
    driver.accept({ kind: 'operator', command: 'resume', reason: options.resumeReason });
  else if (options.isSupervised) brake(driver, store, clock);
  return {
    settings: start.settings,
    engine,
    store,
    client,
    journal: journal.path,
    startedMs: Math.floor(start.startedMicros / 1000),
    stop: (reason) => driver.accept({ kind: 'operator', command: 'stop', reason }),
    stopped: stopped.promise,
    close: async () => {
      driver.close();
      await exchange.close();
      journal.close();
      store.close();
    },
  };
}

/** Whoever resumes has seen what happened; anybody else starts halted after several crashes. */
function brake(driver: Driver, store: SqliteStore, clock: SystemClock): void {
  const nowMs = Math.floor(clock.nowMicros() / 1000);
  const reason = crashLoopOf(store.reports.runs(runsLookedAt), nowMs);
  if (reason !== undefined) driver.accept({ kind: 'operator', command: 'halt', reason });
}

/** Returns the public name of a key, by which settings can allow it. */
export function fingerprintOf(credentials: Credentials): string {
  return createHash('sha256').update(credentials.keyId).digest('hex').slice(0, 16);
}

async function gatherStart(
  options: BotOptions,
  client: Client,
  store: SqliteStore,
): Promise<EngineStart> {
  const { clock, random, credentials } = options;
  const pairs = [...new Set(options.settings.strategies.flatMap((strategy) => strategy.pairs))];
  const markets = await untilReachable(options, () => fetchMarketStarts(client, pairs));
  const isGiven = Object.keys(options.settings.accounts).length > 0;
  const accounts = isGiven
    ? options.settings.accounts
    : await untilReachable(options, () => fetchAccounts(client, markets));
  const startedMicros = clock.nowMicros();
  return {
    settings: { ...options.settings, accounts },
    environment: {
      mode: options.settings.mode,
      ordersGoTo: options.ordersGoTo,
      liveFlag: options.liveFlag,
      keyFingerprint: fingerprintOf(credentials),
      keyFingerprintAllowed: options.settings.liveKeyFingerprint,
    },
    markets,
    restored: store.restore(Math.floor(startedMicros / 1000)),
    storeDurable: true,
    lockHeld: true,
    recentStarts: recentStartsOf(store.reports.runs(runsLookedAt), startedMicros / 1000),
    seed: random.integer(1, 2 ** 31),
    startedMicros,
    reconcile: true,
  };
}

const reachWithinMs = 30_000;
const reachPaceMs = 500;

/** Repeats a read while the exchange cannot be reached; a refusal is final. */
async function untilReachable<T>(
  { clock, timers, onNotice }: BotOptions,
  read: () => Promise<T>,
): Promise<T> {
  const deadlineMicros = clock.monotonicMicros() + reachWithinMs * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const mayPass = error instanceof MillraceError && error.recovery !== 'give-up';
      if (!mayPass || clock.monotonicMicros() > deadlineMicros) throw error;
      if (attempt === 1)
        onNotice({
          level: 'warn',
          topic: 'stream',
          text: `the exchange cannot be reached yet: ${error.message}`,
        });
      await new Promise<void>((resolve) => timers.after(reachPaceMs, resolve));
    }
  }
}
