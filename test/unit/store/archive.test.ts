/** Old rows move to the archive: no sum changes, needed rows stay, and nothing is lost. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoreRecord } from '../../../src/domain/records.ts';
import { archivePathOf } from '../../../src/store/archive.ts';
import type { Connect } from '../../../src/store/open-database.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite-store.ts';
import { watchDatabase } from '../../support/watched-database.ts';
import { dayMs, fill, ledger, noonMs, openOptions, order, proof } from './store-samples.ts';

let directory: string;
let path: string;
let opened: { close(): unknown }[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-archive-'));
  path = join(directory, 'bot.sqlite');
  opened = [];
});

afterEach(() => {
  for (const one of opened) one.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(connect?: Connect): SqliteStore {
  const store = openSqliteStore(path, { ...openOptions, connect });
  opened.push(store);
  return store;
}

const days = (count: number): number => noonMs - count * dayMs;
const cutoffMs = days(30);
const orders = 40;

/** Orders 1 to 40, one per day until today; 3 is still open, and the fill of 5 is not proven. */
function history(): StoreRecord[] {
  const records: StoreRecord[] = [];
  for (let id = 1; id <= orders; id++) {
    const atMs = days(orders - id);
    const orderId = `BX${id}`;
    const isOpen = id === 3;
    const done = isOpen ? {} : ({ state: 'filled', completedMs: atMs } as const);
    const attempt = { intentId: id, number: 1, atMs };
    const judged = { inputs: '{}', limitsHash: '' };
    const decision = { ...judged, atMs, strategyId: 'mm', pair: 'XBTZAR', key: `k${id}` };
    records.push(
      order(id, { createdMs: atMs, ...done }),
      { kind: 'decision', ...decision, intentId: id, verdict: 'approved', refusals: '[]' },
      { kind: 'decision', ...decision, intentId: undefined, verdict: 'refused', refusals: '[]' },
      { kind: 'attempt', ...attempt, timestampMs: atMs, ttlMs: 2_000 },
      { kind: 'outcome', ...attempt, outcome: 'accepted', detail: '' },
      { kind: 'evidence', intentId: id, atMs, state: 'open', proof: 'its answer' },
      { kind: 'incident', incident: { atMs, code: 'TEST', text: `${id}` } },
      { kind: 'idle', atMs, strategyId: 'mm', pair: 'XBTZAR', reason: `reason ${id}` },
      fill(`${id}`, { intentId: id, orderId, tradedMs: atMs }),
      ...(id === 5 ? [] : [proof(`${id}`, orderId)]),
      ledger(3 * id - 2, { timestampMs: atMs, balanceDelta: '0.000' }),
      ledger(3 * id - 1, { timestampMs: atMs, pair: 'XBTZAR', sequence: `${id}` }),
      ledger(3 * id, { timestampMs: atMs, balanceDelta: id === 1 ? '100.5' : '0' }),
    );
  }
  return records;
}

function archiveAll(store: SqliteStore): number {
  let moved = 0;
  for (let some = store.archive(cutoffMs); some > 0; some = store.archive(cutoffMs)) moved += some;
  return moved;
}

function countOf(table: string, at = path): number {
  const database = new SqliteDatabase(at, { readonly: true });
  const count = database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  database.close();
  return count as number;
}

const tables = [
  'evidence',
  'decisions',
  'attempts',
  'outcomes',
  'idle_reasons',
  'incidents',
  'ledger',
];

test('old settled rows move, and the state from which a run starts does not change', () => {
  const store = open();
  store.commit(history(), 1);
  const before = store.restore(noonMs);
  const sums = [
    store.reports.fillTotals(),
    store.reports.otherFlows(),
    store.reports.ledgerLatest(),
  ];
  const all = Object.fromEntries(tables.map((table) => [table, countOf(table)]));
  expect(archiveAll(store)).toBeGreaterThan(50);
  expect(store.restore(noonMs)).toEqual(before);
  expect([
    store.reports.fillTotals(),
    store.reports.otherFlows(),
    store.reports.ledgerLatest(),
  ]).toEqual(sums);
  expect(store.reports.orders()).toHaveLength(orders);
  // Nine orders are older than the cutoff, and one of them is open.
  expect(countOf('evidence')).toBe(orders - 9 + 1);
  expect(countOf('incidents')).toBe(orders - 9);
  for (const table of tables)
    expect([table, countOf(table) + countOf(table, archivePathOf(path))]).toEqual([
      table,
      all[table],
    ]);
  expect(statSync(archivePathOf(path)).mode & 0o777).toBe(0o600);
});

