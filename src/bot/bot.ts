/**
 * A running bot: connects store, client, engine and driver, for demo, paper and live.
 *
 * Invariant: the database is locked before the first request to the exchange, and the journal's
 * header is written before the first event.
 */
import { dirname, join } from 'node:path';
import type { BotSettings, PaperSettings } from '../domain/bot-settings.ts';
import type { BotStatus } from '../domain/bot-status.ts';
import { SafetyRefusedError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import { Driver } from '../engine/driver.ts';
import { Engine } from '../engine/engine.ts';
import type { EngineStart } from '../engine/engine-start.ts';
import type { OperatorCommand } from '../engine/event.ts';
import type { ExchangePort } from '../engine/exchange-port.ts';
import { encodeHeader } from '../engine/journal.ts';
import { createIdentity } from '../execution/orders/client-order-id.ts';
import { Resumptions } from '../risk/resumed.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Cancel } from '../runtime/timers.ts';
import { unsafeFolderReason } from '../store/file-system.ts';
import type { Upgrade } from '../store/migrate.ts';
import { prepareStorePath } from '../store/open-database.ts';
import { openSqliteStore, type SqliteStore } from '../store/sqlite-store.ts';
import type { OrderGuard } from '../venue/order-guard.ts';
import type { VenueReader } from '../venue/venue-reader.ts';
import type { RequestKind } from '../venue/venue-request.ts';
import { connectVenue, createOrderGuard, type VenueConnection } from '../venues.ts';
import { rowsMsDefault, startArchiving } from './archiving.ts';
import type { BotOptions } from './bot-options.ts';
import { CallLog } from './call-log.ts';
import { CommandTickets, type Operated } from './command-tickets.ts';
import { createCapture } from './create-capture.ts';
import { withFeeds } from './feeds-port.ts';
import { crashLoopOf } from './guards/crash-loop-guard.ts';
import { guardDisk } from './guards/disk-guard.ts';
import { hashSources } from './journal/hash-sources.ts';
import { createJournalFile, journalDefaults } from './journal/journal-file.ts';
import { segmentNameOf } from './journal/journal-segments.ts';
import { openRunJournal, type RunJournal } from './journal/run-journal.ts';
import { checkKeyAtStart } from './keys/key-check.ts';
import { createNetworkExchange } from './network-exchange.ts';
import { openPaperAccount, type PaperAccount } from './paper/paper-account.ts';
import { paperReads } from './paper/paper-reader.ts';
import {
  callsFreeWithinMs,
  gatherStart,
  runsLookedAt,
  untilReachable,
} from './start/start-state.ts';
import { unfinishedText } from './start/unfinished-orders.ts';
import type { RunNotes } from './status/run-notes.ts';
import { RunStatus } from './status/run-status.ts';

/** What a bot may ask its venue. None of it can move money off the exchange. */
export const botRequests: readonly RequestKind[] = [
  'place',
  'cancel',
  'order',
  'orders',
  'own-trades',
  'movements',
  'balances',
  'markets',
  'fees',
  'last-trade',
  'candles',
];

export type Bot = {
  readonly settings: BotSettings;
  readonly engine: Engine;
  readonly store: SqliteStore;
  /** Reads its venue, or its paper account. */
  readonly reader: VenueReader;
  /** The last check of every order before it is sent. */
  readonly guard: OrderGuard;
  /** The account of paper mode; undefined in the other modes. */
  readonly paper: PaperAccount | undefined;
  readonly journal: string;
  /**
   * Executes an operator's command and stores it, with who gave it; `onAnswer` gets the answers,
   * the first after the commit.
   */
  operate(
    command: Omit<OperatorCommand, 'ticket'>,
    by: string,
    onAnswer: (answer: Operated) => void,
  ): void;
  /** How long the oldest event has been waiting to be processed, in milliseconds. */
  waitingMs(): number;
  /** Composes the bot's status as of now. */
  status(): BotStatus;
  /** What the run notes for later. */
  readonly notes: RunNotes;
  readonly startedMs: number;
  /** Asks the bot to stop; `stopped` resolves with the number of orders that are still open. */
  stop(reason: string): void;
  readonly stopped: Promise<number>;
  /** Resolves with the reason when no strategy runs any more; the bot does not stop by itself. */
  readonly ended: Promise<string>;
  /** Stores what waits for a commit, and steps no more events; for a run that ends by an error. */
  readonly endSteps: () => void;
  close(): Promise<void>;
};

/** Opens the store, fetches the exchange's markets, and starts trading. */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { clock, timers, venue, credentials, plugins } = options;
  const hashes = await hashSources(plugins);
  checkStorePlace(options);
  const store = openSqliteStore(options.settings.store, {
    nowMs: Math.floor(clock.nowMicros() / 1000),
    namespace: options.settings.namespace,
    identity: createIdentity(options.random),
    bot: options.settings.bot,
    clock,
    run: {
      configHash: options.settings.hash,
      codeHash: hashes['millrace'] ?? '',
      nodeVersion: process.version,
    },
  });
  const guard = createOrderGuard({ caps: options.egressCaps, clock });
  if (store.upgrade !== undefined) options.onNotice(upgradeNotice(store.upgrade));
  const { paper: paperSettings } = options.settings;
  const isPaper = options.settings.mode === 'paper' && paperSettings !== undefined;
  const calls = new CallLog(`${store.path}.calls`, { clock, timers });
  const connection = connectVenue({
    ...{ venue, credentials, guard, timers },
    allow: isPaper ? paperReads : botRequests,
    beforeCall: calls.beforeCall,
  });
  try {
    warnOfChanges(options, store);
    warnOfUnfinished(options, store);
    if (isPaper)
      return await startPaper(options, { paperSettings, connection, store, guard, hashes, calls });
    await checkKey(options, calls);
    const start = await gatherStart({ ...options, calls }, connection, store);
    const journal = beginJournal(options, { start, hashes, connection, runId: store.runId });
    guard.noteRestored(start.restored.orders);
    return drive(options, { start, journal, connection, store, guard, calls, paper: undefined });
  } catch (error) {
    await connection.close();
    calls.close();
    store.close();
    throw error;
  }
}

