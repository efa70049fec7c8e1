/**
 * Paper trading over the live streams of two markets, on one account, fills like a backtest over
 * the compiled captures of both.
 *
 * Method: each frame of either market has its own millisecond, and latencies are not whole
 * milliseconds, because simultaneous events would have no defined order.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunBook } from '../../../src/backtest/compare/run-book.ts';
import { StreamRun } from '../../../src/backtest/compare/stream-run.ts';
import { startOf } from '../../../src/backtest/run/backtest-start.ts';
import { runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import type { BookMessage } from '../../../src/domain/book-message.ts';
import type { ScenarioSettings } from '../../../src/domain/scenario-settings.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { prepareStrategy } from '../../../src/strategy/loader.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import {
  createSpread,
  simulatedMarket,
  streamMarkets,
  writeRecordings,
} from '../../support/first-recording.ts';
import { withSecondMarket } from '../../support/second-market.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const strategiesFolder = join(root, 'strategies');
const folder = mkdtempSync(join(tmpdir(), 'millrace-two-'));
const seconds = 600;
/** In the order of the scenario's markets. */
const pairs = ['ETHXBT', 'XBTZAR'];
const latencies = {
  feedUs: 3_337,
  request: { kind: 'fixed', us: 4_211 },
  answer: { kind: 'fixed', us: 6_113 },
} as const;

type Frame = { readonly pair: string; readonly text: string; readonly atMicros: number };

let frames: Frame[] = [];
let scenario: ScenarioSettings;

function stampMicrosOf(message: BookMessage): number {
  const { timestamp } = message.kind === 'snapshot' ? message.snapshot : message.update;
  return timestamp * 1_000;
}

beforeAll(async () => {
  const paths = pairs.map((pair) => [pair, join(folder, `${pair}.mrec`)] as const);
  await writeRecordings(Object.fromEntries(paths), seconds, createSpread());
  const spread = createSpread();
  streamMarkets(pairs, seconds, (pair, _, streamed) => {
    const text = spread(streamed);
    const message = marketFramesOf().decode(text);
    frames.push({ pair, text, atMicros: stampMicrosOf(message) });
  });
  // A backtest plays the time that both markets cover.
  const ends = pairs.map((pair) => frames.findLast((one) => one.pair === pair)?.atMicros ?? 0);
  frames = frames.filter(({ atMicros }) => atMicros <= Math.min(...ends));
  const path = join(folder, 'scenario.yaml');
  const first = readFileSync(join(root, 'backtests/first/scenario.yaml'), 'utf8');
  writeFileSync(path, withSecondMarket(first));
  const { source: _, ...loaded } = loadScenario(path);
  const { feedUs, request, answer } = latencies;
  const feed = { kind: 'fixed', us: feedUs } as const;
  scenario = { ...loaded, latencies: { feed, request, answer } };
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Resting = { readonly id: string; readonly price: string; readonly volume: string };
type Update = {
  readonly sequence: string;
  readonly trade_updates: readonly { readonly base: string; readonly maker_order_id: string }[];
  readonly delete_update?: { readonly order_id: string } | null;
  readonly create_update?: (Omit<Resting, 'id'> & { order_id: string; type: string }) | null;
};

/** Returns the book after these frames as a snapshot, with which the backtest begins. */
function snapshotOf([first, ...updates]: readonly Frame[]): Frame {
  if (first === undefined) throw new RangeError('a stream begins with its book');
  const written = JSON.parse(first.text) as { bids: Resting[]; asks: Resting[] };
  let { bids, asks } = written;
  let sequence = '';
  const change = (id: string, to: (volume: number) => number): void => {
    const changed = (side: readonly Resting[]): Resting[] =>
      side
        .map((one) => ({ ...one, left: one.id === id ? to(Number.parseFloat(one.volume)) : 1 }))
        .filter(({ left }) => left > 1e-9)
        .map(({ left, ...one }) => (one.id === id ? { ...one, volume: left.toFixed(6) } : one));
    [bids, asks] = [changed(bids), changed(asks)];
  };
  for (const { text } of updates) {
    const update = JSON.parse(text) as Update;
    sequence = update.sequence;
    for (const { base, maker_order_id: id } of update.trade_updates)
      change(id, (volume) => volume - Number.parseFloat(base));
    if (update.delete_update) change(update.delete_update.order_id, () => 0);
    if (!update.create_update) continue;
    const { order_id: id, type, price, volume } = update.create_update;
    (type === 'BID' ? bids : asks).push({ id, price, volume });
  }
  if (updates.length === 0) return first;
  const by = (sign: number) => (a: Resting, b: Resting) =>
    sign * (Number.parseFloat(a.price) - Number.parseFloat(b.price));
  const book = { ...written, sequence, bids: bids.sort(by(-1)), asks: asks.sort(by(1)) };
  return { ...first, text: JSON.stringify(book) };
}

async function paperFrom(startMicros: number) {
  const plugins = new Map();
  for (const settings of scenario.strategies)
    plugins.set(settings.id, await prepareStrategy({ folder: strategiesFolder, settings }));
  const markets = pairs.map((pair) => simulatedMarket(pair));
  const run = new StreamRun({
    start: startOf(scenario, markets, startMicros),
    plugins,
    paper: {
      profile: lunoProfile,
      markets: markets.map((market, index) => ({
        market,
        fees: scenario.markets[index]?.fees ?? { maker: '0', taker: '0' },
      })),
      ...{ balances: scenario.balances, latencies, seed: scenario.seed },
    },
  });
  let lastMicros = startMicros;
  const play = ({ pair, text, atMicros }: Frame): void => {
    lastMicros = Math.max(lastMicros, atMicros);
    const message = marketFramesOf().decode(text);
    run.play(lastMicros, { kind: 'market-frame', pair, text, message });
  };
  for (const pair of pairs) {
    run.play(startMicros, { kind: 'market-opened', pair });
    // The first books are known at the start.
    play(snapshotOf(frames.filter((one) => one.pair === pair && one.atMicros < startMicros)));
  }
  for (const frame of frames)
    if (frame.atMicros >= startMicros)
      play({ ...frame, atMicros: frame.atMicros + latencies.feedUs });
  run.play(lastMicros + 1, { kind: 'operator', command: 'stop', reason: 'the recording is over' });
  run.finish(Infinity);
  return run.book.orders(0);
}

test('paper trading in two markets places and fills like the backtest over both', async () => {
  const book = new RunBook();
  const { startMicros } = await runBacktest({
    ...{ scenario, dataFolder: '', strategiesFolder },
    onRecords: (records) => book.note(records),
  });
  const orders = book.orders(0);
  const paper = await paperFrom(startMicros);
  const fillsOf = (run: typeof orders) => run.flatMap(({ fills }) => fills);
  for (const pair of pairs)
    expect(fillsOf(orders).filter((fill) => fill.pair === pair).length).toBeGreaterThan(20);
  expect(paper.map(({ row }) => row.clientOrderId)).toEqual(
    orders.map(({ row }) => row.clientOrderId),
  );
  expect(fillsOf(paper)).toEqual(fillsOf(orders));
}, 60_000);
