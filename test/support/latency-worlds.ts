/**
 * Worlds in which a latency of fixed length and one that is drawn between two equal bounds are
 * compared: everything takes the same time, so the whole result must be the same, hash included.
 * Their flow is random, with long silences, and their strategy orders occasionally.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Backtest, runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { ScenarioSettings } from '../../src/domain/scenario-settings.ts';
import type { Latency } from '../../src/domain/trading-conditions.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { scenarioText, writeScenario } from './backtest-scenario.ts';
import { barLines, coarseScenario, tradeLines, writeCoarse } from './coarse-recordings.ts';
import { writeItems } from './compiled-flow.ts';
import { writePlugin } from './planted-plugin.ts';
import { SeededRandom } from './seeded-random.ts';

const startMicros = 1_700_000_000_000_000;
const minuteMicros = 60_000_000;
/** Longer than any silence of the flow. */
const bookAge = '10000s';
const grades = ['orders', 'trades', 'candles'] as const;
/** Each way, in microseconds; a bot that trades over an ocean waits longer than the first. */
const latenciesUs = [0, 1, 1_000, 3_000, 137_777, 400_000, 1_500_000] as const;

type FlowOrder = { id: string; side: 'BID' | 'ASK'; price: Ticks; volume: Lots };

/** How the run with fixed latencies is made different, to show that it would be seen. */
export type LatencyPlant = 'late-answer' | 'late-feed';

export type LatencyWorld = {
  readonly name: string;
  readonly scenario: ScenarioSettings;
  readonly dataFolder: string;
  readonly strategiesFolder: string;
  readonly close: () => void;
};

/** What the runs of a world did; equal if `fixed` and `drawn` are. */
export type LatencyOutcome = {
  readonly fixed: string;
  readonly drawn: string;
  readonly orders: number;
  readonly fills: number;
};

/** Orders occasionally: takes, or rests at the best price and may cancel that order later. */
const strategy = `
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

/** Trades and moves of the whole book, seconds or minutes apart. */
function itemsOf(random: SeededRandom, minutes: number): readonly FlowItem[] {
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
  while (atMicros < startMicros + minutes * minuteMicros) {
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

/** Creates the world of a seed: kind of data, latencies and limit on calls differ. */
export async function createLatencyWorld(seed: number): Promise<LatencyWorld> {
  const random = new SeededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-latencies-'));
  mkdirSync(join(folder, 'strategies'));
  const grade = random.pick(grades);
  const profile = random.pick(['luno', '{ from: luno, calls: unlimited }']);
  const text = (await writeData(folder, grade, random))
    .replace('plugin: simple-mm', 'plugin: now-and-then')
    .replace(/parameters: .*/u, 'parameters: {}')
    .replace('[GTC], postOnly: required', '[IOC, GTC], postOnly: allowed')
    .replace('bookAgeMax: "30s"', `bookAgeMax: "${bookAge}"`)
    .replace('bot: small', `profile: ${profile}\nbot: small`);
  const loaded = loadScenario(writeScenario(folder, text));
  const us = (): Latency => ({ kind: 'fixed', us: random.pick(latenciesUs) });
  const latencies = { feed: us(), request: us(), answer: us() };
  return {
    name: `seed ${seed}: ${grade}, profile ${profile}, ${JSON.stringify(latencies)}`,
    scenario: { ...loaded, latencies },
    dataFolder: '',
    strategiesFolder: writePlugin(folder, 'now-and-then', strategy),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function writeData(
  folder: string,
  grade: (typeof grades)[number],
  random: SeededRandom,
): Promise<string> {
  if (grade === 'orders') {
    writeItems(join(folder, 'flow.mrec'), itemsOf(random, random.integer(20, 90)));
    const data = 'data: { kind: recording, recording: flow.mrec }';
    return scenarioText(1_000).replace(/data: \{[^}]*\}/u, data);
  }
  const seed = random.integer(1, 1_000_000);
  const lines = grade === 'trades' ? tradeLines(seed, 4_000) : barLines(seed, 8_000, 10);
  const recording = await writeCoarse(folder, grade, lines);
  const more = grade === 'trades' ? '' : ', interval: "10s"';
  return coarseScenario(recording, `{ halfSpread: "0.02", volumeShare: "10%"${more} }`, 1_000);
}

/** Runs the world with its latencies fixed, and drawn between equal bounds. */
export async function compareLatencies(
  world: Pick<LatencyWorld, 'scenario' | 'dataFolder' | 'strategiesFolder'>,
  plant: LatencyPlant | undefined,
): Promise<LatencyOutcome> {
  const { feed, request, answer } = world.scenario.latencies;
  const late = (latency: Latency): Latency => ({ kind: 'fixed', us: fixedOf(latency) + 1 });
  const planted = {
    feed: plant === 'late-feed' ? late(feed) : feed,
    request,
    answer: plant === 'late-answer' ? late(answer) : answer,
  };
  const fixed = await play(world, planted);
  const drawn = await play(world, {
    feed: drawnOf(feed),
    request: drawnOf(request),
    answer: drawnOf(answer),
  });
  const { orders, fills } = fixed.result;
  return { fixed: fixed.hash, drawn: drawn.hash, orders, fills };
}

/** Whether every latency of a scenario has one length. */
export function hasFixedLatencies({ latencies }: Pick<ScenarioSettings, 'latencies'>): boolean {
  return Object.values(latencies).every(({ kind }) => kind === 'fixed');
}

async function play(
  { scenario, dataFolder, strategiesFolder }: Parameters<typeof compareLatencies>[0],
  latencies: ScenarioSettings['latencies'],
): Promise<Backtest> {
  const played = await runBacktest({
    ...{ scenario: { ...scenario, latencies }, dataFolder, strategiesFolder },
  });
  played.run.store.close();
  return played;
}

function fixedOf(latency: Latency): number {
  if (latency.kind !== 'fixed') throw new Error(`a latency of the world is ${latency.kind}`);
  return latency.us;
}

function drawnOf(latency: Latency): Latency {
  const us = fixedOf(latency);
  return { kind: 'between', fromUs: us, toUs: us };
}
