/**
 * The same strategy file, gate and executor over a recording: the figures add up, follow from the
 * recording, and are repeatable.
 *
 * Method: a few hundred actions of random consistent order flow, written as a recording; the
 * figures of the backtest are computed again from its fills and the rows, in plain arithmetic.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backtest, runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { FillRow } from '../../src/domain/records.ts';
import type { OrderFlowRow } from '../../src/market/flow/order-flow-row.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { outsideData } from '../prove/outside-data.ts';
import { scenarioText, smallSet, writeScenario } from '../support/backtest-scenario.ts';
import { writeRecordedSet } from '../support/recorded-set.ts';

const strategiesFolder = join(import.meta.dirname, '../../strategies');
let folder = '';
let rows: readonly OrderFlowRow[] = [];
let first: Backtest;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-backtest-'));
  rows = writeRecordedSet(folder, { name: smallSet, seed: 20_261_120, actions: 800 });
  first = await run();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(text = scenarioText()): Promise<Backtest> {
  const { source: _source, ...scenario } = loadScenario(writeScenario(folder, text));
  return runBacktest({ scenario, dataFolder: folder, strategiesFolder });
}

const fillsOf = (backtest: Backtest): readonly FillRow[] => [...backtest.run.store.fills()];

/** An amount as an integer of 10^-decimals; nothing here is shared with the code. */
function units(text: string, decimals = 8): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = fraction.replace(/0+$/u, '');
  if (!/^\d+$/u.test(whole) || digits.length > decimals)
    throw new RangeError(`no amount of ${decimals} decimals: ${text}`);
  const value = BigInt(`${whole}${digits.padEnd(decimals, '0')}`);
  return text.startsWith('-') ? -value : value;
}

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

test('simple-mm trades, and every fill at the exchange is booked', () => {
  const { result } = first;
  expect(result.fills).toBeGreaterThan(10);
  expect(result.makerFills).toBe(result.fills);
  expect(result.fillsAtExchange).toBe(result.fills);
  expect(result).toMatchObject({
    rows: rows.length,
    positionDifference: '0',
    balanceDifference: '0',
    openOrdersAtExit: 0,
  });
  expect(result.incidents).toEqual({});
  expect(result.history).toMatchObject({ fillsOutOfQueue: 0, unknownOrders: 0, impossibleRows: 0 });
});

test('fees, position, cash and profit follow from the fills', () => {
  const { result } = first;
  const fills = fillsOf(first);
  for (const { side, price, volume, feeBase, feeCounter } of fills) {
    // 5 bps of the received amount, to 2 decimals, half away from zero.
    const received = side === 'BID' ? units(volume) : (units(price) * units(volume)) / 10n ** 8n;
    const step = 10_000n * 10n ** 6n;
    const fee = ((received * 5n + step / 2n) / step) * 10n ** 6n;
    expect(units(side === 'BID' ? feeBase : feeCounter)).toBe(fee);
    expect(units(side === 'BID' ? feeCounter : feeBase)).toBe(0n);
  }
  const signed = (pick: (fill: FillRow) => bigint): bigint =>
    total(fills.map((fill) => (fill.side === 'BID' ? pick(fill) : -pick(fill))));
  const feesIn = (pick: (fill: FillRow) => string): bigint =>
    total(fills.map((fill) => units(pick(fill))));
  const position = signed((fill) => units(fill.volume)) - feesIn((fill) => fill.feeBase);
  const cash =
    -signed((fill) => (units(fill.price) * units(fill.volume)) / 10n ** 8n) -
    feesIn((fill) => fill.feeCounter);
  expect(units(result.position ?? '')).toBe(position);
  expect(units(result.cash ?? '')).toBe(cash);
  expect(units(result.fees.base ?? '')).toBe(feesIn((fill) => fill.feeBase));
  expect(units(result.fees.counter ?? '')).toBe(feesIn((fill) => fill.feeCounter));
  const { accounts } = first.run.port.account;
  const balances = ['ABC', 'EUR'].map((name) => (accounts.get(name)?.balance ?? 0n) / 10n ** 10n);
  expect(balances).toEqual([position + units('500'), cash + units('50000')]);
  // The mid times a fee in base has more decimals than the other amounts.
  expect(units(result.profit ?? '', 16)).toBe(
    cash * 10n ** 8n + position * units(result.mid ?? ''),
  );
});

test('every fill has a row of history at its time that proves it', () => {
  for (const fill of fillsOf(first)) {
    const ticks = Number.parseInt(fill.price.replace('.', ''), 10);
    const proofs = rows.filter((row) => {
      if (Math.floor(row.atMicros / 1_000) !== fill.tradedMs) return false;
      if (row.kind === 'trade' && row.makerSide === fill.side)
        return fill.side === 'BID' ? row.price <= ticks : row.price >= ticks;
      if (row.kind === 'create' && row.side !== fill.side)
        return fill.side === 'BID' ? row.price <= ticks : row.price >= ticks;
      return false;
    });
    expect(proofs, `${fill.side} ${fill.volume} at ${fill.price}, ${fill.tradedMs}`).not.toEqual(
      [],
    );
  }
});

test('each fill comes after its order could have arrived', () => {
  const orders = new Map([...first.run.store.orders()].map((row) => [row.intentId, row]));
  for (const fill of fillsOf(first))
    expect(fill.tradedMs).toBeGreaterThanOrEqual((orders.get(fill.intentId)?.createdMs ?? 0) + 1);
});

test('the same scenario gives the same hash, another latency another hash', async () => {
  expect((await run()).hash).toBe(first.hash);
  const slower = await run(scenarioText(250_000));
  expect(slower.hash).not.toBe(first.hash);
  expect(slower.result).toMatchObject({ positionDifference: '0', balanceDifference: '0' });
});

test('the hash covers the actions, not the name of the scenario', async () => {
  const renamed = await run(scenarioText().replace('bot: small', 'bot: other'));
  expect(renamed.result).toEqual(first.result);
  expect(renamed.hash).toBe(first.hash);
});

test('a part of the recording begins with the historical book at that time', async () => {
  const from = new Date((rows[500]?.atMicros ?? 0) / 1_000);
  const to = new Date((rows[900]?.atMicros ?? 0) / 1_000);
  const part = `from: "${from.toISOString()}"\nto: "${to.toISOString()}"\nseed: 1`;
  const { result } = await run(scenarioText().replace('seed: 1', part));
  expect(result.rows).toBeGreaterThan(350);
  expect(result.rows).toBeLessThan(450);
  // Rows of earlier orders would be inconsistent with an empty book.
  expect(result.history).toMatchObject({ unknownOrders: 0, impossibleRows: 0 });
});

const sse = outsideData('sse_600519_20230207');

test.skipIf(sse === undefined)('simple-mm trades on ten minutes of a real exchange', async () => {
  const path = join(import.meta.dirname, '../../backtests/sse-600519/scenario.yaml');
  const { source: _source, ...whole } = loadScenario(path);
  const scenario = { ...whole, toMs: Date.parse('2023-02-07T09:40:00+08:00') };
  const dataFolder = join(sse ?? '', '..');
  const { result, hash } = await runBacktest({ scenario, dataFolder, strategiesFolder });
  expect(result.fills).toBeGreaterThan(0);
  expect(result).toMatchObject({
    fillsAtExchange: result.fills,
    positionDifference: '0',
    balanceDifference: '0',
    openOrdersAtExit: 0,
  });
  expect(result.incidents).toEqual({});
  expect((await runBacktest({ scenario, dataFolder, strategiesFolder })).hash).toBe(hash);
});
