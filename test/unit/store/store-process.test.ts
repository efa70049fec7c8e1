/**
 * The store with real processes: one writer at a time, and no acknowledged commit is lost when the
 * writer is killed at any moment.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlreadyRunningError } from '../../../src/domain/errors.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import { openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { noonMs, openOptions } from './store-samples.ts';

const script = join(import.meta.dirname, 'commit-until-killed.ts');

let directory: string;
let path: string;
let children: ChildProcessWithoutNullStreams[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-store-'));
  path = join(directory, 'bot.sqlite');
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

type Writer = {
  readonly child: ChildProcessWithoutNullStreams;
  /** Complete lines so far. */
  lines(): string[];
  /** Resolves when there are at least `count` lines, or the process has ended. */
  reached(count: number): Promise<void>;
  readonly ended: Promise<number | null>;
};

function startWriter(...more: string[]): Writer {
  const child = spawn(process.execPath, [script, path, ...more]);
  children.push(child);
  let text = '';
  let errors = '';
  let check = () => {};
  child.stdout.on('data', (chunk) => {
    text += chunk;
    check();
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(([code]) => {
    check();
    if (code !== null && code !== 0 && code !== 75) throw new Error(`writer failed: ${errors}`);
    return code as number | null;
  });
  const lines = () =>
    text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1);
  const reached = (count: number) =>
    Promise.race([
      new Promise<void>((resolve) => {
        check = () => {
          if (lines().length >= count) resolve();
        };
        check();
      }),
      ended.then(() => {}),
    ]);
  return { child, lines, reached, ended };
}

test('a second process exits with 75 while the first runs, and opens the database after it', async () => {
  const first = startWriter('hold');
  await first.reached(1);
  expect(() => openSqliteStore(path, openOptions)).toThrow(AlreadyRunningError);
  const second = startWriter('hold');
  expect(await second.ended).toBe(75);
  expect(second.lines()).toEqual([]);

  // Reading is allowed all the time.
  const reports = openStoreReports(path);
  expect(reports.runs(1)).toHaveLength(1);
  reports.close();

  first.child.kill('SIGKILL');
  await first.ended;
  const store = openSqliteStore(path, openOptions);
  expect(store.reports.runs(2).map((run) => run.closed)).toEqual([false, false]);
  store.close();
});

test('every acknowledged commit survives kill -9, and no commit is stored in part', async () => {
  let acknowledged = 0;
  // Number of commits before the kill; the moment within the next commit is random.
  for (const commits of [1, 2, 9, 33, 80, 121]) {
    const writer = startWriter();
    await writer.reached(1 + commits);
    writer.child.kill('SIGKILL');
    await writer.ended;
    const last = Number.parseInt(writer.lines().at(-1) ?? '', 10);
    acknowledged = Math.max(acknowledged, last);

    // First opened by a reader, right after the kill; then by the next run.
    const reports = openStoreReports(path);
    const count = reports.orders().length;
    reports.close();
    const store = openSqliteStore(path, openOptions);
    const where = `killed after ${commits} commits`;
    const orders = store.reports.orders().map((row) => row.intentId);
    expect(orders.length, where).toBe(count);
    expect(orders, where).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    // Only the commit that was in progress may be stored without having been acknowledged.
    expect(count - acknowledged, where).toBeGreaterThanOrEqual(0);
    expect(count - acknowledged, where).toBeLessThanOrEqual(1);
    const fills = store.reports.fills();
    expect(fills, where).toHaveLength(3 * count);
    expect(new Set(fills.map((row) => row.intentId)).size, where).toBe(count);
    expect(store.restore(noonMs).unproven, where).toEqual([]);
    acknowledged = count;
    store.close();
  }
  expect(acknowledged).toBeGreaterThan(6);
});
