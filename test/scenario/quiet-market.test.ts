/**
 * The figures of a market whose rows are far apart: events of our orders between two rows count at
 * their own times, and the run ends at the end of the played time, whatever is still in flight.
 *
 * Method: every ten seconds the whole book moves up by 0.50 in one message, without others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricsOf } from '../../src/backtest/metrics/run-metrics.ts';
import { type Backtest, runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { FlowItem, RestingOrder } from '../../src/recording/file/flow-item.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { scenarioText, writeScenario } from '../support/backtest-scenario.ts';
import { writeItems } from '../support/compiled-flow.ts';
import { writePlugin } from '../support/planted-plugin.ts';

const startSeconds = 1_700_000_000;
const moves = 60;
let folder = '';
let strategiesFolder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-quiet-'));
  writeItems(join(folder, 'quiet.mrec'), quietItems());
  const everySecond = (body: string) => `
    let last = 0;
    return context.every(1000).pipe(rx.concatMap(() => {
      const second = Math.floor(context.nowMs() / 1000) % 10;
      const { top } = market;
      if (top?.bid === undefined || top?.ask === undefined) return [];
      const place = (terms) => [{ kind: 'place', pair, key: 'k' + ++last, terms, reason: 'test' }];
      ${body}
    }));`;
  const takes = `
      if (second !== 3) return [];
      return place({ side: 'BID', price: top.ask, volume: 1, timeInForce: 'IOC' });`;
  writePlugin(folder, 'takes', everySecond(takes));
  const quotes = `
      const orders = second < 1 || second > 5 ? [] :
        [{ level: 'bid', side: 'BID', price: top.bid, volume: 1, postOnly: true }];
      return [{ kind: 'quote', pair, orders, reason: 'test' }];`;
  strategiesFolder = writePlugin(folder, 'quotes', everySecond(quotes));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The book at 99.90 and 100.10; then, every ten seconds, a trade and all prices 0.50 higher. */
function quietItems(): FlowItem[] {
  const at = (move: number) => (startSeconds + (move - 1) * 10) * 1_000_000;
  const bidOf = (move: number) => (9_990 + 50 * move) as Ticks;
  const askOf = (move: number) => (10_010 + 50 * move) as Ticks;
  const volume = 1_000 as Lots;
  const orders: RestingOrder[] = [
    { id: 'b0', side: 'BID', price: bidOf(0), volume },
    { id: 'a0', side: 'ASK', price: askOf(0), volume },
  ];
  const items: FlowItem[] = [{ kind: 'snapshot', atMicros: at(1), status: 'ACTIVE', orders }];
  for (let move = 1; move <= moves; move++) {
    const place = { atMicros: at(move), endsMessage: false } as const;
    const [bid, ask] = [`b${move - 1}`, `a${move - 1}`];
    items.push(
      {
        ...{ kind: 'trade', ...place, makerId: ask, makerSide: 'ASK', takerId: undefined },
        ...{ price: askOf(move - 1), volume: 1 as Lots, sequence: move },
      },
      { kind: 'delete', ...place, id: ask, sequence: move },
      { kind: 'delete', ...place, id: bid, sequence: move },
      {
        ...{ kind: 'create', ...place, id: `a${move}`, side: 'ASK', sequence: move },
        ...{ price: askOf(move), volume },
      },
      {
        ...{ kind: 'create', ...place, id: `b${move}`, side: 'BID', sequence: move },
        ...{ price: bidOf(move), volume, endsMessage: true },
      },
    );
  }
  return items;
}

async function run(
  plugin: string,
  edit: (text: string) => string = (text) => text,
  latencyUs = 0,
): Promise<Backtest> {
  const text = scenarioText(latencyUs)
    .replace(/data: \{[^}]*\}/u, 'data: { kind: recording, recording: quiet.mrec }')
    .replace(/fees: .*/u, 'fees: { maker: "0bps", taker: "0bps" }')
    .replace('plugin: simple-mm', `plugin: ${plugin}`)
    .replace(/parameters: .*/u, 'parameters: {}')
    .replace('[GTC], postOnly: required', '[IOC, GTC], postOnly: allowed')
    .replace('bookAgeMax: "30s"', 'bookAgeMax: "1000s"');
  const scenario = loadScenario(writeScenario(folder, edit(text)));
  return runBacktest({ scenario, dataFolder: folder, strategiesFolder });
}

function metricsFor({ run: { marketRuns }, recorders }: Backtest) {
  const [recorder] = recorders;
  const accountMarket = marketRuns[0]?.feed.accountMarket;
  if (recorder === undefined || accountMarket === undefined) throw new RangeError('one market');
  return metricsOf(recorder, accountMarket, { coarseData: undefined, cautions: [], recorders });
}

const until = (seconds: number) => (text: string) =>
  text.replace(
    'latencies:',
    `to: "${new Date((startSeconds + seconds) * 1000).toISOString()}"\nlatencies:`,
  );

