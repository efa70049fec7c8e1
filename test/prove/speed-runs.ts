/** The ways in which the speed proof lets Millrace do the same work, and what it costs. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { filter, map, tap } from 'rxjs';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import type { ScenarioSettings } from '../../src/domain/scenario-settings.ts';
import { Book } from '../../src/market/book/book.ts';
import type { FlowBlock } from '../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import { EventSource } from '../../src/strategy/event-source.ts';
import { NaivePipeline } from './speed-naive.ts';
import { SpeedQuoter } from './speed-quoter.ts';
import { speedStrategies } from './speed-scenario.ts';

const cursor = new FlowCursor();

/** Plays a block, with a direct call after each message. */
export function playBlock(quoter: SpeedQuoter, block: FlowBlock): void {
  const { model } = quoter;
  cursor.load(block);
  while (cursor.next()) {
    model.apply(cursor);
    if (cursor.endsMessage) quoter.onMessage(cursor);
  }
}

/** As {@link playBlock}, with a call of its own for each message: `onMessage`. */
export function playBlockTo(
  quoter: SpeedQuoter,
  block: FlowBlock,
  onMessage: (row: FlowCursor) => void,
): void {
  const { model } = quoter;
  cursor.load(block);
  while (cursor.next()) {
    model.apply(cursor);
    if (cursor.endsMessage) onMessage(cursor);
  }
}

/** From columns in memory. */
export function runCore(
  blocks: readonly FlowBlock[],
  quoter: SpeedQuoter = new SpeedQuoter(),
): SpeedQuoter {
  for (const block of blocks) playBlock(quoter, block);
  return quoter;
}

/** As {@link runCore}, and each message is told as JSON: what the plant of a slow path does. */
export function runTold(blocks: readonly FlowBlock[]): SpeedQuoter {
  const quoter = new SpeedQuoter();
  const tell = (row: FlowCursor): void => {
    if (JSON.stringify({ atMicros: row.atMicros, top: quoter.book.levels('BID', 1) }) !== '')
      quoter.onMessage(row);
  };
  for (const block of blocks) playBlockTo(quoter, block, tell);
  return quoter;
}

/** Every message goes through a stream as strategies get them, and three operators. */
export function runRxjs(blocks: readonly FlowBlock[]): SpeedQuoter {
  const quoter = new SpeedQuoter();
  const messages = new EventSource<FlowCursor>();
  messages.stream$
    .pipe(
      filter((row) => row.endsMessage),
      map((row) => row),
      tap(() => {}),
    )
    .subscribe((row) => quoter.onMessage(row));
  for (const block of blocks) playBlockTo(quoter, block, (row) => messages.emit(row));
  return quoter;
}

/** From the compressed recording, otherwise as {@link runCore}. */
export async function runFile(path: string): Promise<SpeedQuoter> {
  const recording = new Recording(path);
  const quoter = new SpeedQuoter();
  for await (const block of recording.blocks()) playBlock(quoter, block);
  recording.close();
  return quoter;
}

/** From the file of lines, in the usual way. */
export async function runNaive(path: string): Promise<NaivePipeline> {
  const naive = new NaivePipeline();
  for await (const line of createInterface({ input: createReadStream(path) })) naive.take(line);
  return naive;
}

/** The whole backtest; returns how many orders it had. */
export async function runFull(scenario: ScenarioSettings): Promise<number> {
  const options = { scenario, dataFolder: '', strategiesFolder: speedStrategies };
  return (await runBacktest(options)).result.orders;
}

/** Returns the bytes that a book takes for each of a million orders at a few thousand prices. */
export function bytesPerLiveOrder(): number {
  const orders = 1_000_000;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const bytes = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const book = new Book();
  const before = bytes();
  for (let slot = 1; slot <= orders; slot++)
    book.createAt(slot, 'BID', (1_900_000 - (slot % 4_000)) as Ticks, 1 as Lots);
  const taken = bytes() - before;
  return taken / book.size;
}
