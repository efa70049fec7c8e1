/**
 * The rows and sums that a backtest keeps equal those of a store that keeps all records.
 *
 * Method: backtests over random flow, with limits that refuse and latencies that lose races; every
 * record also goes to a memory store, which answers the same queries.
 */
import { mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BacktestStore } from '../../../src/backtest/run/backtest-store.ts';
import { runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import { formatAmount } from '../../../src/domain/amount.ts';
import type { OrderRow, StoreRecord } from '../../../src/domain/records.ts';
import { sumsOf } from '../../../src/execution/orders/sums.ts';
import { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { RowSpill } from '../../../src/store/row-spill.ts';
import { scenarioText, smallSet, writeScenario } from '../../support/backtest-scenario.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { writeRecordedSet } from '../../support/recorded-set.ts';
import { market } from '../risk/open-gate.ts';
import { fillRow, orderRow } from '../store/store-samples.ts';

const strategiesFolder = join(import.meta.dirname, '../../../strategies');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-backtest-store-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [1, 1_000],
  [2, 400_000],
  [3, 900_000],
])('flow %i: orders, fills and counts equal those of a memory store', async (seed, latencyUs) => {
  writeRecordedSet(folder, { name: smallSet, seed, actions: 800 });
  const text = scenarioText(latencyUs).replace('ordersPerMinuteMax: 200', 'ordersPerMinuteMax: 12');
  const { source: _source, ...scenario } = loadScenario(writeScenario(folder, text));
  const memory = new MemoryStore();
  const onRecords = (records: readonly StoreRecord[]): void =>
    memory.commit(records, memory.commitNumber + 1);
  const { run, result } = await runBacktest({
    ...{ scenario, dataFolder: folder, strategiesFolder, onRecords },
  });
  const { reports } = memory;
  expect([...run.store.orders()]).toEqual(reports.orders());
  expect([...run.store.fills()]).toEqual(reports.fills());
  expect(result.orders).toBe(reports.orders().length);
  expect(result.fills).toBe(reports.fills().length);
  expect(result.makerFills).toBe(reports.fills().filter((fill) => fill.maker).length);
  const refusals = reports.refusalCounts(0);
  expect(Object.keys(result.refusals.gate).length).toBeGreaterThan(0);
  expect(Object.entries(result.refusals.gate)).toEqual(
    refusals.map(({ strategyId, code, count }) => [`${strategyId} ${code}`, count]),
  );
  expect(Object.entries(result.incidents)).toEqual(
    reports.incidentCounts().map(({ code, count }) => [code, count]),
  );
  run.store.close();
});

test('an open order is kept as it ends the run, a reopened order in its final state', () => {
  const store = new BacktestStore();
  const first = orderOf(1);
  const second = orderOf(2);
  for (const order of [first, second]) store.noteOrder(order);
  first.state = 'cancelled';
  store.noteOrder(first);
  first.state = 'open';
  store.noteOrder(first);
  first.state = 'cancelled';
  first.completedMs = 5;
  store.noteOrder(first);
  store.finish([second]);
  expect([...store.orders()]).toMatchObject([
    { intentId: 1, state: 'cancelled', completedMs: 5 },
    { intentId: 2, state: 'open' },
  ]);
  expect(store.orderCount).toBe(2);
});

test('the digests depend on the orders, their last states, the fills, and the order of all', () => {
  const digestOf = (ids: readonly number[], change: Partial<OrderRow>, open: number[] = []) => {
    const store = new BacktestStore();
    for (const id of ids) store.noteOrder(orderOf(id, { state: 'cancelled', ...change }));
    const fill = fillRow('1');
    store.noteFill(fill, sumsOf(fill), orderOf(1));
    const known = store.finish(open.map((id) => orderOf(id)));
    return known.map((one) => Buffer.from(one).toString());
  };
  const known = digestOf([1, 2], {});
  expect(digestOf([1, 2], {})).toEqual(known);
  const others = [
    ...([{ price: '1' }, { key: 'other' }, { state: 'filled' }, { createdMs: 1 }] as const),
    ...[{ completedMs: 1 }, { attempts: 2 }, { base: '0.5' }],
  ];
  for (const change of others) expect(digestOf([1, 2], change)).not.toEqual(known);
  expect(digestOf([2, 1], {})).not.toEqual(known);
  expect(digestOf([1, 2], {}, [3])).not.toEqual(known);
  expect(digestOf([1, 2], {}, [3])[2]).toBe(known[2]);
});

test('the digest does not depend on the ids of orders, which contain the name of the bot', () => {
  const digestOf = (change: Partial<OrderRow>): readonly Uint8Array[] => {
    const store = new BacktestStore();
    for (const id of [1, 2]) store.noteOrder(orderOf(id, { state: 'cancelled', ...change }));
    return store.finish([]);
  };
  expect(digestOf({ clientOrderId: 'other-é' })).toEqual(digestOf({}));
  expect(digestOf({ reason: 'other' })).not.toEqual(digestOf({}));
});

