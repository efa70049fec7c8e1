/** Faults of files, disks and SQLite, and the reaction of the store. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '../../../src/domain/errors.ts';
import { unsafeFolderReason } from '../../../src/store/file-system.ts';
import type { Connect } from '../../../src/store/open-database.ts';
import {
  openSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from '../../../src/store/sqlite-store.ts';
import type { StoreTrouble } from '../../../src/store/wal-watch.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { watchDatabase } from '../../support/watched-database.ts';
import { noonMs, openOptions, order } from './store-samples.ts';

const walBytesMax = 64 * 2 ** 20;

let directory: string;
let path: string;
let opened: { close(): unknown }[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-health-'));
  path = join(directory, 'bot.sqlite');
  opened = [];
});

afterEach(() => {
  for (const one of opened) one.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(options: Pick<SqliteStoreOptions, 'connect' | 'clock'> = {}): SqliteStore {
  const store = openSqliteStore(path, { ...openOptions, ...options });
  opened.push(store);
  return store;
}

function failureOf(action: () => unknown): Error {
  try {
    action();
  } catch (failure) {
    return failure as Error;
  }
  throw new Error('nothing failed');
}

const walBytes = (): number => statSync(`${path}-wal`).size;

/** An order with a long reason: about 200 kB in the log. */
const large = (id: number) => order(id, { reason: 'r'.repeat(200_000) });

test.each([
  ['deleted', '', () => rmSync(path)],
  ['moved', '', () => renameSync(path, join(directory, 'elsewhere.sqlite'))],
  [
    'replaced by a copy',
    '',
    () => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ['deleted', '-wal', () => rmSync(`${path}-wal`)],
  ['deleted', '.lock', () => rmSync(`${path}.lock`)],
])(
  'S8: a database %s under a running bot (file %s) ends the run before anything leaves',
  (_how, suffix, change) => {
    const store = open();
    store.commit([order(1)], 1);
    change();
    const failure = failureOf(() => store.commit([order(2)], 2));
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure.message).toContain(
      `${path}${suffix} was deleted, moved or replaced while the bot ran`,
    );
  },
);

test('a store with a clock looks at its files once a second, or after a hundred records', () => {
  let nowMicros = 0;
  const store = open({ clock: { monotonicMicros: () => nowMicros } });
  store.commit([order(1)], 1);
  rmSync(`${path}.lock`);
  nowMicros = 999_999;
  store.commit([order(2)], 2);
  nowMicros = 1_000_000;
  expect(failureOf(() => store.commit([order(3)], 3)).message).toContain('deleted, moved');
  store.close();
  const second = open({ clock: { monotonicMicros: () => 0 } });
  second.commit([order(4)], 1);
  rmSync(`${path}.lock`);
  const many = Array.from({ length: 100 }, (_, index) => order(index + 5));
  expect(failureOf(() => second.commit(many, 2)).message).toContain('deleted, moved');
});

test('a long log is measured after each commit, with a clock too', () => {
  const store = open({ clock: { monotonicMicros: () => 0 } });
  store.commit([order(1)], 1);
  const reader = new SqliteDatabase(path, { readonly: true });
  opened.push(reader);
  reader.exec('BEGIN; SELECT count(*) FROM orders');
  let last = '';
  store.onTrouble(({ code }) => {
    last = code;
  });
  let id = 1;
  while (last === '' && id < 400) store.commit([large(++id)], id);
  expect(last).toBe('STORE_WAL_HELD');
  // A hundred of these records are about 20 MiB.
  expect(walBytes()).toBeLessThan(walBytesMax * 0.6);
});

test('S9: an older state that is restored under a running bot ends the run', async () => {
  const store = open();
  store.commit([order(1)], 1);
  const older = new SqliteDatabase(path, { readonly: true });
  await older.backup(`${path}.older`);
  older.close();
  // A commit without records writes nothing and leaves no gap.
  store.commit([], 2);
  store.commit([order(2)], 3);
  const second = new SqliteDatabase(path);
  opened.push(second);
  second.exec(`ATTACH '${path}.older' AS older; UPDATE runs SET commit_number =
    (SELECT commit_number FROM older.runs WHERE runs.run_id = older.runs.run_id)`);
  const failure = failureOf(() => store.commit([order(3)], 4));
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure.message).toMatch(/does not end with commit 3 of run 1: another program restored/u);
  expect(store.reports.orders()).toHaveLength(2);
});

