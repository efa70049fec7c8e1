/**
 * Consecutive recordings of one market are played as one history, with a gap between them after
 * which no queue place of ours is proven.
 *
 * Method: random order flow is cut into two recordings, the second of which begins with the book at
 * the cut; the run over both is compared with the run over the whole.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backtest, runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { ScenarioSettings } from '../../src/domain/scenario-settings.ts';
import { Book } from '../../src/market/book/book.ts';
import { loadResting } from '../../src/market/book/flow-columns-book.ts';
import { BlockEncoder } from '../../src/recording/file/block-encoder.ts';
import type { FlowItem, RestingOrder } from '../../src/recording/file/flow-item.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { scenarioText } from '../support/backtest-scenario.ts';
import { queuesOf } from '../support/compiled-flow.ts';
import { orderHistoryOf } from '../support/encoded-history.ts';
import { laterBy, marketOf, randomItems, writeMarket } from '../support/several-markets.ts';

const market = marketOf('ABC');
const items = randomItems(21, 2_000);
const cut =
  items.findIndex((item, at) => at > 1_400 && 'endsMessage' in item && item.endsMessage) + 1;
const cutMicros = items[cut]?.atMicros ?? 0;
const strategiesFolder = join(import.meta.dirname, '../../strategies');
let folder = '';
let whole: Backtest;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-following-'));
  writeMarket(folder, 'whole.mrec', market, items);
  writeMarket(folder, 'one.mrec', market, items.slice(0, cut));
  writeMarket(folder, 'two.mrec', market, continued(0));
  whole = await run('whole.mrec');
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The items from the cut on, delayed, after the book at the cut. */
function continued(laterMicros: number): FlowItem[] {
  const encoder = new BlockEncoder();
  for (const item of items.slice(0, cut)) encoder.add(item);
  const { block, ids } = encoder.resting();
  const orders = ids.map(
    (id, index): RestingOrder => ({
      id,
      side: index < block.bids ? 'BID' : 'ASK',
      price: block.prices[index] as Ticks,
      volume: block.volumes[index] as Lots,
    }),
  );
  const start: FlowItem = { kind: 'snapshot', atMicros: cutMicros, status: 'ACTIVE', orders };
  return laterBy(laterMicros, [start, ...items.slice(cut)]);
}

async function run(recording: string, part: Partial<ScenarioSettings> = {}): Promise<Backtest> {
  const path = join(folder, 'scenario.yaml');
  const text = scenarioText()
    .replace(/data: \{[^}]*\}/u, `data: { kind: recording, recording: ${recording} }`)
    .replace(/market: \{[^}]*\}/u, 'market: { pair: ABCEUR }');
  writeFileSync(path, text);
  const { source: _source, ...scenario } = loadScenario(path);
  return runBacktest({
    scenario: { ...scenario, ...part },
    dataFolder: folder,
    strategiesFolder,
  });
}

const tapeOf = ({ run: { marketRuns } }: Backtest) => {
  const [marketRun] = marketRuns;
  if (marketRun === undefined) throw new RangeError('there must be a market');
  return orderHistoryOf(marketRun.feed.accountMarket.replay);
};

const bookOf = (model: ReturnType<typeof tapeOf>) => {
  const book = new Book();
  loadResting(book, model.resting());
  return book;
};

test('two recordings in any order give the book and the trades of the whole', async () => {
  const both = await run('[one.mrec, two.mrec]');
  expect(queuesOf(bookOf(tapeOf(both)))).toEqual(queuesOf(bookOf(tapeOf(whole))));
  expect(both.result.history).toMatchObject({ unknownOrders: 0, impossibleRows: 0 });
  expect(both.result.history?.trades).toBe(whole.result.history?.trades);
  expect(both.run.lastRowMicros).toBe(whole.run.lastRowMicros);
  const swapped = await run('[two.mrec, one.mrec]');
  expect(swapped.hash).toBe(both.hash);
}, 60_000);

test('resting orders go to the back at the gap; before it the run equals the uncut one', async () => {
  const both = await run('[one.mrec, two.mrec]');
  expect(both.result.gaps).toMatchObject({ count: 1, kept: 0 });
  expect(both.result.gaps?.wentBehind).toBeGreaterThan(0);
  const fillsBefore = ({ run: played }: Backtest) =>
    [...played.store.fills()].filter(({ tradedMs }) => tradedMs * 1_000 < cutMicros);
  expect(fillsBefore(both)).toEqual(fillsBefore(whole));
  expect(fillsBefore(both).length).toBeGreaterThan(20);
  expect(both.result.fills).toBeGreaterThan(fillsBefore(both).length);
  expect(both.result).toMatchObject({ positionDifference: '0', balanceDifference: '0' });
}, 60_000);

test('nothing is traded in a gap between two recordings', async () => {
  const hole = 3_600_000_000;
  writeMarket(folder, 'after.mrec', market, continued(hole));
  const { result, run: played } = await run('[one.mrec, after.mrec]');
  const fills = [...played.store.fills()].map(({ tradedMs }) => tradedMs * 1_000);
  expect(fills.filter((at) => at > cutMicros && at < cutMicros + hole)).toEqual([]);
  expect(fills.some((at) => at > cutMicros + hole)).toBe(true);
  const orders = [...played.store.orders()].map(({ createdMs }) => createdMs * 1_000);
  expect(orders.filter((at) => at > cutMicros + 1_000_000 && at < cutMicros + hole)).toEqual([]);
  expect(result.gaps?.count).toBe(1);
  await expect(
    run('[one.mrec, after.mrec]', { fromMs: Math.ceil(cutMicros / 1_000) + 1_000 }),
  ).rejects.toThrow(
    /nothing is recorded at the start of .*2023-.*one\.mrec ends at .*after\.mrec begins at/u,
  );
}, 60_000);

test('a range within the second recording is played from it alone', async () => {
  const fromMs = Math.ceil(cutMicros / 1_000) + 10_000;
  const [alone, both] = [
    await run('two.mrec', { fromMs }),
    await run('[one.mrec, two.mrec]', { fromMs }),
  ];
  expect(both.result).toEqual(alone.result);
  const toMs = Math.floor(cutMicros / 1_000) - 10_000;
  const [first, until] = [
    await run('one.mrec', { toMs }),
    await run('[one.mrec, two.mrec]', { toMs }),
  ];
  expect(until.hash).toBe(first.hash);
}, 60_000);

test('recordings that overlap or have different rules are refused', async () => {
  await expect(run('[whole.mrec, two.mrec]')).rejects.toThrow(
    /whole\.mrec ends at 2023-.*two\.mrec begins at 2023-.*must not overlap/u,
  );
  const coarser = marketOf('ABC', { volumeMin: 2 as Lots });
  writeMarket(folder, 'other.mrec', coarser, continued(0), 'capture');
  writeMarket(folder, 'own.mrec', market, items.slice(0, cut), 'capture');
  await expect(run('[own.mrec, other.mrec]')).rejects.toThrow(
    /other\.mrec: has volumeMin 2, .*own\.mrec has 1; a market must keep its rules/u,
  );
});
