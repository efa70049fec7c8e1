/**
 * A backtest whose exchange delivers trades and ledger rows ends with the same orders and fills as
 * one that reads them: over random flow with long silences, and a strategy that orders
 * occasionally.
 *
 * A latency drawn between two equal bounds takes the same time as a fixed one, but reads are made.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backtest, runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import type { FillRow, OrderRow } from '../../../src/domain/records.ts';
import type { Latency } from '../../../src/domain/trading-conditions.ts';
import type { FlowItem } from '../../../src/recording/file/flow-item.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { scenarioText, writeScenario } from '../../support/backtest-scenario.ts';
import { writeItems } from '../../support/compiled-flow.ts';
import { writePlugin } from '../../support/planted-plugin.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const startMicros = 1_700_000_000_000_000;
const hourMicros = 3_600_000_000;
/** Longer than any silence of the flow. */
const bookAge = '10000s';
let folder = '';
let strategiesFolder = '';

/** Orders occasionally: takes, or rests at the best price and may cancel that order later. */
const run = `
    let last = 0;
    let resting;
    return context.every(1_700).pipe(rx.concatMap(() => {
      const { top } = market;
      if (top?.bid === undefined || top?.ask === undefined) return [];
      const dice = context.random();
      if (resting !== undefined && dice < 0.1) {
        const key = resting;
        resting = undefined;
        return [{ kind: 'cancel', pair, key, reason: 'test' }];
      }
      if (dice > 0.01) return [];
      const key = 'k' + ++last;
      const side = context.random() < 0.5 ? 'BID' : 'ASK';
      const best = side === 'BID' ? top.ask : top.bid;
      const own = side === 'BID' ? top.bid : top.ask;
      const takes = context.random() < 0.5;
      if (!takes) resting = key;
      const terms = takes
        ? { side, price: best, volume: 2, timeInForce: 'IOC' }
        : { side, price: own, volume: 2, timeInForce: 'GTC', postOnly: true };
      return [{ kind: 'place', pair, key, terms, reason: 'test' }];
    }));`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-delivered-'));
  strategiesFolder = writePlugin(folder, 'now-and-then', run);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Three hours of trades and moves of the whole book, seconds or minutes apart. */
function itemsOf(random: SeededRandom): readonly FlowItem[] {
  const volume = 1_000 as Lots;
  let mid = 10_000;
  let move = 0;
  const orders = () => [
    { id: `b${move}`, side: 'BID' as const, price: (mid - 10) as Ticks, volume },
    { id: `a${move}`, side: 'ASK' as const, price: (mid + 10) as Ticks, volume },
  ];
  const items: FlowItem[] = [
    { kind: 'snapshot', atMicros: startMicros, status: 'ACTIVE', orders: orders() },
  ];
  let atMicros = startMicros;
  while (atMicros < startMicros + 3 * hourMicros) {
    atMicros += random.integer(1, random.fraction() < 0.3 ? 400_000_000 : 5_000_000);
    const place = { atMicros, sequence: move + 1, endsMessage: false };
    const [bid, ask] = orders() as [FlowOrder, FlowOrder];
    const hit = random.fraction() < 0.5 ? bid : ask;
    items.push({
      ...{ kind: 'trade', ...place, makerId: hit.id, makerSide: hit.side, takerId: undefined },
      ...{ price: hit.price, volume: 1 as Lots },
    });
    for (const { id } of [bid, ask]) items.push({ kind: 'delete', ...place, id });
    move++;
    mid += random.integer(-5, 5);
    const [nextBid, nextAsk] = orders() as [FlowOrder, FlowOrder];
    items.push({ kind: 'create', ...place, ...nextBid });
    items.push({ kind: 'create', ...place, ...nextAsk, endsMessage: true });
  }
  return items;
}

type FlowOrder = { id: string; side: 'BID' | 'ASK'; price: Ticks; volume: Lots };

/** The last state of each order, and every fill. */
type Played = {
  readonly backtest: Backtest;
  readonly orders: ReadonlyMap<number, object>;
  readonly fills: readonly FillRow[];
};

