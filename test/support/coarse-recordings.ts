/** Coarse recordings for backtests: the trades of random order flow, and bars of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFlowRow } from '../../src/market/flow/order-flow-row.ts';
import { writeRecording } from '../../src/recording/file/flow-source.ts';
import { importCsv } from '../../src/recording/import/import-csv.ts';
import { scenarioText } from './backtest-scenario.ts';
import { randomFlow } from './recorded-set.ts';
import { SeededRandom } from './seeded-random.ts';

type Trade = Extract<OrderFlowRow, { kind: 'trade' }>;

const traded = 'time_us,price,volume,side';
const barred = 'time_us,open,high,low,close,volume';

/** Returns the trades of random flow as the lines of a CSV. */
export function tradeLines(seed: number, actions: number): readonly string[] {
  return [traded, ...tradesOf(seed, actions).map(tradeLine)];
}

/** Returns the same as bars of `seconds`; intervals without a trade have no bar. */
export function barLines(seed: number, actions: number, seconds: number): readonly string[] {
  const bars = Map.groupBy(tradesOf(seed, actions), ({ atMicros }) =>
    Math.floor(atMicros / (seconds * 1e6)),
  );
  return [
    barred,
    ...[...bars].map(([number, trades]) => {
      const prices = trades.map(({ price }) => price);
      const volume = trades.reduce((sum, trade) => sum + trade.volume, 0);
      const four = [prices[0] ?? 0, Math.max(...prices), Math.min(...prices), prices.at(-1) ?? 0];
      return [number * seconds * 1e6, ...four.map(priceText), volume].join(',');
    }),
  ];
}

/** Returns a table of bars that begin at these times, in seconds; each has its own close. */
export function barTable(begins: readonly number[], volume = 100): readonly string[] {
  return [
    barred,
    ...begins.map(
      (begin, index) => `${begin * 1e6},10,11,9,${priceText(1_000 + (index % 50))},${volume}`,
    ),
  ];
}

/** Writes lines as CSV and imports them; returns the recording's file name. */
export async function writeCoarse(
  folder: string,
  grade: 'trades' | 'candles',
  lines: readonly string[],
  { name = grade as string, base = 'ABC' } = {},
): Promise<string> {
  const csv = join(folder, `${name}.csv`);
  writeFileSync(csv, `${lines.join('\n')}\n`);
  const scales = { priceScale: 2, volumeScale: 0 };
  const source = await importCsv(csv, grade, { base, counter: 'EUR', ...scales });
  await writeRecording(source, join(folder, `${name}.mrec`));
  return `${name}.mrec`;
}

/** Returns a scenario over such a recording; `fillModel` is the YAML of that key. */
export function coarseScenario(recording: string, fillModel: string, latencyUs = 1_000): string {
  return scenarioText(latencyUs)
    .replace(/data: \{[^}]*\}/u, `data: { kind: recording, recording: ${recording} }`)
    .replace('latencies:', `${fillModel === '' ? '' : `fillModel: ${fillModel}\n`}latencies:`);
}

function tradesOf(seed: number, actions: number): readonly Trade[] {
  return randomFlow(new SeededRandom(seed), actions).filter((row) => row.kind === 'trade');
}

function tradeLine({ atMicros, price, volume, makerSide }: Trade): string {
  const side = makerSide === 'BID' ? 'sell' : 'buy';
  return [atMicros, priceText(price), volume, side].join(',');
}

function priceText(price: number): string {
  return (price / 100).toFixed(2);
}
