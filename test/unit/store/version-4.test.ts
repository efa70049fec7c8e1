/** Prices over time, mids around fills and operators' commands in databases of any version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/migrations.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import { openSqliteStore } from '../../../src/store/sqlite-store.ts';
import { fill, fillRow, noonMs, openOptions, order } from './store-samples.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-version-4-'));
  path = join(folder, 'bot.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a database of version 3 with an order and its fill. */
function writeVersion3(): void {
  const database = new SqliteDatabase(path);
  database.pragma('journal_mode = WAL');
  migrate(database, path, migrations.slice(0, 3));
  database.exec(`INSERT INTO meta VALUES ('namespace', '${openOptions.namespace}')`);
  database.exec(`
    INSERT INTO orders VALUES (1, 'mm', 'k1', NULL, 'XBTZAR', 'BID', '1000000', '0.01',
      'GTC', 1, '11', '13', 'test-1', 'quote', ${noonMs}, ${noonMs}, 'open', 'BX1', 1,
      ${noonMs}, 2000, 0, NULL, '0', '0', '0', '0', NULL);
    INSERT INTO fills VALUES ('XBTZAR', 7, 'BX1', 1, 'mm', 'BID', '1000000',
      '0.001', '0.001', '1000', '0.000001', '0', ${noonMs}, 1);`);
  database.close();
}

const noMids = {
  ...{ mid: undefined, spread: undefined },
  ...{ mid1s: undefined, mid10s: undefined, mid60s: undefined, mid300s: undefined },
};

test('a database of version 3 is read before its upgrade, without what it does not have', () => {
  writeVersion3();
  const reports = openStoreReports(path);
  expect([...reports.marketSamples('XBTZAR', 0, noonMs)]).toEqual([]);
  expect([...reports.fillsWithMids('XBTZAR', 0, noonMs + 1)]).toMatchObject([
    { sequence: '7', ...noMids },
  ]);
  expect(reports.fillSpreads()).toEqual([]);
  expect(reports.operatorCommands(10)).toEqual([]);
  reports.close();
});

test('its upgrade keeps every row, and takes the new ones', () => {
  writeVersion3();
  const store = openSqliteStore(path, openOptions);
  expect(store.upgrade?.fromVersion).toBe(3);
  expect([...store.reports.fillsWithMids('XBTZAR', 0, noonMs + 1)]).toMatchObject([
    { sequence: '7', price: '1000000', ...noMids },
  ]);
  const key = { pair: 'XBTZAR', sequence: '7', orderId: 'BX1', strategyId: 'mm' };
  const row = { ...key, ...noMids, mid: '1000100', spread: '0.1' };
  store.explain([{ kind: 'fill-mids', row }]);
  store.explain([{ kind: 'fill-mids', row: { ...row, mid1s: '1000200' } }]);
  expect([...store.reports.fillsWithMids('XBTZAR', 0, noonMs + 1)]).toMatchObject([
    { sequence: '7', mid: '1000100', mid1s: '1000200', mid10s: undefined },
  ]);
  store.close();
});

test('samples go to the archive with the other rows, and are read from both', () => {
  const store = openSqliteStore(path, openOptions);
  const sample = (atMs: number) =>
    ({ kind: 'market-sample', atMs, pair: 'XBTZAR', bid: '1', ask: '2' }) as const;
  store.commit([order(1), fill('7')], 1);
  store.explain([sample(1), sample(2), { ...sample(2), pair: 'ETHZAR' }, sample(3)]);
  while (store.archive(3) > 0);
  expect([...store.reports.marketSamples('XBTZAR', 0, 9)].map(({ atMs }) => atMs)).toEqual([3]);
  const both = openStoreReports(path);
  expect([...both.marketSamples('XBTZAR', 2, 9)]).toEqual([
    { atMs: 2, pair: 'XBTZAR', bid: '1', ask: '2' },
    { atMs: 3, pair: 'XBTZAR', bid: '1', ask: '2' },
  ]);
  both.close();
  store.close();
});

test('samples and commands are never changed or deleted by hand', () => {
  const store = openSqliteStore(path, openOptions);
  const command = { atMs: 1, askedBy: 'user ana', command: 'halt', scope: undefined };
  store.explain([
    { kind: 'market-sample', atMs: 1, pair: 'XBTZAR', bid: '1', ask: '2' },
    { kind: 'operator-command', ...command, reason: 'news', outcome: 'done', text: 'halted' },
  ]);
  store.close();
  const database = new SqliteDatabase(path);
  for (const table of ['market_samples', 'operator_commands'])
    for (const change of [`DELETE FROM ${table}`, `UPDATE ${table} SET at_ms = 2`])
      expect(() => database.exec(change), change).toThrow(/never changed/u);
  database.close();
});

test('an amount that is none is refused by name', () => {
  const store = openSqliteStore(path, openOptions);
  const row = { ...fillRow('7'), ...noMids, mid: '1e3' };
  const { pair, sequence, orderId, strategyId, ...mids } = row;
  const record = { pair, sequence, orderId, strategyId, ...mids };
  expect(() => store.explain([{ kind: 'fill-mids', row: record }])).toThrow(
    'mids of a fill.mid must be a plain decimal, was "1e3"',
  );
  store.close();
});
