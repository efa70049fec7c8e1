/** Upgrading a database: step by step, with a copy first, and through kills and full disks. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs, { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '../../../src/domain/errors.ts';
import { backupsOf, migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/migrations.ts';
import { version1 } from '../../../src/store/migrations/version-1.ts';
import { schemaVersion } from '../../../src/store/schema.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import { openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { watchDatabase } from '../../support/watched-database.ts';
import { laterSteps } from './migration-samples.ts';
import { noonMs, openOptions, orderRow } from './store-samples.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-migrate-'));
  path = join(directory, 'bot.sqlite');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const upgraded = [version1, ...laterSteps];

/**
 * Creates a database of version 1 with `orders` orders, each with a fill. Its SQL never changes.
 */
function writeVersion1(at: string, orders: number): void {
  withDatabase(at, (database) => {
    database.pragma('journal_mode = WAL');
    migrate(database, at, [version1]);
    database.exec(`INSERT INTO meta VALUES ('namespace', '${openOptions.namespace}')`);
    for (let id = 1; id <= orders; id++)
      database.exec(`
        INSERT INTO orders VALUES (${id}, 'mm', 'k${id}', NULL, 'XBTZAR', 'BID', '1000000', '0.01',
          'GTC', 1, '11', '13', 'test-${id}', 'quote', ${noonMs}, ${noonMs}, 'open', 'BX${id}', 1,
          ${noonMs}, 2000, 0, NULL, '0', '0', '0', '0', NULL);
        INSERT INTO fills VALUES ('XBTZAR', ${id}, 'BX${id}', ${id}, 'mm', 'BID', '1000000',
          '0.001', '0.001', '1000', '0.000001', '0', ${noonMs}, 1);`);
  });
}

function withDatabase<T>(at: string, work: (database: Database) => T): T {
  const database = new SqliteDatabase(at);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function failureOf(action: () => unknown): Error {
  try {
    action();
  } catch (failure) {
    return failure as Error;
  }
  throw new Error('nothing failed');
}

const versionOf = (database: Database) => database.pragma('user_version', { simple: true });

function ordersOf(database: Database): number {
  return database.prepare('SELECT count(*) FROM orders').pluck().get() as number;
}

/** Checks that an interrupted upgrade left the old database or the new one, with every row. */
function expectOldOrNew(at: string, orders: number): number {
  return withDatabase(at, (database) => {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(ordersOf(database)).toBe(orders);
    const version = versionOf(database) as number;
    expect([1, upgraded.length]).toContain(version);
    const notes = database.prepare(`SELECT name FROM sqlite_schema WHERE name = 'notes'`).get();
    expect(notes === undefined).toBe(version === 1);
    return version;
  });
}

test('the versions are 1, 2, 3 and so on, and the last is the current version', () => {
  expect(migrations.map(({ version }) => version)).toEqual(
    Array.from({ length: schemaVersion }, (_, index) => index + 1),
  );
});

test('a released step has not changed', () => {
  const digest = createHash('sha256').update(version1.statements).digest('hex');
  expect(digest.slice(0, 16)).toBe('0723f04bea628693');
});

test('a new database gets every step and no copy', () => {
  withDatabase(path, (database) => {
    expect(migrate(database, path, upgraded)).toBeUndefined();
    expect(versionOf(database)).toBe(upgraded.length);
    expect(migrate(database, path, upgraded)).toBeUndefined();
  });
  expect(readdirSync(directory)).toEqual(['bot.sqlite']);
});

test('a database of an older version is copied, then gets the missing steps', () => {
  writeVersion1(path, 20);
  const backup = `${path}.v1.backup`;
  withDatabase(path, (database) => {
    expect(migrate(database, path, upgraded)).toEqual({ fromVersion: 1, backup });
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(database.prepare('SELECT count(*) FROM notes').pluck().get()).toBe(20);
  });
  expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
  // A bot of the old version can continue with the copy.
  expect(expectOldOrNew(backup, 20)).toBe(1);
  expect(expectOldOrNew(path, 20)).toBe(upgraded.length);
});

test('a database of the first release can be used by this one', () => {
  writeVersion1(path, 2);
  const store = openSqliteStore(path, openOptions);
  expect(store.reports.orders()).toHaveLength(2);
  expect(store.reports.orders()[0]).toMatchObject({ intentId: 1, price: orderRow(1).price });
  expect(store.restore(noonMs).unproven).toHaveLength(2);
  expect(store.upgrade?.fromVersion).toBe(schemaVersion === 1 ? undefined : 1);
  store.close();
});

test('version 2 can be read before its upgrade, version 1 cannot', () => {
  writeVersion1(path, 2);
  expect(failureOf(() => openStoreReports(path)).message).toMatch(
    /has schema version 1; this program reads 2 or newer; start the bot once/u,
  );
  withDatabase(path, (database) => migrate(database, path, migrations.slice(0, 2)));
  const reports = openStoreReports(path);
  expect(reports.openOrders().map(({ intentId }) => intentId)).toEqual([1, 2]);
  reports.close();
  expect(withDatabase(path, versionOf)).toBe(2);
});

test('a step that breaks a foreign key is undone', () => {
  writeVersion1(path, 3);
  const breaking = { version: 2, adds: 'harm', statements: 'DROP TABLE orders' };
  withDatabase(path, (database) => {
    const failure = failureOf(() => migrate(database, path, [version1, breaking]));
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure.message).toMatch(/from schema version 1 to 2: .*nothing was changed/u);
    expect(database.inTransaction).toBe(false);
  });
  expect(expectOldOrNew(path, 3)).toBe(1);
});