describe('between two rows', () => {
  test('a fill is valued at the mid of its time, not at that after the next row', async () => {
    const backtest = await run('takes');
    const { trader, maker } = metricsFor(backtest);
    const { fills } = backtest.result;
    expect(fills).toBeGreaterThan(50);
    // Each fill is 3 s after a move, so the mid stays 0.10 below its price for 7 s.
    const lost = `-${fills / 10}`;
    expect(maker.markouts.map(({ seconds, sum }) => [seconds, sum]).slice(0, 3)).toEqual([
      [0.01, lost],
      [0.1, lost],
      [1, lost],
    ]);
    expect(maker.spreadCaptured).toBe(lost);
    // Reached at the first fill; later moves gain more than a fill loses.
    expect(Number(trader.drawdownMax)).toBeCloseTo(0.1, 10);
  });

  test('the quoted time is exact', async () => {
    const { maker } = metricsFor(await run('quotes'));
    // From second 1 to second 6 of every ten, at the best bid, alone or with others.
    expect(maker.quotedShare.bid).toBeCloseTo(0.5, 2);
    expect(maker.touchShare?.bid).toBeCloseTo(0.5, 2);
    expect(maker.quotedShare.ask).toBe(0);
  });
});

describe('the end', () => {
  test('is that of the scenario if the recording continues beyond it', async () => {
    // The last row is at second 50.
    const [near, far] = [await run('takes', until(52)), await run('takes', until(57))];
    expect(near.result).toMatchObject({ rows: far.result.rows, virtualSeconds: 52 });
    expect(far.result).toMatchObject({ virtualSeconds: 57 });
    expect(far.result.fills).toBe(near.result.fills + 1);
    expect(far.played.to).toBe(new Date((startSeconds + 57) * 1000).toISOString());
  });

  test('is the last row if the recording ends earlier', async () => {
    const { result } = await run('takes', until(100_000));
    expect(result.virtualSeconds).toBe((moves - 1) * 10);
  });

  test('an order in flight is neither filled nor refused after it', async () => {
    const inTime = await run('takes', until(54.3), 400_000);
    const tooLate = await run('takes', until(53.8), 400_000);
    expect(tooLate.result.fills).toBe(inTime.result.fills - 1);
    // It was sent, and the exchange was closed when it arrived.
    expect(tooLate.result.orders).toBe(inTime.result.orders);
    for (const { result, recorders } of [inTime, tooLate]) {
      expect(result.openOrdersAtExit).toBe(0);
      expect(result.refusals.exchange).toEqual({});
      expect(result).toMatchObject({ positionDifference: '0', balanceDifference: '0' });
      expect(recorders[0]?.watchedMicros).toBe(result.virtualSeconds * 1_000_000);
    }
  });

  test('a markout covers only fills followed by its horizon, and minutes are complete', async () => {
    const { recorders } = await run('takes', until(124), 300_000);
    const sixty = recorders[0]?.log.markouts.find(({ seconds }) => seconds === 60);
    // The fills are at seconds 3, 13, … 63; the one at 63.6 was observed for 60.4 s.
    expect((sixty?.BID.fills ?? 0) + (sixty?.ASK.fills ?? 0)).toBe(7);
    expect(recorders[0]?.minutes.count).toBe(2);
  });
});

test('the profit is that at the end, however many samples were dropped', async () => {
  for (const seconds of [2_999, 3_000, 3_001]) {
    const items = quietItems();
    const quiet = items.slice(0, 1);
    for (let second = 1; second <= seconds; second++)
      quiet.push({
        ...{ kind: 'create', id: `x${second}`, side: 'BID', sequence: second },
        ...{ price: 1 as Ticks, volume: 1 as Lots, endsMessage: true },
        atMicros: (startSeconds + second - 1) * 1_000_000,
      });
    writeItems(join(folder, 'quiet.mrec'), quiet);
    const { recorders } = await run('quotes');
    const [recorder] = recorders;
    expect(recorder?.samples.at(-1)).toMatchObject({ atMs: (startSeconds + seconds - 1) * 1_000 });
    expect(recorder?.samples[0]).toMatchObject({ atMs: startSeconds * 1_000 });
  }
  writeItems(join(folder, 'quiet.mrec'), quietItems());
});

test('the strategy receives fees that changed before the run', async () => {
  writePlugin(
    folder,
    'tells-fees',
    `return context.every(1000).pipe(rx.map(() => ({ kind: 'idle', pair,
      reason: market.rules.makerFee + ' ' + market.rules.takerFee })));`,
  );
  const reasons: string[] = [];
  const later = `fees: { maker: "5bps", taker: "20bps", later: [
    { from: "2020-01-01T00:00:00Z", maker: "50bps", taker: "90bps" },
    { from: "2033-01-01T00:00:00Z", maker: "1bps", taker: "2bps" }] }`;
  const text = scenarioText(0)
    .replace(/data: \{[^}]*\}/u, 'data: { kind: recording, recording: quiet.mrec }')
    .replace(/fees: .*/u, later)
    .replace('plugin: simple-mm', 'plugin: tells-fees')
    .replace(/parameters: .*/u, 'parameters: {}');
  const { result } = await runBacktest({
    ...{ scenario: loadScenario(writeScenario(folder, text)), strategiesFolder },
    dataFolder: folder,
    onRecords: (records) => {
      for (const record of records) if (record.kind === 'idle') reasons.push(record.reason);
    },
  });
  expect(result.partial).toBeUndefined();
  expect(reasons[0]).toBe('0.005 0.009');
});