async function play(latency: Latency, callLimit: string): Promise<Played> {
  const text = scenarioText(1_000)
    .replace(/data: \{[^}]*\}/u, 'data: { kind: recording, recording: flow.mrec }')
    .replace('plugin: simple-mm', 'plugin: now-and-then')
    .replace(/parameters: .*/u, 'parameters: {}')
    .replace('[GTC], postOnly: required', '[IOC, GTC], postOnly: allowed')
    .replace('bookAgeMax: "30s"', `bookAgeMax: "${bookAge}"`)
    .replace('bot: small', `callLimit: ${callLimit}\nbot: small`);
  const scenario = loadScenario(writeScenario(folder, text));
  const latencies = { ...scenario.latencies, request: latency, answer: latency };
  const orders = new Map<number, object>();
  const fills: FillRow[] = [];
  const backtest = await runBacktest({
    scenario: { ...scenario, latencies },
    dataFolder: '',
    strategiesFolder,
    onRecords: (records) => {
      for (const record of records) {
        if (record.kind === 'order') orders.set(record.row.intentId, factsOf(record.row));
        if (record.kind === 'fill') fills.push(record.row);
      }
    },
  });
  return { backtest, orders, fills };
}

/** What an order was and what became of it, without estimates of the exchange's clock. */
function factsOf({ side, price, volume, createdMs, state, base, counter, feeBase }: OrderRow) {
  return { side, price, volume, createdMs, state, base, counter, feeBase };
}

const answersOf = ({
  backtest: {
    run: { port },
  },
}: Played): number => port.answers.inTime + port.answers.late;

test.each([0, 1_000, 137_777, 400_000])(
  'with calls of %d µs each way',
  async (us) => {
    for (let seed = 1; seed <= 4; seed++) {
      writeItems(join(folder, 'flow.mrec'), itemsOf(new SeededRandom(seed)));
      const limit = seed % 2 === 0 ? 'exchange' : 'unlimited';
      const delivered = await play({ kind: 'fixed', us }, limit);
      const read = await play({ kind: 'between', fromUs: us, toUs: us }, limit);
      expect(delivered.orders).toEqual(read.orders);
      expect(delivered.fills).toEqual(read.fills);
      expect(delivered.backtest.result.profit).toEqual(read.backtest.result.profit);
      expect(delivered.fills.length).toBeGreaterThan(5);
      expect(answersOf(delivered)).toBeLessThan(answersOf(read) * 0.3);
    }
  },
  120_000,
);

test('a maker that uses the calls of every minute has nearly as many orders, with fewer reads', async () => {
  const root = join(import.meta.dirname, '../../..');
  const scenario = loadScenario(join(root, 'backtests/first/scenario.yaml'));
  const options = { dataFolder: '', strategiesFolder: join(root, 'strategies') };
  const playBusy = async (latencyOf: (us: number) => Latency): Promise<Backtest> => {
    const latencies = {
      ...scenario.latencies,
      request: latencyOf(3_000),
      answer: latencyOf(2_000),
    };
    return runBacktest({ ...options, scenario: { ...scenario, latencies } });
  };
  const delivered = await playBusy((us) => ({ kind: 'fixed', us }));
  const read = await playBusy((us) => ({ kind: 'between', fromUs: us, toUs: us }));
  const ratio = delivered.result.orders / read.result.orders;
  expect(ratio).toBeGreaterThan(0.97);
  expect(ratio).toBeLessThan(1.03);
  expect(delivered.run.port.answers.inTime).toBeLessThan(read.run.port.answers.inTime);
});

test('no fill is booked before the answer to a read that left after the trade', async () => {
  const root = join(import.meta.dirname, '../../..');
  const scenario = loadScenario(join(root, 'backtests/first/scenario.yaml'));
  const slow: Latency = { kind: 'fixed', us: 400_000 };
  const latencies = { feed: { kind: 'fixed', us: 1_000 }, request: slow, answer: slow } as const;
  const delaysMs: number[] = [];
  await runBacktest({
    scenario: { ...scenario, latencies, callLimit: 'unlimited' },
    dataFolder: '',
    strategiesFolder: join(root, 'strategies'),
    onRecords: (records, atMicros) => {
      for (const record of records)
        if (record.kind === 'fill') delaysMs.push(atMicros / 1_000 - record.row.tradedMs);
    },
  });
  expect(delaysMs.length).toBeGreaterThan(100);
  expect(Math.min(...delaysMs)).toBeGreaterThan(800);
});
