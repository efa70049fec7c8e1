/** The stops of orders in the database, also in one that a version without stops has written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { orderStoryOf, storyLines } from '../../../src/audit/order-story.ts';
import { StoreError } from '../../../src/domain/errors.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/migrations.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import { openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { noonMs, openOptions, order } from './store-samples.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-stops-'));
  path = join(directory, 'bot.sqlite');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const stop = { stopDirection: 'ABOVE', stopPrice: '1234' } as const;

test('a stop is stored with its order, and why tells what it waits for and its trigger', () => {
  const store = openSqliteStore(path, openOptions);
  const proof = 'triggered: the user stream';
  const triggered = { kind: 'evidence', intentId: 1, atMs: noonMs, state: 'open', proof } as const;
  store.commit([order(1, stop), order(2)], 1);
  store.commit([triggered], 2);
  expect(store.restore(noonMs).orders).toMatchObject([stop, { stopPrice: undefined }]);
  const story = orderStoryOf(store.reports, 1);
  const lines = (story === undefined ? [] : storyLines(story)).join('\n');
  expect(lines).toContain('at 1000000, GTC, post-only, waits for the last trade at or above 1234');
  expect(lines).toContain('open: triggered: the user stream');
  store.close();
});

test('what a market order pays is stored, told by why, and never changes', () => {
  const store = openSqliteStore(path, openOptions);
  const paid = { pays: '10000', timeInForce: 'IOC', postOnly: false } as const;
  store.commit([order(1, paid), order(2)], 1);
  expect(store.restore(noonMs).orders).toMatchObject([{ pays: '10000' }, { pays: undefined }]);
  const story = orderStoryOf(store.reports, 1);
  const lines = (story === undefined ? [] : storyLines(story)).join('\n');
  expect(lines).toContain('BID XBTZAR at market, spends 10000 (counts as 0.01000000 at 1000000)');
  expect(() => store.commit([order(1, { ...paid, pays: '10001' })], 2)).toThrow(StoreError);
});

test('a stop never changes', () => {
  const store = openSqliteStore(path, openOptions);
  store.commit([order(1, stop)], 1);
  expect(() => store.commit([order(1, { ...stop, stopPrice: '1235' })], 2)).toThrow(StoreError);
});

test('a database without stops can be read before its bot upgrades it, and keeps its orders', () => {
  const database = new SqliteDatabase(path);
  database.pragma('journal_mode = WAL');
  migrate(database, path, migrations.slice(0, 5));
  database.exec(`INSERT INTO meta VALUES ('namespace', '${openOptions.namespace}');
    INSERT INTO orders VALUES (1, 'mm', 'k1', 'bid', 'XBTZAR', 'BID', '1000000', '0.01', 'GTC', 1,
      '11', '13', 'test-1', 'quote', ${noonMs}, ${noonMs}, 'open', 'BX1', 1, ${noonMs}, 2000, 0,
      NULL, '0', '0', '0', '0', NULL, 'a tag')`);
  database.close();
  const reports = openStoreReports(path);
  expect(reports.openOrders()).toMatchObject([{ tag: 'a tag', stopPrice: undefined }]);
  reports.close();
  const store = openSqliteStore(path, openOptions);
  store.commit([order(2, stop)], 1);
  expect(store.reports.openOrders().map(({ stopPrice }) => stopPrice)).toEqual([undefined, '1234']);
  store.close();
});