test('S10: a flipped byte in the header of any page is found at the start', () => {
  const store = open();
  store.commit(
    Array.from({ length: 200 }, (_, index) => order(index + 1)),
    1,
  );
  store.close();
  const whole = readFileSync(path);
  const random = new SeededRandom(7);
  for (let page = 0; page < whole.length / 4096; page++) {
    const damaged = Buffer.from(whole);
    // The type of the page and the number of its cells; elsewhere one byte may go unnoticed.
    const start = page * 4096 + (page === 0 ? 100 : 0);
    const at = start + random.pick([0, 3, 4]);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << random.integer(0, 7));
    writeFileSync(path, damaged);
    const failure = failureOf(() => open());
    expect(failure, `page ${page}, byte ${at}`).toBeInstanceOf(StoreError);
    expect(failure.message).toContain(path);
    expect(readFileSync(path)).toEqual(damaged);
  }
});

test('S11: without a reader the write-ahead log stays short, however much is written', () => {
  const store = open();
  const troubles: StoreTrouble[] = [];
  store.onTrouble((trouble) => troubles.push(trouble));
  let highest = 0;
  for (let id = 1; id <= 400; id++) {
    store.commit([large(id)], id);
    highest = Math.max(highest, walBytes());
  }
  expect(statSync(path).size).toBeGreaterThan(walBytesMax);
  expect(highest).toBeLessThan(walBytesMax / 8);
  expect(troubles).toEqual([]);
});

test('S11: a reader that holds the log is reported, then the bot must stop, then commits fail', () => {
  const store = open();
  store.commit([order(1)], 1);
  const reader = new SqliteDatabase(path, { readonly: true });
  opened.push(reader);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM orders').get();

  const troubles: (StoreTrouble & { readonly atBytes: number })[] = [];
  store.onTrouble((trouble) => troubles.push({ ...trouble, atBytes: walBytes() }));
  let id = 1;
  const failure = failureOf(() => {
    for (;;) store.commit([large(++id)], id);
  });
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure.message).toMatch(/write-ahead log .* has grown to its bound/u);
  expect(walBytes()).toBeLessThanOrEqual(walBytesMax);
  expect(troubles.map(({ code, mustStop }) => [code, mustStop])).toEqual([
    ['STORE_WAL_HELD', false],
    ['STORE_WAL_HELD', true],
  ]);
  // There is enough time for an orderly stop.
  expect(walBytesMax - (troubles[1]?.atBytes ?? walBytesMax)).toBeGreaterThan(8 * 2 ** 20);

  reader.exec('COMMIT');
  store.close();
  const again = open();
  expect(again.reports.orders()).toHaveLength(id - 1);
  again.commit([order(id)], 1);
  expect(walBytes()).toBeLessThan(walBytesMax / 8);
});

test('S11: when the reader ends, the log is short again and commits continue', () => {
  const store = open();
  const troubles: StoreTrouble[] = [];
  store.onTrouble((trouble) => troubles.push(trouble));
  store.commit([order(1)], 1);
  const reader = new SqliteDatabase(path, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM orders').get();
  let id = 1;
  while (walBytes() < walBytesMax / 2) store.commit([large(++id)], id);
  reader.close();
  for (let more = 0; more < 20; more++) store.commit([large(++id)], id);
  expect(walBytes()).toBeLessThan(walBytesMax / 8);
  expect(troubles.map(({ mustStop }) => mustStop)).toEqual([false]);
});

test('S12: a SQLite with the bug that can lose commits is refused before anything is written', () => {
  const old: Connect = (at, options) => {
    const database = new SqliteDatabase(at, options);
    database.function('sqlite_version', () => '3.51.2');
    return database;
  };
  const failure = failureOf(() => open({ connect: old }));
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure.message).toContain('SQLite must be 3.51.3 or newer, was 3.51.2');
  expect(existsSync(path)).toBe(false);
  open();
});