test('S13: a kill at any point of an upgrade leaves a database that the next start upgrades', () => {
  const source = join(directory, 'source');
  mkdirSync(source);
  writeVersion1(join(source, 'bot.sqlite'), 20);
  const points: string[] = [];
  // A kill would leave the files as they are at this moment.
  const photograph = (what: string): void => {
    cpSync(source, join(directory, `at-${points.length}`), { recursive: true });
    points.push(what);
  };
  const { renameSync, fsyncSync, rmSync, openSync } = fs;
  const original = { renameSync, fsyncSync, rmSync, openSync };
  for (const [name, call] of Object.entries(original))
    Object.assign(fs, {
      [name]: (...values: unknown[]) => {
        photograph(name);
        return (call as (...values: unknown[]) => unknown)(...values);
      },
    });
  syncBuiltinESMExports();
  try {
    withDatabase(join(source, 'bot.sqlite'), (database) =>
      migrate(watchDatabase(database, photograph), join(source, 'bot.sqlite'), upgraded),
    );
  } finally {
    Object.assign(fs, original);
    syncBuiltinESMExports();
  }
  photograph('end');
  for (const call of ['VACUUM INTO ?', 'renameSync', 'fsyncSync', 'COMMIT'])
    expect(points).toContain(call);

  const found = points.map((point, index) => {
    const copy = join(directory, `at-${index}`, 'bot.sqlite');
    const version = expectOldOrNew(copy, 20);
    // A copy with its final name is complete.
    for (const backup of backupsOf(copy)) expect(expectOldOrNew(backup, 20)).toBe(1);
    withDatabase(copy, (database) => migrate(database, copy, upgraded));
    expect(expectOldOrNew(copy, 20), point).toBe(upgraded.length);
    expect(backupsOf(copy).map((name) => basename(name))).toEqual(['bot.sqlite.v1.backup']);
    expect(readdirSync(join(directory, `at-${index}`)).join()).not.toContain('partial');
    return version;
  });
  expect(found.lastIndexOf(1)).toBe(found.indexOf(upgraded.length) - 1);
});

test('S13: a process killed within a step leaves the old database', () => {
  for (const step of [2, 3]) {
    rmSync(path, { force: true });
    writeVersion1(path, 20);
    const child = runUpgrade('', `${step}`);
    expect(child.signal).toBe('SIGKILL');
    expect(expectOldOrNew(path, 20)).toBe(1);
    withDatabase(path, (database) => migrate(database, path, upgraded));
    expect(expectOldOrNew(path, 20)).toBe(upgraded.length);
  }
});

test('S13: a disk that is full during the copy refuses the upgrade and says so', () => {
  writeVersion1(path, 300);
  const blocks = Math.floor(fs.statSync(path).size / 1024 / 2);
  const child = runUpgrade(`trap '' XFSZ; ulimit -f ${blocks};`);
  expect(child.status).toBe(1);
  expect(child.stderr).toMatch(/its copy .*backup cannot be written: .*nothing was changed/u);
  expect(readdirSync(directory).filter((name) => name.includes('backup'))).toEqual([]);
  expect(expectOldOrNew(path, 300)).toBe(1);
});

test.each([
  ['with room for four times the database', 0, true],
  ['with one block less', 1, false],
])('S13: an upgrade on a disk %s', (_disk, blocksLess, isUpgraded) => {
  writeVersion1(path, 300);
  const bsize = 512;
  const bavail = (fs.statSync(path).size * 4) / bsize - blocksLess;
  const { statfsSync } = fs;
  Object.assign(fs, { statfsSync: () => ({ bavail, bsize }) });
  syncBuiltinESMExports();
  try {
    const upgrade = () => withDatabase(path, (database) => migrate(database, path, upgraded));
    if (isUpgraded) upgrade();
    else
      expect(upgrade).toThrow(
        /the copy and the upgrade need \S+ MB and \S+ has \S+ MB free; .*; nothing was changed$/u,
      );
  } finally {
    Object.assign(fs, { statfsSync });
    syncBuiltinESMExports();
  }
  expect(expectOldOrNew(path, 300)).toBe(isUpgraded ? upgraded.length : 1);
  expect(backupsOf(path)).toHaveLength(isUpgraded ? 1 : 0);
});

test('an incomplete copy does not get its name, and nothing is upgraded', () => {
  writeVersion1(path, 20);
  withDatabase(path, (database) => {
    const truncating = watchDatabase(database, (text) => {
      if (!text.startsWith('SELECT count(*) FROM "orders"')) return;
      throw new Error('the row counts cannot be compared');
    });
    expect(() => migrate(truncating, path, upgraded)).toThrow(/cannot be written: the row counts/u);
  });
  expect(readdirSync(directory).filter((name) => name.includes('backup'))).toEqual([]);
  expect(expectOldOrNew(path, 20)).toBe(1);
});

test('at most three copies are kept, those of the latest versions', () => {
  writeVersion1(path, 1);
  for (const version of [8, 9, 10, 11]) writeFileSync(`${path}.v${version}.backup`, '');
  withDatabase(path, (database) => migrate(database, path, upgraded));
  const kept = backupsOf(path).map((name) => basename(name));
  expect(kept).toHaveLength(3);
  expect(kept.at(-1)).toBe('bot.sqlite.v11.backup');
});

/** Upgrades in a separate process, started by `shell`; with `killIn` it is killed in that step. */
function runUpgrade(shell: string, ...killIn: string[]) {
  const script = join(import.meta.dirname, 'upgrade-process.ts');
  const command = [process.execPath, script, path, ...killIn].join(' ');
  return spawnSync('bash', ['-c', `${shell} exec ${command}`], { encoding: 'utf8' });
}
