/**
 * Recordings of trades and of candles beside others: several markets on one account, each with the
 * fill model of its own data, and consecutive recordings.
 *
 * Method: two synthetic markets, one as order flow or its trades, the other as bars. A strategy
 * that trades one of them must act as it does when that market is alone.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backtest, runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { Output } from '../../src/terminal/output.ts';
import { barLines, coarseScenario, tradeLines, writeCoarse } from '../support/coarse-recordings.ts';
import { packageRoot, workspace } from '../support/package-root.ts';
import { pageContentIn } from '../support/page-content.ts';
import { printed } from '../support/printed.ts';
import { marketOf, randomItems, severalText, writeMarket } from '../support/several-markets.ts';

const actions = 1_500;
const trades = '{ halfSpread: "0.02", volumeShare: "10%" }';
const candles = '{ halfSpread: "0.02", volumeShare: "10%", interval: "10s" }';
const abcOrders = 'ABCEUR: { recording: orders.mrec }';
const abcTrades = `ABCEUR: { recording: trades.mrec, fillModel: ${trades} }`;
const xyzCandles = `XYZEUR: { recording: candles.mrec, fillModel: ${candles} }`;
const strategiesFolder = join(packageRoot, 'strategies');

let folder = '';
let span = { from: '', to: '' };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-coarse-several-'));
  const [traded, barred] = [tradeLines(3, actions), barLines(4, actions, 10)];
  writeMarket(folder, 'orders.mrec', marketOf('ABC'), randomItems(3, actions));
  await writeCoarse(folder, 'trades', traded);
  await writeCoarse(folder, 'candles', barred, { base: 'XYZ' });
  await writeCoarse(folder, 'candles', barred.slice(0, 13), { name: 'few', base: 'XYZ' });
  const half = Math.floor(traded.length / 2);
  await writeCoarse(folder, 'trades', traded.slice(0, half), { name: 'one' });
  await writeCoarse(folder, 'trades', [traded[0] ?? '', ...traded.slice(half)], { name: 'two' });
  await writeCoarse(folder, 'candles', barred.slice(0, 9), { name: 'bars-one' });
  await writeCoarse(folder, 'candles', [barred[0] ?? '', ...barred.slice(9)], { name: 'bars-two' });
  await writeCoarse(folder, 'candles', barred, { name: 'bars' });
  const late = [barred[0] ?? '', barred.at(-1) ?? ''];
  await writeCoarse(folder, 'candles', late, { name: 'bars-late' });
  // Within both recordings, whatever their grade.
  const at = (line: string | undefined, ms: number): string =>
    new Date(Math.floor(Number.parseInt(line ?? '', 10) / 1_000) + ms).toISOString();
  span = { from: at(barred[3], 0), to: at(barred.at(-3), 10_000) };
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function strategyOf(base: string): string {
  return `  mm-${base.toLowerCase()}:
    plugin: simple-mm
    pairs: [${base}EUR]
    parameters: { halfSpread: "3bps", size: "10", refresh: "10s", tolerance: "4bps" }
    budget: { ${base}: "200", EUR: "100000" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }`;
}

/**
 * Writes a scenario of markets, and a strategy for each of the bases. Calls are not limited,
 * because all markets would share one budget.
 */