test('S14: an integer beyond 2^53 is refused when it is written and when it is read', () => {
  const beyond = 2 ** 53 + 2;
  const first = open();
  expect(() => first.commit([order(1, { createdMs: beyond })], 1)).toThrow(/createdMs must be/u);
  first.close();
  const second = open();
  second.commit([order(1)], 1);
  second.close();
  const database = new SqliteDatabase(path);
  // The trigger of the table forbids the change, so the test removes it.
  database.exec('DROP TRIGGER orders_keep_terms');
  database.exec(`UPDATE orders SET valid_until_ms = 9007199254740993`);
  database.close();
  const store = open();
  const failure = failureOf(() => store.restore(noonMs));
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure.message).toMatch(/order\.validUntilMs is beyond 2\^53/u);
});

test('S14: 64-bit sequences and account ids are read back exactly', () => {
  const store = open();
  const sequence = '9223372036854775807';
  const row = { ...order(1, { baseAccountId: '9223372036854775807' }) };
  store.commit(
    [
      row,
      { kind: 'witness', pair: 'XBTZAR', sequence, orderId: 'BX1', witness: 'ledger' },
      {
        kind: 'ledger-row',
        row: {
          accountId: '9223372036854775807',
          rowIndex: 1,
          currency: 'XBT',
          kind: 'EXCHANGE',
          balance: '123456789012.123456789012345678',
          balanceDelta: '0.000000000000000001',
          available: '1',
          availableDelta: '0',
          pair: 'XBTZAR',
          sequence,
          description: '',
          timestampMs: noonMs,
        },
      },
    ],
    1,
  );
  expect(store.reports.orders()[0]?.baseAccountId).toBe('9223372036854775807');
  expect(store.reports.ledger()[0]).toMatchObject({
    accountId: '9223372036854775807',
    sequence,
    balance: '123456789012.123456789012345678',
  });
});

test.each([
  ['tmpfs', 0x01021994],
  ['overlay', 0x794c7630],
  ['NFS', 0x6969],
  ['SMB2', 0xfe534d42],
  // The number as statfs returns it if it is signed.
  ['SMB2', 0xfe534d42 | 0],
  ['FUSE', 0x65735546],
])('S15: a database on %s is reported as unsafe, with the reason', (name, type) => {
  expect(unsafeFolderReason('/data', () => type)).toMatch(
    new RegExp(`^/data is on ${name}: .+`, 'u'),
  );
});

test.each([
  ['ext4', 0xef53],
  ['xfs', 0x58465342],
  ['btrfs', 0x9123683e],
  ['zfs', 0x2fc12fc1],
])('S15: a database on %s is not reported as unsafe', (_name, type) => {
  expect(unsafeFolderReason('/data', () => type)).toBeUndefined();
});

test.each([
  ['SQLITE_FULL', 'database or disk is full'],
  ['SQLITE_READONLY', 'attempt to write a readonly database'],
  ['SQLITE_IOERR_WRITE', 'disk I/O error'],
  ['SQLITE_IOERR_FSYNC', 'disk I/O error'],
])(
  'S7: a commit that fails with %s throws it, stores nothing, and is the last',
  (code, message) => {
    let isFailing = false;
    const connect: Connect = (at, options) =>
      watchDatabase(new SqliteDatabase(at, options), (text) => {
        if (isFailing && text === 'COMMIT') throw new SqliteDatabase.SqliteError(message, code);
      });
    const store = open({ connect });
    store.commit([order(1)], 1);
    isFailing = true;
    const failure = failureOf(() => store.commit([order(2)], 2));
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure.message).toContain(code);
    isFailing = false;
    expect(() => store.commit([order(3)], 3)).toThrow(/a commit failed before/u);
    store.close();
    const again = open();
    expect(again.reports.orders()).toHaveLength(1);
    expect(again.reports.runs(2)[1]?.closed).toBe(false);
  },
);