type BotParts = {
  readonly connection: VenueConnection;
  readonly store: SqliteStore;
  readonly guard: OrderGuard;
  readonly calls: CallLog;
};

/** Continues {@link startBot} in paper mode, with a simulated account. */
async function startPaper(
  options: BotOptions,
  parts: BotParts & {
    readonly paperSettings: PaperSettings;
    readonly hashes: Readonly<Record<string, string>>;
  },
): Promise<Bot> {
  const { connection, store, guard, hashes, calls } = parts;
  const { settings, clock, onNotice } = options;
  const nowMs = Math.floor(clock.nowMicros() / 1000);
  const paper = await untilReachable(options, () =>
    openPaperAccount({
      ...options,
      paper: parts.paperSettings,
      venue: connection,
      isUsed: store.restore(nowMs).intentIdNext > 1,
      onWarning: (text) => onNotice({ level: 'warn', topic: 'stream', text: `paper: ${text}` }),
    }),
  );
  const { reader, accounts } = paper;
  const paperOptions = { ...options, settings: { ...settings, accounts } };
  // Calls of a paper account do not count towards the exchange's call limit.
  const start = await gatherStart(
    { ...paperOptions, calls: { recentMs: () => [] } },
    { ...reader, check: async () => {} },
    store,
  );
  const journal = beginJournal(paperOptions, { start, hashes, connection, runId: store.runId });
  return drive(paperOptions, { start, journal, connection, store, guard, calls, paper });
}

/** Throws SafetyRefusedError if mode is live and the database is not on a local, lasting disk. */
function checkStorePlace({ settings, onNotice }: BotOptions): void {
  const risk = unsafeFolderReason(dirname(prepareStorePath(settings.store)));
  if (risk === undefined) return;
  if (settings.mode === 'live')
    throw new SafetyRefusedError(
      `the database is not safe where it is: ${risk}; set store to a path on a local disk`,
    );
  onNotice({ level: 'warn', topic: 'state', text: `${risk}; mode live would be refused here` });
}

