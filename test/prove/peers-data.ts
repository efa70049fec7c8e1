/**
 * The data that every program of the comparison plays, written once as CSV and made into the
 * recordings that Millrace reads: an order flow of an exchange that matches, and a random walk of
 * one-minute candles. Both follow from their seed alone.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatLots, formatTicks, type Scales } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { rowKind } from '../../src/market/flow/flow-block.ts';
import { writeRecording } from '../../src/recording/file/flow-source.ts';
import { importCsv } from '../../src/recording/import/import-csv.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { flowStartMicros, SpeedFlow, type SpeedRow } from './speed-flow.ts';

/** Prices in cents; volumes in millionths, since fees are taken in the base currency, too. */
const scales: Scales = { priceScale: 2, volumeScale: 6 };
const lotsPerUnit = 10 ** scales.volumeScale;

/** How many orders rest: few enough that the best prices move as those of a real market do. */
const liveOrders = 2_000;
/** A million messages take a day this way, so a quote each second is replaced now and then. */
const timeStretch = 4;
const minuteMicros = 60_000_000;
/** The first minute of 2024, UTC. */
const candlesStartMicros = 1_704_067_200_000_000;
/** Of a minute's price, as a fraction of it; 0.2 % an hour, a third a year. */
const stepDeviation = 0.0005;
const stepsPerCandle = 10;
const batchLines = 10_000;

/** The paths of what is written into a folder. */
export function peersFiles(folder: string) {
  return {
    flowCsv: join(folder, 'flow.csv'),
    flowRecording: join(folder, 'flow.mrec'),
    candlesCsv: join(folder, 'candles.csv'),
    candlesRecording: join(folder, 'candles.mrec'),
  };
}

export type PeersData = {
  /** Rows of the order flow; a message may have several. */
  readonly flowRows: number;
  readonly candleRows: number;
};

/** Writes both sets. */
export async function writePeersData(
  folder: string,
  { messages, candles }: { readonly messages: number; readonly candles: number },
): Promise<PeersData> {
  const files = peersFiles(folder);
  const flowRows = writeLines(files.flowCsv, flowLines(messages));
  const flow = await importCsv(files.flowCsv, 'order', {
    base: 'XBT',
    counter: 'ZAR',
    ...scales,
  });
  await writeRecording(flow, files.flowRecording);
  writeLines(files.candlesCsv, candleLines(candles));
  const bars = await importCsv(files.candlesCsv, 'candles', {
    base: 'ABC',
    counter: 'EUR',
    ...scales,
  });
  await writeRecording(bars, files.candlesRecording);
  return { flowRows, candleRows: candles };
}

/** Writes lines, the first of which names the columns; returns how many came after it. */
function writeLines(path: string, lines: Iterable<string>): number {
  const file = openSync(path, 'w');
  let count = -1;
  let batch: string[] = [];
  const flush = (): void => {
    if (batch.length > 0) writeSync(file, `${batch.join('\n')}\n`);
    batch = [];
  };
  for (const line of lines) {
    count++;
    if (batch.push(line) === batchLines) flush();
  }
  flush();
  closeSync(file);
  return count;
}

function* flowLines(messages: number): Generator<string, void> {
  yield 'time_us,action,order_id,side,price,volume,taker_id,end';
  const flow = new SpeedFlow({ seed: 1, liveAim: liveOrders });
  const lines: string[] = [];
  for (let message = 0; message < messages; message++) {
    lines.length = 0;
    flow.next((row, atMicros) => lines.push(flowLine(row, atMicros)));
    yield* lines;
  }
}

function flowLine(row: SpeedRow, atMicros: number): string {
  const timeMicros = flowStartMicros + (atMicros - flowStartMicros) * timeStretch;
  const side = row.isAsk ? 'ask' : 'bid';
  const end = row.endsMessage ? 1 : 0;
  if (row.kind === rowKind.delete) return `${timeMicros},delete,${row.order},${side},,,,${end}`;
  const action = row.kind === rowKind.create ? 'create' : 'trade';
  const price = formatTicks(row.price as Ticks, scales);
  const volume = formatLots(row.volume as Lots, scales);
  return `${timeMicros},${action},${row.order},${side},${price},${volume},,${end}`;
}

function* candleLines(candles: number): Generator<string, void> {
  yield 'time_us,open,high,low,close,volume';
  const random = new SeededRandom(1);
  let price = 1_000_000;
  for (let minute = 0; minute < candles; minute++) {
    const open = Math.round(price);
    let [high, low] = [open, open];
    for (let step = 0; step < stepsPerCandle; step++) {
      price *= 1 + (stepDeviation / Math.sqrt(stepsPerCandle)) * normal(random);
      high = Math.max(high, Math.round(price));
      low = Math.min(low, Math.round(price));
    }
    const prices = [open, high, low, Math.round(price)];
    const texts = prices.map((one) => formatTicks(one as Ticks, scales));
    const volume = random.integer(10_000, 100_000) * lotsPerUnit;
    const startMicros = candlesStartMicros + minute * minuteMicros;
    yield [startMicros, ...texts, formatLots(volume as Lots, scales)].join(',');
  }
}

/** Returns a number of the standard normal distribution (Box and Muller). */
function normal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.fraction()));
  return radius * Math.cos(2 * Math.PI * random.fraction());
}