test('thousands of orders are hashed in order', () => {
  const digestOf = (ids: readonly number[]): readonly Uint8Array[] => {
    const store = new BacktestStore();
    for (const id of ids) store.noteOrder(orderOf(id, { state: 'cancelled' }));
    return store.finish([]);
  };
  const ids = Array.from({ length: 3_000 }, (_, index) => index + 1);
  const swapped = ids.with(10, 12).with(11, 11);
  expect(digestOf(ids)).toEqual(digestOf(ids));
  expect(digestOf(swapped)).not.toEqual(digestOf(ids));
  expect(digestOf(ids.toReversed())).not.toEqual(digestOf(ids));
});

test('the wait of an order is that before its first attempt', () => {
  const store = new BacktestStore();
  const order = orderOf(1, { attempts: 1, createdMs: 1_000 });
  store.noteOrder(order);
  store.noteAttempt(order, 1_300);
  order.attempts = 2;
  store.noteAttempt(order, 9_000);
  expect(store.sending.waitMs).toEqual({ median: 300, p90: 300, max: 300 });
});

test('rows are read in order of rank and number, each once in its last version', () => {
  const spill = new RowSpill();
  put(spill, '20', 2);
  put(spill, '10', 1);
  put(spill, 'é', 2);
  put(spill, '30', 3, -1);
  expect(textsOf(spill)).toEqual(['30', '10', 'é']);
  spill.close();
});

test('fills of two pairs that are booked late are sorted by time', () => {
  const store = new BacktestStore();
  const booked = [
    fillRow('1', { tradedMs: 2_000, base: '1' }),
    fillRow('1', { pair: 'ETHZAR', tradedMs: 1_000, base: '2' }),
    fillRow('2', { tradedMs: 2_000, base: '4' }),
  ];
  for (const row of booked) store.noteFill(row, sumsOf(row), orderOf(1));
  expect([...store.fills()].map(({ base }) => base)).toEqual(['2', '1', '4']);
  expect(formatAmount(store.fillSumsOf('XBTZAR').base)).toBe('5');
  expect(store.fillSumsOf('ETHZAR').count).toBe(1);
});

test('a full disk is an error that says so', () => {
  const spill = new RowSpill(() => openSync('/dev/full', 'r+'));
  const putMany = (): void => {
    for (let number = 1; number < 20_000; number++) put(spill, '30', number);
  };
  const said = /ENOSPC.*free some space, or set TMPDIR/u;
  expect(putMany).toThrow(
    expect.objectContaining({ name: 'StoreError', message: expect.stringMatching(said) }),
  );
  spill.close();
});

test('a run whose rows fit into one block needs no file', () => {
  const spill = new RowSpill(() => expect.fail('no file is needed'));
  for (let number = 1; number < 2_000; number++) put(spill, '30', number);
  spill.close();
  // A second end of a run finds nothing left to do.
  spill.close();
});

test('the temporary file has no name', () => {
  const spill = new RowSpill();
  const before = readdirSync('/var/tmp').filter((name) => name.startsWith('millrace-'));
  for (let number = 1; number < 20_000; number++) put(spill, '30', number);
  expect(readdirSync('/var/tmp').filter((name) => name.startsWith('millrace-'))).toEqual(before);
  spill.close();
});

test('thousands of rows are read in order, in their last version', () => {
  const spill = new RowSpill();
  for (let number = 3_000; number > 0; number--) put(spill, `${number}`, number);
  for (let number = 1; number <= 3_000; number += 2) put(spill, `-${number}`, number);
  const wanted = Array.from({ length: 3_000 }, (_, at) => `${at % 2 === 0 ? '-' : ''}${at + 1}`);
  expect(textsOf(spill)).toEqual(wanted);
  expect(textsOf(spill)).toEqual(wanted);
  spill.close();
});

test('rows longer than a block, and more than fit into one, are read as put', () => {
  const spill = new RowSpill();
  const lengths = [10, 400_000, 100_000, 0, 90_000, 500_000, 1];
  const texts = lengths.map((length, at) => `${at}é`.repeat(length));
  texts.forEach((text, number) => {
    put(spill, text, number);
  });
  expect(textsOf(spill)).toEqual(texts);
  spill.close();
});

function orderOf(intentId: number, change: Partial<OrderRow> = {}): TrackedOrder {
  const row = orderRow(intentId, change);
  return TrackedOrder.restore(row, { ...market, priceScale: 0, volumeScale: 8 });
}

function put(spill: RowSpill, text: string, number: number, rank?: number): void {
  spill.text.add(Buffer.from(`|${text}`));
  spill.end(number, rank);
}

/** Returns the rows, each of which follows a bar. */
function textsOf(spill: RowSpill): readonly string[] {
  const pieces = Array.from(spill.pieces(), (bytes) => Buffer.from(bytes).toString());
  return pieces.join('').split('|').slice(1);
}