/** Refuses a key that lacks a needed permission, or that can move money in live mode. */
async function checkKey(options: BotOptions, { beforeCall }: CallLog): Promise<void> {
  const { settings, venue, credentials, acceptedPermissions, timers, onNotice } = options;
  const found = await untilReachable(
    options,
    () =>
      checkKeyAtStart({
        settings,
        baseUrl: venue.baseUrl,
        credentials,
        accepted: acceptedPermissions,
        timers,
        beforeCall,
      }),
    callsFreeWithinMs,
  );
  for (const text of found) onNotice({ level: 'warn', topic: 'state', text });
}

function upgradeNotice({ fromVersion, backup }: Upgrade): Notice {
  const text = `the database was upgraded from schema version ${fromVersion}; backup of the old one: ${backup}`;
  return { level: 'info', topic: 'state', text };
}

function beginJournal(
  options: BotOptions,
  run: {
    readonly start: EngineStart;
    readonly hashes: Readonly<Record<string, string>>;
    readonly connection: VenueConnection;
    readonly runId: number;
  },
): RunJournal {
  const { start, hashes, connection, runId } = run;
  const { protocol } = connection.properties;
  const { bot, keep } = start.settings;
  const bytesMax = keep?.journalBytesMax ?? journalDefaults.bytesMax;
  const folder = join(options.home, 'journal');
  const name = { bot, runId, startedMs: Math.floor(start.startedMicros / 1000) };
  const journal = openRunJournal(join(folder, segmentNameOf(name, 1)), options.timers, () =>
    createJournalFile(folder, name, { ...journalDefaults, bytesMax }),
  );
  const header = { run: String(runId), node: process.version, hashes, protocol, start };
  journal.append(() => encodeHeader(header));
  journal.flush();
  return journal;
}

function drive(
  options: BotOptions,
  parts: BotParts & {
    readonly start: EngineStart;
    readonly journal: RunJournal;
    readonly paper: PaperAccount | undefined;
  },
): Bot {
  const { clock, timers, random } = options;
  const { start, journal, connection, store, guard, calls, paper } = parts;
  const engine = new Engine(start, options.plugins);
  const markets = [...engine.markets.values()].map(({ market }) => market);
  const pairs = markets.map(({ pair }) => pair);
  const capture = createCapture(options, start, connection.properties.protocol);
  const { logger } = options;
  const startedMs = Math.floor(start.startedMicros / 1000);
  const waitingMs = () => {
    const sinceMicros = driver.waitingSinceMicros;
    return sinceMicros === undefined ? 0 : (clock.nowMicros() - sinceMicros) / 1000;
  };
  const { settings } = start;
  const status = new RunStatus({
    ...{ settings, engine, store, clock, timers, startedMs, waitingMs },
    aheadOf: paper?.aheadOf,
  });
  const venuePort =
    paper?.exchange({ connection, pairs, timers, capture }) ??
    createNetworkExchange({ connection, markets, clock, random, capture, logger });
  const exchange = status.measured(withFeeds({ ...options, capture }, venuePort));
  const stopped = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<string>();
  const tickets = new CommandTickets(status.notes);
  const driver: Driver = createDriver(options, {
    ...{ ...parts, engine, exchange, status, tickets },
    ...{ onStopped: stopped.resolve, onEnded: ended.resolve },
  });
  store.onTrouble((trouble) => driver.accept({ kind: 'store-trouble', ...trouble }));
  const stopArchiving = archiveRows(options, start, { driver, store });
  driver.start();
  status.compose(); // The first one takes long: now, while no order waits for it.
  const unguardDisk = guardDisk({
    ...{ store: store.path, journal, capture, captures: join(options.home, 'captures') },
    ...{ timers, onNotice: options.onNotice },
    onTrouble: (code, text) =>
      driver.accept({ kind: 'store-trouble', code, text, mustStop: false }),
  });
  if (options.resumeReason !== undefined)
    driver.accept({ kind: 'operator', command: 'resume', reason: options.resumeReason });
  else if (options.isSupervised) haltAfterCrashes(driver, start, { store, clock });
  return {
    settings,
    engine,
    store,
    reader: paper?.reader ?? connection,
    guard,
    paper,
    journal: journal.path,
    operate: (given, askedBy, onAnswer) => {
      const ticket = tickets.issue(given, askedBy, onAnswer);
      driver.accept({ kind: 'operator', ...given, ticket });
    },
    waitingMs,
    status: () => status.compose(),
    notes: status.notes,
    startedMs,
    stop: (reason) => driver.accept({ kind: 'operator', command: 'stop', reason }),
    stopped: stopped.promise,
    ended: ended.promise,
    endSteps: () => driver.close(),
    close: async () => {
      status.close();
      driver.close();
      unguardDisk();
      stopArchiving();
      await exchange.close();
      calls.close();
      journal.close();
      store.close();
    },
  };
}