test('an order that is open, a fill that is not proven and a deposit keep their rows', () => {
  const store = open();
  store.commit(history(), 1);
  archiveAll(store);
  const open3 = store.reports.historyOf(3);
  expect([open3?.evidence, open3?.attempts, open3?.outcomes].map((one) => one?.length)).toEqual([
    1, 1, 1,
  ]);
  expect(store.reports.ledgerOfTrade({ pair: 'XBTZAR', sequence: '5' })).toHaveLength(1);
  expect(store.reports.ledgerOfTrade({ pair: 'XBTZAR', sequence: '4' })).toEqual([]);
  expect(store.reports.ledger().find((row) => row.balanceDelta === '100.5')).toBeDefined();
});

test('nothing moves in a database whose last commit failed', () => {
  const store = open();
  store.commit(history(), 1);
  expect(() => store.commit([order(1, { price: '1' })], 2)).toThrow('terms of an order');
  expect(store.archive(cutoffMs)).toBe(0);
  expect(existsSync(archivePathOf(path))).toBe(false);
});

test('the history of an archived order can still be read', () => {
  const store = open();
  store.commit(history(), 1);
  const reader = openStoreReports(path);
  const before = [reader.historyOf(4), reader.ledgerOfTrade({ pair: 'XBTZAR', sequence: '4' })];
  reader.close();
  archiveAll(store);
  expect(store.reports.historyOf(4)?.evidence).toEqual([]);
  const again = openStoreReports(path);
  opened.push(again);
  expect([again.historyOf(4), again.ledgerOfTrade({ pair: 'XBTZAR', sequence: '4' })]).toEqual(
    before,
  );
});

test('the triggers that protect histories work after it as before', () => {
  const store = open();
  store.commit(history(), 1);
  archiveAll(store);
  store.close();
  const database = new SqliteDatabase(path);
  opened.push(database);
  for (const table of tables)
    expect(() => database.exec(`DELETE FROM ${table}`), table).toThrow(/never changed/u);
});

test('a failure at any call loses nothing, and commits continue', () => {
  let failAt = 0;
  let calls = 0;
  const store = open((at, options) =>
    watchDatabase(new SqliteDatabase(at, options), (text) => {
      calls++;
      if (calls === failAt && !text.startsWith('DETACH') && text !== 'ROLLBACK')
        throw new SqliteDatabase.SqliteError('disk I/O error', 'SQLITE_IOERR');
    }),
  );
  store.commit(history(), 1);
  const all = Object.fromEntries(tables.map((table) => [table, countOf(table)]));
  const before = store.restore(noonMs);
  let failures = 0;
  for (let after = 1; after < 70; after++) {
    failAt = calls + after;
    try {
      store.archive(cutoffMs);
    } catch {
      failures++;
    }
    failAt = 0;
    store.commit(
      [{ kind: 'incident', incident: { atMs: noonMs, code: 'T', text: '' } }],
      after + 1,
    );
  }
  expect(failures).toBeGreaterThan(40);
  archiveAll(store);
  expect(store.restore(noonMs)).toEqual(before);
  for (const table of tables.filter((one) => one !== 'incidents'))
    expect([table, countOf(table) + countOf(table, archivePathOf(path))]).toEqual([
      table,
      all[table],
    ]);
});

test('without old rows nothing is archived and no file is created', () => {
  const store = open();
  store.commit([order(1)], 1);
  expect(store.archive(days(400))).toBe(0);
  expect(existsSync(archivePathOf(path))).toBe(false);
});