function written(lines: readonly string[], bases: readonly string[] = ['ABC', 'XYZ']): string {
  const text = severalText(lines, bases.map(strategyOf).join('\n'))
    .replace(/latencies: .*/u, 'latencies: { feed: "1ms", request: "2ms", answer: "2ms" }')
    .replace(
      'seed:',
      `from: "${span.from}"\nto: "${span.to}"\nprofile: { from: luno, calls: unlimited }\nseed:`,
    )
    .replace(/ {4}(\w+): \{ orderBaseMax.*\n/gu, (line, pair: string) =>
      bases.includes(pair.slice(0, 3)) ? line : '',
    )
    .replace(/(?:ABC|XYZ): "500",? ?/gu, (balance) =>
      lines.join().includes(`${balance.slice(0, 3)}EUR`) ? balance : '',
    );
  const path = join(folder, 'scenario.yaml');
  writeFileSync(path, text);
  return path;
}

function run(path: string): Promise<Backtest> {
  const { source: _source, ...scenario } = loadScenario(path);
  return runBacktest({ scenario, dataFolder: folder, strategiesFolder });
}

/** The fills of a market before the end, where the compared runs stop. */
function fillsIn(backtest: Backtest, pair: string) {
  const endMs = Date.parse(span.to) - 15_000;
  return [...backtest.run.store.fills()]
    .filter((fill) => fill.pair === pair && fill.tradedMs < endMs)
    .map(({ side, price, base, maker, tradedMs }) => [side, price, base, maker, tradedMs]);
}

test.each([
  ['trades', abcTrades],
  ['orders', abcOrders],
])(
  'bars beside %s: each market gives the same as alone',
  async (_, abc) => {
    const lines = { ABC: abc, XYZ: xyzCandles };
    for (const base of ['ABC', 'XYZ'] as const) {
      const both = await run(written([abc, xyzCandles], [base]));
      const alone = await run(written([lines[base]], [base]));
      const pair = `${base}EUR`;
      expect(fillsIn(alone, pair).length, pair).toBeGreaterThan(5);
      expect(fillsIn(both, pair), pair).toEqual(fillsIn(alone, pair));
      const one = both.result.markets?.find((market) => market.pair === pair);
      expect(one?.rows).toBe(alone.result.rows);
    }
  },
  60_000,
);

test('one account pays for trades, bars and orders, whatever the order of the file', async () => {
  const both = await run(written([abcTrades, xyzCandles]));
  for (const { fills, pair } of both.result.markets ?? []) expect(fills, pair).toBeGreaterThan(5);
  expect(both.result.incidents).toEqual({});
  expect(both.result.openOrdersAtExit).toBe(0);
  expect(both.result.accountDifferences).toEqual({ ABC: '0', EUR: '0', XYZ: '0' });
  expect((await run(written([xyzCandles, abcTrades]))).hash).toBe(both.hash);
}, 60_000);

test.each([
  ['candles', Infinity],
  ['few', 12],
])('bars in %s are played if they have ended by then', async (name, most) => {
  const path = written([abcTrades, xyzCandles.replace('candles.mrec', `${name}.mrec`)]);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^(from|to): .*\n/gmu, ''));
  const { result } = await run(path);
  const timesOf = (lines: readonly string[]): readonly number[] =>
    lines.slice(1).map((line) => Number.parseInt(line, 10));
  const [traded, barred] = [tradeLines(3, actions), barLines(4, actions, 10)].map(timesOf);
  const [first = 0, last = 0] = [traded?.at(0), traded?.at(-1)];
  const recorded = barred?.slice(0, most) ?? [];
  const bars = recorded.filter((start) => {
    const end = start + 9_999_999;
    return end >= first && end <= last;
  });
  expect(bars.length).toBeGreaterThan(5);
  expect(result.markets?.[1]?.rows).toBe(bars.length);
});

test('every report begins with the grade of each market', async () => {
  const told = async (isJson: boolean): Promise<string> => {
    const stdout = new PassThrough();
    const output = new Output({ workspace, isJson, stdout, stderr: new PassThrough() });
    const scenario = written([abcTrades, xyzCandles]);
    const code = await runBacktestCommand({ scenario, workspace, output, graceMs: 60_000 });
    expect(code).toBe(0);
    return printed(stdout);
  };
  const result = JSON.parse(await told(true));
  expect(Object.keys(result)[0]).toBe('coarseDataByPair');
  expect(result.coarseDataByPair).toMatchObject({
    ABCEUR: { grade: 'trades' },
    XYZEUR: { grade: 'candles', intervalSeconds: 10 },
  });
  expect(result).not.toHaveProperty('history');
  for (const market of result.markets) expect(market).not.toHaveProperty('history');
  for (const pair of ['ABCEUR', 'XYZEUR'])
    expect(result.metrics[pair].maker).not.toHaveProperty('aheadAtRest');
  const page = pageContentIn(result.report);
  expect(page.markets.map(({ pair, coarse }) => [pair, coarse?.grade])).toEqual([
    ['ABCEUR', 'trades'],
    ['XYZEUR', 'candles'],
  ]);
  const shown = JSON.stringify([page.markets.map(({ tables }) => tables), page.notes]);
  expect(shown).not.toMatch(/NaN|undefined|History and our orders|the recorded queue/u);
  const lines = await told(false);
  const table = lines.slice(lines.search(/^$/mu)).trimStart().split('\n');
  expect(table[0]).toMatch(/^coarse data +ABCEUR, trades: /u);
  expect(table[5]).toMatch(/^coarse data +XYZEUR, candles: /u);
});

test('order-by-order data beside bars keeps its own figures', async () => {
  const { result } = await run(written([abcOrders, xyzCandles]));
  expect(Object.keys(result.coarseDataByPair ?? {})).toEqual(['XYZEUR']);
  expect(result.markets?.map(({ history }) => history !== undefined)).toEqual([true, false]);
  expect(result).not.toHaveProperty('history');
});

