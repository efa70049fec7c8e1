/** The tags of orders in the database, also in one that a version without tags has written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { orderStoryOf, storyLines } from '../../../src/audit/order-story.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/migrations.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import { openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { noonMs, openOptions, order } from './store-samples.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-tags-'));
  path = join(directory, 'bot.sqlite');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a tag is stored with its order, stays through changes, and is in its story', () => {
  const store = openSqliteStore(path, openOptions);
  store.commit([order(1, { tag: 'rebalance', level: 'bid' }), order(2)], 1);
  store.commit([order(1, { tag: 'rebalance', level: 'bid', state: 'cancelled' })], 2);
  expect(store.restore(noonMs).orders.map(({ tag }) => tag)).toEqual(['rebalance', undefined]);
  const story = orderStoryOf(store.reports, 1);
  const lines = story === undefined ? [] : storyLines(story);
  expect(lines.join('\n')).toContain('(level bid, tag rebalance): quote');
  store.close();
});

test('a database without tags can be read before its bot upgrades it, and keeps its orders', () => {
  const database = new SqliteDatabase(path);
  database.pragma('journal_mode = WAL');
  migrate(database, path, migrations.slice(0, 4));
  database.exec(`INSERT INTO meta VALUES ('namespace', '${openOptions.namespace}');
    INSERT INTO orders VALUES (1, 'mm', 'k1', 'bid', 'XBTZAR', 'BID', '1000000', '0.01', 'GTC', 1,
      '11', '13', 'test-1', 'quote', ${noonMs}, ${noonMs}, 'open', 'BX1', 1, ${noonMs}, 2000, 0,
      NULL, '0', '0', '0', '0', NULL)`);
  database.close();
  const reports = openStoreReports(path);
  expect(reports.openOrders()).toMatchObject([{ intentId: 1, level: 'bid', tag: undefined }]);
  expect(reports.historyOf(1)?.order.reason).toBe('quote');
  reports.close();
  const store = openSqliteStore(path, openOptions);
  store.commit([order(2, { tag: 'new' })], 1);
  expect(store.reports.openOrders().map(({ tag }) => tag)).toEqual([undefined, 'new']);
  store.close();
});