function createDriver(
  options: BotOptions,
  parts: BotParts & {
    readonly engine: Engine;
    readonly journal: RunJournal;
    readonly exchange: ExchangePort;
    readonly status: RunStatus;
    readonly tickets: CommandTickets;
    readonly onStopped: (openOrders: number) => void;
    readonly onEnded: (reason: string) => void;
  },
): Driver {
  const { clock, timers } = options;
  const { connection, store, guard, calls, engine, journal, exchange, status, tickets } = parts;
  return new Driver({
    ...{ engine, store, clock, timers, exchange, journal },
    onCommitted: (records) => {
      guard.noteCommitted(records);
      status.noteCommitted(records);
    },
    onStepped: () => status.notes.noteStepped(),
    takeNotes: () => status.notes.take(),
    onNotice: (notice) => {
      status.noteNotice(notice);
      options.onNotice(notice);
    },
    onPoint: (point) => status.notePoint(point),
    onStopped: (openOrders) => {
      // The final comparison runs without the engine's call budget, so its calls are limited here.
      calls.pace(connection.properties.calls);
      parts.onStopped(openOrders);
    },
    onEnded: parts.onEnded,
    onOperated: (answer) => tickets.answer(answer),
    onFatal: (error) => {
      journal.flush();
      options.onFatal(error);
    },
  });
}

function archiveRows(
  options: BotOptions,
  { settings: { keep } }: EngineStart,
  { driver, store }: { readonly driver: Driver; readonly store: SqliteStore },
): Cancel {
  const rowsMs = keep === undefined ? rowsMsDefault : keep.rowsMs;
  const archive = (beforeMs: number): number => {
    // An outcome must not come after its attempt has gone to the archive.
    driver.explain();
    return store.archive(beforeMs);
  };
  return startArchiving({ ...options, store: { archive }, rowsMs });
}

/** Halts a bot that crashed several times in a row, unless someone has resumed it since. */
function haltAfterCrashes(
  driver: Driver,
  { restored }: EngineStart,
  { store, clock }: { readonly store: SqliteStore; readonly clock: SystemClock },
): void {
  const nowMs = Math.floor(clock.nowMicros() / 1000);
  const { ofAllMs } = new Resumptions(restored.riskStates);
  const reason = crashLoopOf(store.reports.runs(runsLookedAt), nowMs, ofAllMs);
  if (reason !== undefined) driver.accept({ kind: 'operator', command: 'halt', reason });
}

/** Warns of orders that an earlier run may have left open. */
function warnOfUnfinished({ settings, onNotice }: BotOptions, store: SqliteStore): void {
  const unfinished = unfinishedText(store.reports.openOrders());
  if (unfinished === undefined || settings.mode === 'paper') return;
  onNotice({ level: 'warn', topic: 'state', text: `${unfinished}; they are looked up first` });
}

/** Warns if the configuration or the code differs from that of the previous run. */
function warnOfChanges({ onNotice }: BotOptions, store: SqliteStore): void {
  const [run, before] = store.reports.runs(2);
  if (run === undefined || before === undefined) return;
  const warn = (what: string, was: string, is: string): void => {
    if (was === is) return;
    const text = `${what} has changed since run ${before.runId}: its hash was ${was.slice(0, 8)}, and is now ${is.slice(0, 8)}`;
    onNotice({ level: 'warn', topic: 'state', text });
  };
  warn('the configuration', before.configHash, run.configHash);
  warn('the code', before.codeHash, run.codeHash);
}