test.each([
  ['trades.mrec', '[two.mrec, one.mrec]', trades, 1_000],
  ['bars.mrec', '[bars-one.mrec, bars-two.mrec]', candles, 0],
  ['bars.mrec', '[bars-one.mrec, bars-two.mrec]', candles, 20_000],
])(
  '%s in two recordings is as the whole',
  async (one, both, fillModel, latencyUs) => {
    const path = join(folder, 'following.yaml');
    const of = (recording: string): Promise<Backtest> => {
      writeFileSync(path, coarseScenario(recording, fillModel, latencyUs));
      return run(path);
    };
    const [whole, parts] = [await of(one), await of(both)];
    expect(whole.result.fills).toBeGreaterThan(5);
    expect(parts.result).toEqual(whole.result);
    expect(parts.hash).toBe(whole.hash);
  },
  60_000,
);

test('without a bar, a cancel also takes effect at the end of its interval', async () => {
  const bars = barLines(4, actions, 10);
  const holed = bars.filter((_, index) => index < 8 || index > 16);
  await writeCoarse(folder, 'candles', holed, { name: 'holed' });
  const path = join(folder, 'holed.yaml');
  writeFileSync(path, coarseScenario('holed.mrec', candles, 20_000));
  const { run: played } = await run(path);
  const [hole = 0, end = 0] = [holed[7], holed[8]].map((line) => Number.parseInt(line ?? '', 10));
  const cancelled = [...played.store.orders()].flatMap(({ orderId, cancelRequestedMs = 0 }) => {
    const order = played.marketRuns[0]?.feed.accountMarket.orders.get(orderId ?? '');
    const isWithin = cancelRequestedMs * 1_000 > hole + 1e7 && cancelRequestedMs * 1_000 < end;
    return order !== undefined && isWithin ? [order.completedMs - cancelRequestedMs] : [];
  });
  expect(cancelled.length).toBeGreaterThan(0);
  expect(Math.max(...cancelled)).toBeLessThanOrEqual(10_040);
});

test('the quoted time is that of our orders, however far apart rows are', async () => {
  const path = join(folder, 'quoted.yaml');
  writeFileSync(path, coarseScenario('trades.mrec', trades));
  const { run: played, recorders } = await run(path);
  const bids = [...(played.marketRuns[0]?.feed.accountMarket.orders.values() ?? [])]
    .filter(({ side }) => side === 'BID')
    .sort((a, b) => a.createdMs - b.createdMs);
  let [quotedMs, untilMs] = [0, 0];
  for (const { createdMs, completedMs } of bids) {
    quotedMs += Math.max(0, completedMs - Math.max(createdMs, untilMs));
    untilMs = Math.max(untilMs, completedMs);
  }
  expect(bids.length).toBeGreaterThan(20);
  const heardMs = (recorders[0]?.presence.BID.quoted ?? 0) / 1_000;
  expect(Math.abs(heardMs - quotedMs)).toBeLessThan(2 * bids.length);
});

test('a recording of long bars ends without open orders', async () => {
  const hour = 3_600_000_000;
  const bars = [0, 1, 2].map((hours) => [hours * hour, '100.00,101.00,99.00,100.00,500'].join(','));
  const lines = ['time_us,open,high,low,close,volume', ...bars];
  await writeCoarse(folder, 'candles', lines, { name: 'hours' });
  const path = join(folder, 'hours.yaml');
  const text = coarseScenario('hours.mrec', candles.replace('10s', '1h'), 20_000);
  // Quotes rest until the end.
  writeFileSync(path, text.replace('bookAgeMax: "30s"', 'bookAgeMax: "2h"'));
  const { result, run: played } = await run(path);
  expect(result).toMatchObject({ rows: 3, openOrdersAtExit: 0, positionDifference: '0' });
  expect(result.ordersAccepted).toBeGreaterThan(0);
  expect(played.nowMicros).toBeLessThan(3 * hour + 60_000_000);
});

test('recordings that do not match are refused', async () => {
  const path = join(folder, 'wrong.yaml');
  const of = (recording: string, fillModel: string): Promise<Backtest> => {
    writeFileSync(path, coarseScenario(recording, fillModel));
    return run(path);
  };
  await expect(of('[one.mrec, bars-late.mrec]', trades)).rejects.toThrow(
    /has grade candles, but .*one\.mrec has trades/u,
  );
  // The recording defines the tick.
  writeFileSync(path, coarseScenario('trades.mrec', trades.replace('0.02', '0.005')));
  const named = readFileSync(path, 'utf8').replace(/market: .*\n.*/u, 'market: { pair: ABCEUR }');
  writeFileSync(path, named);
  await expect(run(path)).rejects.toThrow(/halfSpread was "0.005"; allowed: at most 2 decimals/u);
  await expect(run(written(['ABCEUR: { recording: trades.mrec }', xyzCandles]))).rejects.toThrow(
    /trades\.mrec: holds only trades, which cannot prove a fill.*fillModel/u,
  );
});
