/** Opening, refusals and full disks: behaviour of the durable store only. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlreadyRunningError, NotFoundError, StoreError } from '../../../src/domain/errors.ts';
import { isAtLeast } from '../../../src/store/open-database.ts';
import { schemaVersion } from '../../../src/store/schema.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import {
  openSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from '../../../src/store/sqlite-store.ts';
import { fill, noonMs, openOptions, order, orderRow } from './store-samples.ts';

let directory: string;
let path: string;
let opened: SqliteStore[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-store-'));
  path = join(directory, 'bot.sqlite');
  opened = [];
});

afterEach(() => {
  for (const store of opened) store.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(at = path, change: Partial<SqliteStoreOptions> = {}) {
  const store = openSqliteStore(at, { ...openOptions, ...change });
  opened.push(store);
  return store;
}

/** Changes the closed database directly, without the store. */
function tamper(sql: string): void {
  const database = new SqliteDatabase(path);
  database.exec(sql);
  database.close();
}

function failureOf(action: () => unknown): Error {
  try {
    action();
  } catch (failure) {
    return failure as Error;
  }
  throw new Error('nothing failed');
}

test('a missing directory is created for the owner only, and so are the files', () => {
  const store = open(join(directory, 'a', 'b', 'bot.sqlite'));
  store.commit([order(1)], 1);
  expect(statSync(join(directory, 'a', 'b')).mode & 0o777).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm', '.lock']) {
    expect([suffix, statSync(store.path + suffix).mode & 0o777]).toEqual([suffix, 0o600]);
  }
});

test('a database that others can read is made private', () => {
  open().close();
  chmodSync(path, 0o644);
  open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('each run is stored, with its last commit and whether it closed', () => {
  const first = open();
  first.commit([order(1)], 4);
  first.commit([], 5);
  expect(first.commitNumber).toBe(5);
  first.close();
  first.close();
  const second = open(path, { nowMs: noonMs + 1 });
  expect(second.runId).toBe(2);
  expect(second.reports.runs(9)).toMatchObject([
    { runId: 2, startedMs: noonMs + 1, commitNumber: 0, closed: false },
    { runId: 1, startedMs: noonMs, commitNumber: 4, closed: true, configHash: 'c0' },
  ]);
});

test('a second opening is refused by any path until the first store is closed', () => {
  const first = open();
  const link = join(directory, 'link.sqlite');
  symlinkSync(path, link);
  for (const way of [path, link, join(directory, '.', 'x', '..', 'bot.sqlite')]) {
    const failure = failureOf(() => open(way));
    expect(failure).toBeInstanceOf(AlreadyRunningError);
    expect(failure.message).toContain(path);
  }
  first.commit([order(1)], 1);
  first.close();
  expect(open().reports.orderCounts()).toEqual({ open: 1 });
});

test('reports can be read while the store is written, and see each commit', () => {
  const store = open();
  const reports = openStoreReports(path);
  expect(reports.openOrders()).toEqual([]);
  store.commit([order(1)], 1);
  expect(reports.openOrders()).toEqual([orderRow(1)]);
  reports.close();
  store.commit([order(2)], 2);
});

test('reports of a missing database are an error and create nothing', () => {
  const failure = failureOf(() => openStoreReports(path));
  expect(failure).toBeInstanceOf(NotFoundError);
  expect(failure.message).toContain(`there is no database ${path}: give the home`);
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
});

test('a database from a newer version is refused, unchanged, with the fix', () => {
  open().close();
  tamper(`PRAGMA user_version = ${schemaVersion + 1}`);
  const before = readFileSync(path);
  for (const way of [() => open(), () => openStoreReports(path)]) {
    const failure = failureOf(way);
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure.message).toMatch(/newer Millrace .*run that version/u);
  }
  expect(readFileSync(path)).toEqual(before);
});

test('a database of another program is refused, unchanged', () => {
  tamper('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
  const before = readFileSync(path);
  const failure = failureOf(() => open());
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure.message).toContain('another program');
  expect(readFileSync(path)).toEqual(before);
});

test('an empty file is refused with the fix, also for reading, and stays', () => {
  writeFileSync(path, '');
  const fix = /is an empty file: something emptied the database; restore a backup, or remove/u;
  expect(failureOf(() => open()).message).toMatch(fix);
  expect(failureOf(() => openStoreReports(path)).message).toMatch(fix);
  expect(statSync(path).size).toBe(0);
});

test('a missing database is not created while its write-ahead log exists', () => {
  writeFileSync(`${path}-wal`, 'records');
  expect(failureOf(() => open()).message).toContain('its write-ahead log');
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(`${path}-wal`, 'utf8')).toBe('records');
});

test('a new database gets its name with its tables; the rest of a crash is replaced', () => {
  const sizes: number[] = [];
  writeFileSync(`${path}.partial`, 'half of a database');
  const connect = (at: string, settings: { readonly timeout: number }) => {
    sizes.push(statSync(path, { throwIfNoEntry: false })?.size ?? -1);
    return new SqliteDatabase(at, settings);
  };
  open(path, { connect });
  expect(sizes[0]).toBe(-1);
  expect(sizes[1]).toBeGreaterThan(4_096);
  expect(existsSync(`${path}.partial`)).toBe(false);
});

