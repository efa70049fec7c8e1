/**
 * One account over several recordings: figures add up and follow from the recordings alone, and
 * events in one market do not stop the others.
 *
 * Method: random consistent order flow of two synthetic markets, including equal times, and a
 * strategy that quotes in one and hedges in the other.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLookAhead } from '../../src/backtest/check/look-ahead.ts';
import { metricsOf } from '../../src/backtest/metrics/run-metrics.ts';
import { type Backtest, runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { ScenarioSettings } from '../../src/domain/scenario-settings.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import {
  laterBy,
  marketOf,
  randomItems,
  severalText,
  writeMarket,
} from '../support/several-markets.ts';

const strategiesFolder = join(import.meta.dirname, '../fixtures/strategies');
const abcLine = 'ABCEUR: { recording: abc.mrec }';
const xyzLine = 'XYZEUR: { recording: xyz.mrec, fees: { maker: "0bps", taker: "10bps" } }';
const [abc, xyz] = [marketOf('ABC'), marketOf('XYZ')];
const [abcItems, xyzItems] = [randomItems(11, 2_000), randomItems(12, 2_000)];

let folder = '';
let first: Backtest;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-several-'));
  writeMarket(folder, 'abc.mrec', abc, abcItems);
  writeMarket(folder, 'xyz.mrec', xyz, xyzItems);
  first = await run([abcLine, xyzLine]);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function scenarioOf(markets: readonly string[]): ScenarioSettings {
  const path = join(folder, 'scenario.yaml');
  writeFileSync(path, severalText(markets));
  const { source: _source, ...scenario } = loadScenario(path);
  return scenario;
}

async function run(
  markets: readonly string[],
  part: Partial<ScenarioSettings> = {},
): Promise<Backtest> {
  const scenario = { ...scenarioOf(markets), ...part };
  return runBacktest({ scenario, dataFolder: folder, strategiesFolder });
}

test('a strategy of two pairs is filled in both, and one account pays for it', () => {
  const { result, run: played } = first;
  const [inAbc, inXyz] = result.markets ?? [];
  expect(inAbc).toMatchObject({ pair: 'ABCEUR', takerFills: 0, positionDifference: '0' });
  expect(inXyz).toMatchObject({ pair: 'XYZEUR', makerFills: 0, balanceDifference: '0' });
  expect(inAbc?.makerFills).toBeGreaterThan(20);
  expect(inXyz?.takerFills).toBeGreaterThan(20);
  expect(result).toMatchObject({
    pair: 'ABCEUR, XYZEUR',
    position: null,
    balanceDifference: '0',
    accountDifferences: { ABC: '0', XYZ: '0', EUR: '0' },
    openOrdersAtExit: 0,
  });
  expect(result.incidents).toEqual({});
  expect(result.fills).toBe((inAbc?.fills ?? 0) + (inXyz?.fills ?? 0));
  expect(result.rows).toBe((inAbc?.rows ?? 0) + (inXyz?.rows ?? 0));
  // Ids belong to the account, across markets.
  const accountMarkets = [...played.port.account.markets.values()];
  const ids = accountMarkets.flatMap(({ orders }) => [...orders.keys()]);
  expect(ids.length).toBeGreaterThan(20);
  expect(new Set(ids).size).toBe(ids.length);
  const accepted = accountMarkets.reduce((sum, { orderCount }) => sum + orderCount, 0);
  expect(result.ordersAccepted).toBe(accepted);
});

test('each market has its own fees', () => {
  const fills = [...first.run.store.fills()];
  for (const { pair, side, counter, volume, feeBase, feeCounter } of fills) {
    const rate = pair === 'ABCEUR' ? 0.0005 : 0.001;
    const paid = Number.parseFloat(side === 'BID' ? feeBase : feeCounter);
    const received = Number.parseFloat(side === 'BID' ? volume : counter);
    expect(Math.abs(paid - received * rate)).toBeLessThanOrEqual(0.005 + 1e-9);
  }
});

test('the profit share refers to the whole account, which both markets share', () => {
  const { run: played, recorders } = first;
  // At the first mid there were 500 of each base currency, and 500,000 EUR.
  const bases = recorders.map(({ samples }) => {
    const { bid, ask } = samples.find((one) => one.bid && one.ask) ?? {};
    return (500 * ((bid ?? 0) + (ask ?? 0))) / 200;
  });
  const worth = bases.reduce((sum, one) => sum + one, 500_000);
  for (const { index, feed } of played.marketRuns) {
    const recorder = recorders[index];
    if (recorder === undefined) throw new RangeError('both are watched');
    const run = { coarseData: undefined, cautions: [], recorders };
    const { trader } = metricsOf(recorder, feed.accountMarket, run);
    expect(Number(trader.profit)).not.toBe(0);
    expect(trader.profitShare).toBeCloseTo(Number(trader.profit) / worth, 6);
  }
});

test('the order of the markets in the file does not matter, their contents do', async () => {
  expect((await run([abcLine, xyzLine])).hash).toBe(first.hash);
  const swapped = await run([xyzLine, abcLine]);
  expect(swapped.result).toEqual(first.result);
  expect(swapped.hash).toBe(first.hash);
  writeMarket(folder, 'other.mrec', xyz, randomItems(13, 2_000));
  const other = await run([abcLine, xyzLine.replace('xyz.mrec', 'other.mrec')]);
  expect(other.hash).not.toBe(first.hash);
}, 60_000);

test('a range is restored from checkpoints in each, and equals that part of the whole', async () => {
  const startMs = Math.ceil(first.startMicros / 1_000);
  const { result, startMicros } = await run([abcLine, xyzLine], {
    fromMs: startMs + 60_000,
    toMs: startMs + 180_000,
  });
  expect(startMicros).toBe((startMs + 60_000) * 1_000);
  const inRange = (items: readonly FlowItem[]): number =>
    items.filter(({ atMicros }) => atMicros >= startMicros && atMicros <= startMicros + 120_000_000)
      .length;
  expect(result.markets?.map(({ rows }) => rows)).toEqual([inRange(abcItems), inRange(xyzItems)]);
  for (const { history } of result.markets ?? [])
    expect(history).toMatchObject({ unknownOrders: 0, impossibleRows: 0 });
});

test('time that only one market covers is not played', async () => {
  const laterItems = laterBy(100_000_000, xyzItems);
  writeMarket(folder, 'later.mrec', xyz, laterItems);
  const {
    startMicros,
    result,
    run: played,
  } = await run([abcLine, xyzLine.replace('xyz.mrec', 'later.mrec')]);
  expect(startMicros).toBe(laterItems[0]?.atMicros);
  const endMicros = abcItems.at(-1)?.atMicros ?? 0;
  expect(played.lastRowMicros).toBe(endMicros);
  expect(result.markets?.map(({ rows }) => rows)).toEqual([
    abcItems.filter(({ atMicros }) => atMicros >= startMicros).length,
    laterItems.filter(({ atMicros }) => atMicros <= endMicros).length,
  ]);
}, 60_000);

test('a gap in one market does not stop the other', async () => {
  const cut = 900;
  const at = abcItems[cut]?.atMicros ?? 0;
  const until = at + 60_000_000;
  const gap: FlowItem = { kind: 'gap', atMicros: at };
  const lost = abcItems.filter(({ atMicros }) => atMicros < at);
  const back: FlowItem = { kind: 'snapshot', atMicros: until, status: 'ACTIVE', orders: [] };
  const after = abcItems.filter(({ atMicros }) => atMicros > until).flatMap(createdAnew());
  writeMarket(folder, 'gap.mrec', abc, [...lost, gap, back, ...after]);
  const { result, run: played } = await run([abcLine.replace('abc.mrec', 'gap.mrec'), xyzLine]);
  const [inAbc, inXyz] = result.markets ?? [];
  expect(inAbc?.gaps?.count).toBe(1);
  expect(inXyz?.gaps).toBeUndefined();
  expect(inXyz?.rows).toBe(first.result.markets?.[1]?.rows);
  expect(result.accountDifferences).toEqual({ ABC: '0', XYZ: '0', EUR: '0' });
  const times = [...played.store.fills()].map(({ tradedMs }) => tradedMs * 1_000);
  expect(times.some((time) => time > until)).toBe(true);
}, 60_000);

/** After an empty book, rows can only refer to orders created since. */
function createdAnew(): (item: FlowItem) => readonly FlowItem[] {
  const made = new Set<string>();
  return (item) => {
    if (item.kind === 'create') made.add(item.id);
    const id = item.kind === 'trade' ? item.makerId : 'id' in item ? item.id : '';
    return made.has(id) ? [item] : [];
  };
}

