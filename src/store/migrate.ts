/**
 * Upgrades a database of an older schema version.
 *
 * Invariants: a database with tables is copied first, and the copy is checked and on the disk
 * before anything changes; all steps are one transaction, so a database has the old version or the
 * new one, never a state in between; at most {@link backupsMax} copies are kept.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { MillraceError, StoreError } from '../domain/errors.ts';
import type { Migration } from './migrations/migration.ts';
import { migrations } from './migrations/migrations.ts';
import { applicationId } from './schema.ts';
import { describeFailure } from './sqlite-failure.ts';

/** Number of copies of older versions kept next to the database; the oldest is deleted. */
const backupsMax = 3;

/** A completed upgrade: the old version, and the path of the copy made before it. */
export type Upgrade = { readonly fromVersion: number; readonly backup: string };

/**
 * Upgrades the database at `path` to the version of the last of `steps`. Returns undefined if the
 * database was new or up to date. Throws StoreError and changes nothing if the database cannot be
 * copied first, or if a step fails.
 */
export function migrate(
  database: Database,
  path: string,
  steps: readonly Migration[] = migrations,
): Upgrade | undefined {
  const fromVersion = versionOf(database);
  const toVersion = steps.length;
  if (fromVersion === toVersion) return undefined;
  const backup = fromVersion === 0 ? undefined : backUp(database, path, fromVersion);
  database.pragma('foreign_keys = OFF');
  try {
    database
      .transaction(() => {
        for (const { statements } of steps.slice(fromVersion)) database.exec(statements);
        assertReferences(database);
        database.pragma(`application_id = ${applicationId}`);
        database.pragma(`user_version = ${toVersion}`);
      })
      .immediate();
  } catch (cause) {
    const kept =
      backup === undefined ? '' : `; nothing was changed, and there is a copy, ${backup}`;
    throw new StoreError(
      `${path} cannot be upgraded from schema version ${fromVersion} to ${toVersion}: ` +
        `${describeFailure(cause)}${kept}`,
      { cause },
    );
  } finally {
    database.pragma('foreign_keys = ON');
  }
  return backup === undefined ? undefined : { fromVersion, backup };
}

/** Copies the database and returns the copy's path; only a complete copy gets that name. */
function backUp(database: Database, path: string, version: number): string {
  const backup = `${path}.v${version}.backup`;
  const partial = `${backup}.partial`;
  try {
    rmSync(partial, { force: true });
    assertRoom(database, dirname(path));
    // Readable by the owner only, from the start; SQLite accepts an empty file for the copy.
    closeSync(openSync(partial, 'wx', 0o600));
    database.prepare('VACUUM INTO ?').run(partial);
    syncPath(partial);
    checkCopy(database, partial);
    renameSync(partial, backup);
    syncPath(dirname(path));
    removeOldBackups(path);
    return backup;
  } catch (cause) {
    rmSync(partial, { force: true });
    throw new StoreError(
      `${path} has schema version ${version} and must be upgraded, but its copy ${backup} cannot ` +
        `be written: ${cause instanceof MillraceError ? cause.message : describeFailure(cause)}; ` +
        'nothing was changed',
      { cause },
    );
  }
}

/** In sizes of the database: the copy, the tables that are rebuilt, and the log of both. */
const roomForUpgrade = 4;

function assertRoom(database: Database, folder: string): void {
  const bytes = numberOf(database, 'page_count') * numberOf(database, 'page_size');
  const needed = bytes * roomForUpgrade;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < needed)
    throw new StoreError(
      `the copy and the upgrade need ${megabytes(needed)} MB and ${folder} has ${megabytes(bavail * bsize)} MB ` +
        'free; free some space, or move the database to a larger disk',
    );
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Checks that the copy can be opened, is undamaged, and has as many rows in every table. */
function checkCopy(database: Database, copyPath: string): void {
  const copy = new SqliteDatabase(copyPath, { readonly: true });
  try {
    const found = copy.pragma('integrity_check(1)', { simple: true });
    if (found !== 'ok') throw new StoreError(`the copy is damaged: ${String(found)}`);
    for (const name of ['user_version', 'application_id'])
      assertSame(name, numberOf(database, name), numberOf(copy, name));
    for (const table of tablesOf(database))
      assertSame(`number of rows of ${table}`, countOf(database, table), countOf(copy, table));
  } finally {
    copy.close();
  }
}

function assertSame(what: string, wanted: number, found: number): void {
  if (found !== wanted)
    throw new StoreError(`${what} is ${wanted} in the database and ${found} in the copy`);
}

function removeOldBackups(path: string): void {
  for (const old of backupsOf(path).slice(0, -backupsMax)) rmSync(old, { force: true });
}

/** Returns the copies made before upgrades of the database at `path`, oldest version first. */
export function backupsOf(path: string): readonly string[] {
  const folder = dirname(path);
  const versionOfName = (name: string): number => {
    const rest = name.startsWith(`${basename(path)}.v`) ? name.slice(basename(path).length) : '';
    return Number.parseInt(/^\.v(\d+)\.backup$/u.exec(rest)?.[1] ?? '0', 10);
  };
  return readdirSync(folder)
    .filter((name) => versionOfName(name) > 0)
    .sort((a, b) => versionOfName(a) - versionOfName(b))
    .map((name) => join(folder, name));
}

function assertReferences(database: Database): void {
  const broken = database.pragma('foreign_key_check') as readonly { readonly table: string }[];
  if (broken.length > 0)
    throw new StoreError(
      `${broken.length} rows have broken foreign keys, the first in ${broken[0]?.table}`,
    );
}

function tablesOf(database: Database): string[] {
  return database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all() as string[];
}

function countOf(database: Database, table: string): number {
  return database.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() as number;
}

/** Syncs a file, or the entries of a folder, to the disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, statSync(path).isDirectory() ? 'r' : 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function versionOf(database: Database): number {
  return numberOf(database, 'user_version');
}

function numberOf(database: Database, pragma: string): number {
  return database.pragma(pragma, { simple: true }) as number;
}