test('the first opening stores the identity, and the time of the comparison is stored', () => {
  const first = open(path, { identity: 'q7d2m4xb' });
  expect([first.identity, first.comparedMs]).toEqual(['q7d2m4xb', undefined]);
  first.noteCompared(5);
  first.noteCompared(noonMs);
  first.close();
  const second = open(path, { identity: 'aaaaaaaa' });
  expect([second.identity, second.comparedMs]).toEqual(['q7d2m4xb', noonMs]);
  second.close();
  tamper(`DELETE FROM meta WHERE name = 'identity'`);
  expect(open(path, { identity: 'aaaaaaaa' }).identity).toBe('');
});

test('records of earlier runs are written all or none, before the first commit', () => {
  const store = open();
  const bad = fill('1', { intentId: 7 });
  expect(failureOf(() => store.complete([order(1), bad])).message).toContain('cannot take over 2');
  expect(store.reports.orders()).toEqual([]);
  store.complete([order(1), fill('1')]);
  expect(store.reports.fillCount()).toBe(1);
  store.commit([order(2)], 1);
  expect(() => store.complete([order(3)])).toThrow(/before the first commit/u);
});

test('a database of another namespace is refused', () => {
  open().close();
  const failure = failureOf(() => open(path, { namespace: 'other', bot: 'two' }));
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure.message).toContain('belongs to namespace "test"');
  expect(failure.message).toContain(
    'this configuration has "other" (bot: two); "store:" must name a file of its own for this bot',
  );
  expect(open().runId).toBe(2);
});

test('a file that is not a database is refused by name and does not change', () => {
  const text = 'version: 1\nbot: desk\n'.repeat(100);
  writeFileSync(path, text);
  const failure = failureOf(() => open());
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure.message).toContain(path);
  expect(failure.message).toContain('SQLITE_NOTADB');
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a directory, and a path below a file, are refused by name', () => {
  mkdirSync(path);
  writeFileSync(join(directory, 'file'), '');
  for (const bad of [path, join(directory, 'file', 'bot.sqlite')]) {
    const failure = failureOf(() => open(bad));
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure.message).toContain(bad);
  }
});

test('a damaged page anywhere is found at opening, and the file does not change', () => {
  const store = open();
  const many = Array.from({ length: 200 }, (_, index) => order(index + 1));
  store.commit(many, 1);
  store.close();
  const whole = readFileSync(path);
  const pageSize = 4096;
  let found = 0;
  for (let page = 0; page < whole.length / pageSize; page++) {
    const damaged = Buffer.from(whole);
    damaged.fill(0xa5, page * pageSize, (page + 1) * pageSize);
    writeFileSync(path, damaged);
    const failure = failureOf(() => open());
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure.message).toContain(path);
    expect(readFileSync(path)).toEqual(damaged);
    found++;
  }
  expect(found).toBeGreaterThan(20);
  writeFileSync(path, whole);
  expect(open().reports.orders()).toHaveLength(200);
});

test('a commit on a full disk stores nothing of its batch and keeps all earlier commits', () => {
  const store = open(path, { sizeBytesMax: 400_000 });
  let commits = 0;
  const batch = (number: number) => [
    order(number, { reason: 'r'.repeat(500) }),
    fill(`${number}`, { intentId: number, orderId: `BX${number}` }),
  ];
  const failure = failureOf(() => {
    while (commits < 10_000) {
      store.commit(batch(commits + 1), commits + 1);
      commits++;
    }
  });
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure.message).toContain('SQLITE_FULL');
  expect(failure.cause).toBeInstanceOf(SqliteDatabase.SqliteError);
  expect(commits).toBeGreaterThan(20);
  expect(() => store.commit([order(20_000)], 20_000)).toThrow(StoreError);
  store.close();
  const again = open();
  expect(again.reports.orders()).toHaveLength(commits);
  expect(again.reports.fillCount()).toBe(commits);
  expect(again.reports.runs(2)[1]).toMatchObject({ commitNumber: commits, closed: false });
  again.commit(batch(commits + 1), 1);
});

test('histories cannot be changed, even without the store', () => {
  const store = open();
  store.commit([order(1), fill('1')], 1);
  store.close();
  for (const change of ['UPDATE fills SET base = 9', 'DELETE FROM fills', 'DELETE FROM orders']) {
    expect(() => tamper(change)).toThrow(/never/u);
  }
});

test('versions compare by number, not as text', () => {
  expect(isAtLeast('3.54.1', [3, 51, 3])).toBe(true);
  expect(isAtLeast('3.51.3', [3, 51, 3])).toBe(true);
  expect(isAtLeast('4.0.0', [3, 51, 3])).toBe(true);
  expect(isAtLeast('3.51.2', [3, 51, 3])).toBe(false);
  expect(isAtLeast('3.9.9', [3, 51, 3])).toBe(false);
});