test('a market in post-only mode refuses takers, and the other continues', async () => {
  const [shutMicros, openMicros] = [200, 300].map((after) => first.startMicros + after * 1_000_000);
  const statuses: readonly FlowItem[] = [
    { kind: 'status', atMicros: shutMicros ?? 0, status: 'POST_ONLY' },
    { kind: 'status', atMicros: openMicros ?? 0, status: 'ACTIVE' },
  ];
  const items = [...xyzItems, ...statuses].sort((a, b) => a.atMicros - b.atMicros);
  writeMarket(folder, 'shut.mrec', xyz, items);
  const { result, run: played } = await run([abcLine, xyzLine.replace('xyz.mrec', 'shut.mrec')]);
  const filledIn = (pair: string, from: number, to: number): number =>
    [...played.store.fills()]
      .filter((fill) => fill.pair === pair)
      .filter(({ tradedMs }) => tradedMs * 1_000 >= from && tradedMs * 1_000 < to).length;
  expect(filledIn('XYZEUR', shutMicros ?? 0, openMicros ?? 0)).toBe(0);
  expect(filledIn('ABCEUR', shutMicros ?? 0, openMicros ?? 0)).toBeGreaterThan(0);
  expect(filledIn('XYZEUR', openMicros ?? 0, Infinity)).toBeGreaterThan(0);
  expect(Object.keys(result.refusals.gate).join()).toContain('both MARKET_STATUS');

  // With latency, the exchange refuses first, and the bot then polls until the market is open.
  const { latencies, limits } = scenarioOf([abcLine, xyzLine]);
  const { eachStrategy } = limits;
  const late = await run([abcLine, xyzLine.replace('xyz.mrec', 'shut.mrec')], {
    latencies: { ...latencies, feed: { kind: 'fixed', us: 30_000_000 } },
    // With so late a book, post-only orders of the other market are rejected one after another.
    limits: {
      ...limits,
      eachStrategy: { ...eachStrategy, rejections: { ...eachStrategy.rejections, max: 10_000 } },
    },
  });
  expect(late.result.refusals.exchange['market-post-only']).toBeGreaterThan(0);
  const after = [...late.run.store.orders()].filter(
    ({ pair, createdMs }) => pair === 'XYZEUR' && createdMs * 1_000 > (openMicros ?? 0),
  );
  // The book is so late that few of them meet anybody, but the exchange takes them.
  expect(after.some(({ state }) => state === 'filled' || state === 'cancelled')).toBe(true);
}, 60_000);

