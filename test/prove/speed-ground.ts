/**
 * What all implementations of the speed proof read: one synthetic flow, as a compiled recording, as
 * columns in memory, as a file of the same columns for the C++ loop, and its first messages as the
 * JSON lines of an exchange.
 */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatLots, formatTicks } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { type FlowBlock, rowKind } from '../../src/market/flow/flow-block.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import type { RecordingIndex } from '../../src/recording/file/recording-header.ts';
import { RecordingWriter } from '../../src/recording/file/recording-writer.ts';
import { flowMarket, SpeedFlow, type SpeedRow } from './speed-flow.ts';

export type SpeedGround = {
  readonly index: RecordingIndex;
  readonly blocks: readonly FlowBlock[];
  /** How many messages there are as lines. */
  readonly lines: number;
};

/** The paths of what {@link makeGround} writes into a folder. */
export function speedFiles(folder: string) {
  return {
    recording: join(folder, 'flow.mrec'),
    /** The columns of all blocks, one column after the other. */
    columns: join(folder, 'flow.columns'),
    /** The first messages, one a line. */
    lines: join(folder, 'flow.ndjson'),
    /** The flow that the maker trades in, and its scenarios. */
    makerFolder: join(folder, 'maker'),
  };
}

/** Begins the recording of a synthetic flow in a folder. */
export function createFlowWriter(folder: string): RecordingWriter {
  return new RecordingWriter(speedFiles(folder).recording, {
    grade: 'order',
    market: flowMarket,
    venue: 'synthetic',
    format: 'none',
    sources: [],
    tick: 1,
    lot: 1,
  });
}

/** Writes a flow of `messages`; the first `linesMax` of them also become lines. */
export async function makeGround(
  folder: string,
  { messages, linesMax, seed }: { messages: number; linesMax: number; seed: number },
): Promise<SpeedGround> {
  const files = speedFiles(folder);
  const writer = createFlowWriter(folder);
  writer.start([]);
  const lines: string[] = [];
  let rows: SpeedRow[] = [];
  const flow = new SpeedFlow({ seed, liveAim: Math.min(20_000, messages / 4) });
  for (let message = 0; message < messages; message++) {
    flow.next((row, atMicros) => {
      writer.add(itemOf(row, atMicros));
      if (message < linesMax) rows.push({ ...row });
    });
    if (message >= linesMax) continue;
    lines.push(lineOf(rows, flow.atMicros));
    rows = [];
  }
  const index = writer.finish();
  const blocks = await readBlocks(files.recording);
  writeColumns(files.columns, blocks, index.counts.messages);
  writeFileSync(files.lines, lines.map((line) => `${line}\n`).join(''));
  return { index, blocks, lines: lines.length };
}

/** Returns all columns of a recording. */
export async function readBlocks(path: string): Promise<FlowBlock[]> {
  const recording = new Recording(path);
  const blocks: FlowBlock[] = [];
  for await (const block of recording.blocks()) blocks.push(block);
  recording.close();
  return blocks;
}

function idOf(order: number): string {
  return `BX${order.toString(36).padStart(13, '0')}`;
}

function itemOf(row: SpeedRow, atMicros: number): FlowItem {
  const place = { sequence: 0, atMicros, endsMessage: row.endsMessage };
  const id = idOf(row.order);
  const side = row.isAsk ? 'ASK' : 'BID';
  const price = row.price as Ticks;
  const volume = row.volume as Lots;
  if (row.kind === rowKind.create) return { ...place, kind: 'create', id, side, price, volume };
  if (row.kind === rowKind.delete) return { ...place, kind: 'delete', id };
  const trade = { kind: 'trade', makerId: id, takerId: '', makerSide: side } as const;
  return { ...place, ...trade, price, volume };
}

/** Returns a message as an exchange would send it. */
function lineOf(rows: readonly SpeedRow[], atMicros: number): string {
  const created = rows.find(({ kind }) => kind === rowKind.create);
  const deleted = rows.find(({ kind }) => kind === rowKind.delete);
  const trades = rows.filter(({ kind }) => kind === rowKind.trade);
  return JSON.stringify({
    sequence: String(atMicros),
    trade_updates: trades.map(({ order, price, volume }) => ({
      base: formatLots(volume as Lots, flowMarket),
      counter: String((price * volume) / 1e6),
      maker_order_id: idOf(order),
      taker_order_id: '',
    })),
    create_update:
      created === undefined
        ? null
        : {
            order_id: idOf(created.order),
            type: created.isAsk ? 'ASK' : 'BID',
            price: formatTicks(created.price as Ticks, flowMarket),
            volume: formatLots(created.volume as Lots, flowMarket),
          },
    delete_update: deleted === undefined ? null : { order_id: idOf(deleted.order) },
    status_update: null,
    timestamp: atMicros / 1_000,
  });
}

/**
 * `u64 rows, u64 messages, u64 prices, u64 volumes`, then meta u8, slots u16, deltas u16, prices
 * i32 and volumes i32, each column from a multiple of 8. Every value of the flow fits these widths.
 */
function writeColumns(path: string, blocks: readonly FlowBlock[], messages: number): void {
  const file = openSync(path, 'w');
  const sum = (count: (block: FlowBlock) => number): bigint =>
    BigInt(blocks.reduce((total, block) => total + count(block), 0));
  const counts = [
    sum((block) => block.rows),
    BigInt(messages),
    sum(({ prices }) => prices.length),
    sum(({ volumes }) => volumes.length),
  ];
  writeSync(file, BigUint64Array.from(counts));
  const columns: readonly ((block: FlowBlock) => Uint8Array | Uint16Array | Int32Array)[] = [
    ({ meta }) => meta,
    ({ slots }) => Uint16Array.from(slots),
    ({ deltas }) => deltas,
    ({ prices }) => Int32Array.from(prices),
    ({ volumes }) => Int32Array.from(volumes),
  ];
  for (const column of columns) {
    let bytes = 0;
    for (const block of blocks) bytes += writeSync(file, column(block));
    writeSync(file, new Uint8Array((8 - (bytes % 8)) % 8));
  }
  closeSync(file);
}
