/**
 * Goes into a bot's process before its program (`NODE_OPTIONS=--import=…`): `MILLRACE_DEED` names
 * what its disk does from SIGUSR2 on, `MILLRACE_PLANT` a fault that is built into its code.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import SqliteDatabase from 'better-sqlite3';
import { Engine } from '../../../src/engine/engine.ts';
import { CancelAll } from '../../../src/execution/reconcile/cancel-all.ts';
import { wait } from '../../../src/execution/requests/procedure.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';

const deeds: Readonly<Record<string, (isFull: () => boolean) => void>> = {
  'full-database': failTransactions,
  'full-journal': failJournal,
};

const plants: Readonly<Record<string, () => void>> = {
  'store-failure-leaves-orders': () => {
    CancelAll.prototype.run = function* () {
      yield* wait(0);
      return { isClean: true, open: 0, stopsSent: 0 };
    };
  },
  'store-failure-trades-on': () => {
    const { commit, explain } = SqliteStore.prototype;
    SqliteStore.prototype.explain = function (this: SqliteStore, ...given) {
      try {
        explain.apply(this, given);
      } catch {
        // As if it were kept.
      }
    };
    SqliteStore.prototype.commit = function (this: SqliteStore, ...given) {
      try {
        commit.apply(this, given);
      } catch {
        // As if it were kept.
      }
    };
  },
  'journal-failure-ends-bot': () =>
    atJournalEnd(() => {
      throw new Error('no journal');
    }),
  'journal-failure-unsaid': () => atJournalEnd(() => ({ kind: 'tick' })),
  'orphan-trades-on': () => Object.defineProperty(process, 'ppid', { value: process.ppid }),
};

// Only the bot itself: the launcher and the simulator have the same environment.
if (process.argv[1]?.endsWith('main.ts') === true && process.argv[2] === 'start') {
  let isFull = false;
  process.on('SIGUSR2', () => {
    isFull = true;
  });
  deeds[process.env['MILLRACE_DEED'] ?? '']?.(() => isFull);
  plants[process.env['MILLRACE_PLANT'] ?? '']?.();
}

function failTransactions(isFull: () => boolean): void {
  const { transaction } = SqliteDatabase.prototype;
  const failing = function (
    this: SqliteDatabase.Database,
    work: (...given: unknown[]) => unknown,
  ): unknown {
    return transaction.call(this, (...given: unknown[]) => {
      if (isFull()) throw new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL');
      return work(...given);
    });
  };
  SqliteDatabase.prototype.transaction = failing as typeof transaction;
}

function failJournal(isFull: () => boolean): void {
  const { openSync, writeSync } = fs;
  const journals = new Set<number>();
  fs.openSync = (path, ...rest) => {
    const handle = openSync(path, ...rest);
    if (String(path).endsWith('.jsonl')) journals.add(handle);
    return handle;
  };
  const write = (handle: number, bytes: NodeJS.ArrayBufferView, ...rest: number[]): number => {
    if (isFull() && journals.has(handle))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return writeSync(handle, bytes, ...rest);
  };
  fs.writeSync = write as typeof writeSync;
  syncBuiltinESMExports();
}

type Event = Parameters<Engine['step']>[1];

/** Changes the event by which the engine hears that the journal has ended. */
function atJournalEnd(change: () => Event): void {
  const { step } = Engine.prototype;
  Engine.prototype.step = function (this: Engine, atMicros, event) {
    const isEnd = event.kind === 'store-trouble' && event.code === 'JOURNAL_ENDED';
    return step.call(this, atMicros, isEnd ? change() : event);
  };
}
