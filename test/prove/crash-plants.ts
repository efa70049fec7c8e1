/**
 * Bugs that the crash proof must find in a real process, each built into the bot's own process on
 * the prototypes of the real code there.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import SqliteDatabase from 'better-sqlite3';
import type { OrderState } from '../../src/domain/order.ts';
import type { Restored, StoreRecord } from '../../src/domain/records.ts';
import { Executor } from '../../src/execution/orders/executor.ts';
import { OrderStates } from '../../src/execution/orders/order-states.ts';
import type { TrackedOrder } from '../../src/execution/orders/tracked-order.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';

type CrashPlant = {
  readonly meaning: string;
  /** What finds it: the trace of one short run, or kills. */
  readonly foundBy: 'trace' | 'kills';
  /** What must be said of it; anything else that is wrong does not count. */
  readonly said: RegExp;
  readonly install: () => void;
};

const plants: Readonly<Record<string, CrashPlant>> = {
  'sync-off': {
    meaning: 'the database is never synced to the disk (synchronous = OFF)',
    foundBy: 'trace',
    said: /^P2 /u,
    install: () => weakenSync('OFF'),
  },
  'sync-normal': {
    meaning: 'the database is synced at checkpoints only (synchronous = NORMAL)',
    foundBy: 'trace',
    said: /^P2 /u,
    install: () => weakenSync('NORMAL'),
  },
  'commit-late': {
    meaning: 'orders leave first, their records are committed half a second later',
    foundBy: 'kills',
    said: / I2 /u,
    install: commitLate,
  },
  'explains-late': {
    meaning: 'what explains an order is stored when the run ends, not every second',
    foundBy: 'kills',
    said: / I17 /u,
    install: explainAtEnd,
  },
  'forgets-unknown': {
    meaning: 'a restart forgets the orders whose outcome it does not know',
    foundBy: 'kills',
    said: /ORPHAN_ORDER| is stuck in sending/u,
    install: () => forget(['sending', 'unknown']),
  },
  'forgets-open': {
    meaning: 'a restart forgets the orders that are open',
    foundBy: 'kills',
    said: /ORPHAN_ORDER| is stuck in open/u,
    install: () => forget(['open']),
  },
  'sends-after-restart': {
    meaning: 'a restart sends the orders that were waiting when the bot was killed, however old',
    foundBy: 'kills',
    said: / P5 /u,
    install: sendAfterRestart,
  },
  'journal-gaps': {
    meaning: 'the journal leaves out every twentieth write',
    foundBy: 'kills',
    said: / I14 /u,
    install: leaveGaps,
  },
};

/** Each plant with what it breaks. */
export const crashPlants: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(plants).map(([name, { meaning }]) => [name, meaning]),
);

/** Returns what finds the plant `name`, and what is said of it then. */
export function finderOf(name: string): Pick<CrashPlant, 'foundBy' | 'said'> {
  return plantOf(name);
}

/** Breaks the code of this process. */
export function installCrashPlant(name: string): void {
  plantOf(name).install();
}

function plantOf(name: string): CrashPlant {
  const plant = Object.hasOwn(plants, name) ? plants[name] : undefined;
  if (plant === undefined) throw new RangeError(`no plant ${name}`);
  return plant;
}

/** The store looks at the setting when it opens the file; its transactions come afterwards. */
function weakenSync(mode: 'OFF' | 'NORMAL'): void {
  const { prototype } = SqliteDatabase;
  const transaction = prototype.transaction;
  const weaken = function (this: SqliteDatabase.Database, ...given: [never]): unknown {
    const made = transaction.apply(this, given);
    if (this.name.endsWith('.sqlite') && this.pragma('user_version', { simple: true }) !== 0)
      this.pragma(`synchronous = ${mode}`);
    return made;
  };
  prototype.transaction = weaken as typeof transaction;
}

function commitLate(): void {
  const commit = SqliteStore.prototype.commit;
  SqliteStore.prototype.commit = function (this: SqliteStore, records, commitNumber): void {
    setTimeout(() => commit.call(this, records, commitNumber), 500);
  };
  const { explain } = SqliteStore.prototype;
  SqliteStore.prototype.explain = function (this: SqliteStore, records): void {
    setTimeout(() => explain.call(this, records), 500);
  };
}

function explainAtEnd(): void {
  const { explain, close } = SqliteStore.prototype;
  const waiting: StoreRecord[] = [];
  SqliteStore.prototype.explain = (records) => {
    waiting.push(...records);
  };
  SqliteStore.prototype.close = function (this: SqliteStore): void {
    explain.call(this, waiting.splice(0));
    close.call(this);
  };
}

function forget(states: readonly OrderState[]): void {
  const restore = SqliteStore.prototype.restore;
  SqliteStore.prototype.restore = function (this: SqliteStore, nowMs): Restored {
    const restored = restore.call(this, nowMs);
    const isKept = (state: OrderState): boolean => !states.includes(state);
    return { ...restored, orders: restored.orders.filter(({ state }) => isKept(state)) };
  };
}

/** Two defences hold this: what waited is withdrawn, and what is old is not sent. */
function sendAfterRestart(): void {
  const { resume } = Executor.prototype;
  const { isExpired } = OrderStates.prototype;
  const waited = new Set<TrackedOrder>();
  OrderStates.prototype.isExpired = function (this: OrderStates, order): boolean {
    return !waited.has(order) && isExpired.call(this, order);
  };
  Executor.prototype.resume = function (this: Executor, order): void {
    if (order.state !== 'waiting') {
      resume.call(this, order);
      return;
    }
    waited.add(order);
    this.orders.drive(order);
  };
}

function leaveGaps(): void {
  const { openSync, writeSync } = fs;
  const journals = new Set<number>();
  let writes = 0;
  fs.openSync = (path, ...rest) => {
    const handle = openSync(path, ...rest);
    if (String(path).endsWith('.jsonl')) journals.add(handle);
    return handle;
  };
  const write = (handle: number, bytes: NodeJS.ArrayBufferView, ...rest: number[]): number => {
    if (journals.has(handle) && ++writes % 20 === 0) return bytes.byteLength;
    return writeSync(handle, bytes, ...rest);
  };
  fs.writeSync = write as typeof writeSync;
  syncBuiltinESMExports();
}
