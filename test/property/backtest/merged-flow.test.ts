/**
 * Merged histories have all rows in the order of (time, market, sequence).
 *
 * Method: random markets with many equal times, in messages and blocks of random lengths; the order
 * in which a run plays the rows is compared with a plain sort of all rows.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BacktestRun } from '../../../src/backtest/run/backtest-run.ts';
import { startOf } from '../../../src/backtest/run/backtest-start.ts';
import { playMerged } from '../../../src/backtest/run/merged-flow.ts';
import { type FlowBlock, type RestingBlock, rowKind } from '../../../src/market/flow/flow-block.ts';
import { FlowBlockBuilder } from '../../../src/recording/file/flow-block-builder.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { orderHistoryOf } from '../../support/encoded-history.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { marketOf, severalText } from '../../support/several-markets.ts';

const startMicros = 1_675_733_400_000_000;
const emptyBook: RestingBlock = {
  bids: 0,
  status: 0,
  slots: new Uint32Array(0),
  prices: new Float64Array(0),
  volumes: new Float64Array(0),
};

type Row = { readonly market: number; readonly place: number; readonly atMicros: number };

function scenarioFor(bases: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-merged-'));
  const path = join(folder, 'scenario.yaml');
  writeFileSync(path, severalText(['ABCEUR: { recording: a }', 'XYZEUR: { recording: x }']));
  const { source: _source, ...scenario } = loadScenario(path);
  rmSync(folder, { recursive: true });
  const [settings] = scenario.markets;
  const markets = bases.map((base) => ({ ...settings, pair: `${base}EUR` }) as typeof settings);
  const balances = Object.fromEntries(['EUR', ...bases].map((currency) => [currency, '0']));
  return {
    ...scenario,
    strategies: [],
    markets: markets.filter((one) => one !== undefined),
    balances,
  };
}

/** Creates rows of one market and the blocks that contain them. */
function historyOf(random: SeededRandom, market: number): [Row[], FlowBlock[]] {
  const rows: Row[] = [];
  const blocks: FlowBlock[] = [];
  let atMicros = startMicros;
  let builder = new FlowBlockBuilder(0, atMicros);
  for (let messages = random.integer(0, 60); messages > 0; messages--) {
    for (let left = random.integer(1, 3); left > 0; left--) {
      atMicros += random.integer(0, 2);
      const slot = rows.length + 1;
      const [price, volume] = [slot, 1];
      const place = { slot, isAsk: false, endsMessage: left === 1, price, volume };
      builder.add({ ...place, kind: rowKind.create, atMicros });
      rows.push({ market, place: slot, atMicros });
    }
    if (random.fraction() > 0.2) continue;
    blocks.push(builder.take().block);
    builder = new FlowBlockBuilder(rows.length, atMicros);
  }
  if (builder.rows > 0) blocks.push(builder.take().block);
  return [rows, blocks];
}

async function* each(blocks: readonly FlowBlock[]): AsyncGenerator<FlowBlock, void> {
  yield* blocks;
}

test.each([1, 2, 3, 5])('%d markets are merged by time, then market, then place', async (count) => {
  const bases = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'].slice(0, count);
  const scenario = scenarioFor(bases);
  const markets = bases.map((base) => marketOf(base));
  const rates = { maker: '0', taker: '0' };
  const orders = { kind: 'orders' } as const;
  for (let seed = 1; seed <= 60; seed++) {
    const random = new SeededRandom(seed * 100 + count);
    const histories = bases.map((_, market) => historyOf(random, market));
    const received: Row[] = [];
    const places = bases.map(() => 0);
    const run = new BacktestRun({
      start: startOf(scenario, markets, startMicros),
      plugins: new Map(),
      exchange: { balances: scenario.balances, latencies: scenario.latencies, seed },
      markets: markets.map((market) => ({ market, rates, resting: emptyBook, data: orders })),
      onNotice: () => {},
      // Called with the last of the rows of one message and time.
      onRow: ({ atMicros }, { index, cursor }) => {
        for (let place = (places[index] ?? 0) + 1; place <= cursor.sequence; place++)
          received.push({ market: index, place, atMicros });
        places[index] = cursor.sequence;
      },
    });
    run.start();
    for await (const _ of playMerged(
      run,
      histories.map(([, blocks]) => each(blocks)),
    ));
    const expected = histories
      .flatMap(([rows]) => rows)
      .sort((a, b) => a.atMicros - b.atMicros || a.market - b.market || a.place - b.place);
    expect(received).toEqual(expected);
    expect(run.rows).toBe(expected.length);
    // Each book has only its own rows.
    const books = run.marketRuns.map(({ feed }) =>
      orderHistoryOf(feed.accountMarket.replay).resting(),
    );
    expect(books.map(({ slots }) => slots.length)).toEqual(histories.map(([rows]) => rows.length));
  }
});