test('several strategies, each with its own pair, share the account', async () => {
  const maker = (id: string, pair: string, base: string): string => `  ${id}:
    plugin: simple-mm
    pairs: [${pair}]
    parameters: { halfSpread: "1bps", size: "10", refresh: "2s", tolerance: "0.1bps" }
    budget: { ${base}: "200", EUR: "20000" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }`;
  const strategies = [maker('one', 'ABCEUR', 'ABC'), maker('two', 'XYZEUR', 'XYZ')].join('\n');
  const path = join(folder, 'makers.yaml');
  writeFileSync(path, severalText([abcLine, xyzLine], strategies));
  const { source: _source, ...scenario } = loadScenario(path);
  const shipped = join(import.meta.dirname, '../../strategies');
  const { result } = await runBacktest({
    scenario,
    dataFolder: folder,
    strategiesFolder: shipped,
  });
  for (const market of result.markets ?? []) expect(market.makerFills).toBeGreaterThan(20);
  expect(result).toMatchObject({
    accountDifferences: { ABC: '0', XYZ: '0', EUR: '0' },
    openOrdersAtExit: 0,
  });
  expect(result.incidents).toEqual({});
}, 60_000);

test('later damage of one recording ends all markets there, with a partial result', async () => {
  writeMarket(folder, 'torn.mrec', xyz, xyzItems);
  const path = join(folder, 'torn.mrec');
  const recording = new Recording(path);
  const [entry] = recording.index.blocks.slice(20);
  recording.close();
  if (entry === undefined) throw new RangeError('there must be so many blocks');
  const bytes = readFileSync(path);
  bytes.writeUInt8((bytes[entry.offset + 40] ?? 0) ^ 1, entry.offset + 40);
  writeFileSync(path, bytes);
  const { result, run: played } = await run([abcLine, xyzLine.replace('xyz.mrec', 'torn.mrec')]);
  expect(result.partial).toContain(`torn.mrec: offset ${entry.offset}: the checksum`);
  const whole = xyzItems.slice(0, entry.firstRow);
  expect(result.markets?.[1]?.rows).toBe(
    whole.filter(({ atMicros }) => atMicros >= first.startMicros).length,
  );
  expect(played.lastRowMicros).toBeLessThanOrEqual(entry.firstMicros);
  expect(result.accountDifferences).toEqual({ ABC: '0', XYZ: '0', EUR: '0' });
}, 60_000);

test('no strategy sees the future of one market in another', async () => {
  const check = await checkLookAhead({
    scenario: scenarioOf([abcLine, xyzLine]),
    dataFolder: folder,
    strategiesFolder,
    readsWorld: () => false,
    onRun: () => {},
  });
  expect(check.orders).toBeGreaterThan(20);
  expect(check.found).toEqual([]);
}, 120_000);

test('markets that cannot be played together are refused with a reason', async () => {
  const xyzOf = (file: string, more = ''): string => `XYZEUR: { recording: ${file}${more} }`;
  await expect(run([abcLine, xyzOf('gone.mrec')])).rejects.toThrow(/gone\.mrec does not exist/u);
  await expect(run([abcLine, xyzOf('abc.mrec')])).rejects.toThrow(
    /abc\.mrec: records ABCEUR, but the scenario says XYZEUR/u,
  );
  await expect(run([abcLine, xyzOf('xyz.mrec', ', rules: { priceScale: 3 }')])).rejects.toThrow(
    /xyz\.mrec: has priceScale 2, but the scenario says 3/u,
  );
  await expect(run([abcLine, xyzOf('xyz.mrec', ', rules: { base: ABC }')])).rejects.toThrow(
    /has base XYZ, but the scenario says ABC/u,
  );
  await expect(run([abcLine])).rejects.toThrow(
    /strategies\.both\.pairs\[1\]: was "XYZEUR"; allowed: the scenario's market, ABCEUR/u,
  );
  await expect(run([abcLine, xyzOf('xyz.mrec', ', rules: { volumeMin: "0.5" }')])).rejects.toThrow(
    /xyz\.mrec: volumeMin of XYZEUR was "0\.5"; allowed: at most 0 decimals/u,
  );
  await expect(run([abcLine, xyzOf('xyz.mrec', ', rules: { priceMax: "0.001" }')])).rejects.toThrow(
    /priceMax of XYZEUR was "0\.001"; allowed: at most 2 decimals/u,
  );
  await expect(run([abcLine, xyzOf('xyz.mrec', ', rules: { volumeMin: "2000" }')])).rejects.toThrow(
    /volumeMax of XYZEUR was "1000"; allowed: at least volumeMin, .* "2000"/u,
  );
  writeMarket(folder, 'empty.mrec', xyz, []);
  await expect(run([abcLine, xyzOf('empty.mrec')])).rejects.toThrow(
    /the recording of XYZEUR has no rows/u,
  );
  await expect(run([abcLine, xyzOf('[xyz.mrec, empty.mrec]')])).rejects.toThrow(
    /empty\.mrec: has no rows; remove it from the list/u,
  );
  writeMarket(folder, 'never.mrec', xyz, laterBy(86_400_000_000, xyzItems));
  await expect(run([abcLine, xyzOf('never.mrec')])).rejects.toThrow(
    /no recorded time in common .*: ABCEUR .* from 2023-02-07T.*XYZEUR .* from 2023-02-08T/u,
  );
  const fromMs = (abcItems.at(-1)?.atMicros ?? 0) / 1_000 + 1;
  await expect(run([abcLine, xyzLine], { fromMs })).rejects.toThrow(
    /and the scenario plays from 2023-02-07T/u,
  );
  writeMarket(folder, 'poor.mrec', marketOf('XYZ', { pair: 'XYZEUR', counter: 'USD' }), xyzItems);
  await expect(run([abcLine, xyzOf('poor.mrec')])).rejects.toThrow(
    /balances lacks USD, a currency of XYZEUR/u,
  );
});

test("the recorded limits of the exchange apply, and an imported market has the scenario's", async () => {
  const strict = ', rules: { volumeMin: "2" }';
  const stricter = xyzLine.replace('.mrec', `.mrec${strict}`);
  const accountMarket = (await run([abcLine, stricter])).run.port.account.markets.get('XYZEUR');
  expect(accountMarket?.market.volumeMin).toBe(2);
  writeMarket(folder, 'own.mrec', xyz, xyzItems, 'capture');
  const own = stricter.replace('xyz.mrec', 'own.mrec');
  await expect(run([abcLine, own])).rejects.toThrow(
    /own\.mrec: has volumeMin 1, but the scenario says 2/u,
  );
  await run([abcLine, own.replace('"2"', '"1.0"')]);
}, 60_000);
