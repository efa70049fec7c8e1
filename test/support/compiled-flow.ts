/** Writes items as a recording in a file, and reads the rows and queues of recordings. */
import type { Market } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { Book } from '../../src/market/book/book.ts';
import { applyFlow, loadResting } from '../../src/market/book/flow-columns-book.ts';
import type { FlowBlock, RestingBlock } from '../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import type { RecordingHeader, RecordingIndex } from '../../src/recording/file/recording-header.ts';
import {
  type RecordingOptions,
  RecordingWriter,
} from '../../src/recording/file/recording-writer.ts';

export const recordedMarket: Market = {
  pair: 'ABCEUR',
  base: 'ABC',
  counter: 'EUR',
  priceScale: 2,
  volumeScale: 0,
  feeScale: 2,
  priceMin: 1 as Ticks,
  priceMax: 1_000_000 as Ticks,
  volumeMin: 1 as Lots,
  volumeMax: 1_000 as Lots,
  status: 'ACTIVE',
};

export const recordedHeader: RecordingHeader = {
  grade: 'order',
  market: recordedMarket,
  venue: 'test',
  format: 'random',
  sources: [],
  tick: 1,
  lot: 1,
};

/** Writes items as a recording with small blocks and frequent checkpoints. */
export function writeItems(
  path: string,
  items: readonly FlowItem[],
  options: RecordingOptions = { blockRows: 40, checkpointEvery: 3 },
): RecordingIndex {
  const writer = new RecordingWriter(path, recordedHeader, options);
  for (const item of items) writer.add(item);
  return writer.finish();
}

/** A row as a value. */
export type SeenRow = {
  readonly kind: number;
  readonly slot: number;
  readonly isAsk: boolean;
  readonly endsMessage: boolean;
  readonly price: number;
  readonly volume: number;
  readonly atMicros: number;
  readonly sequence: number;
};

export function rowsOf(block: FlowBlock): SeenRow[] {
  const rows: SeenRow[] = [];
  const cursor = new FlowCursor();
  cursor.load(block);
  while (cursor.next()) {
    const { kind, slot, isAsk, endsMessage, price, volume, atMicros, sequence } = cursor;
    rows.push({ kind, slot, isAsk, endsMessage, price, volume, atMicros, sequence });
  }
  return rows;
}

/** Applies blocks to the book at their start; returns the book at their end. */
export async function playedBook(
  resting: RestingBlock,
  blocks: AsyncIterable<FlowBlock>,
): Promise<Book> {
  const book = new Book();
  loadResting(book, resting);
  const cursor = new FlowCursor();
  for await (const block of blocks) {
    cursor.load(block);
    while (cursor.next()) applyFlow(book, cursor);
  }
  return book;
}

/** Returns the volumes of a book in queue order, by price, without ids and slots. */
export function queuesOf(book: Book): readonly unknown[] {
  return (['BID', 'ASK'] as const).map((side) =>
    book
      .levels(side)
      .map(({ price }) => [
        price,
        [...book.ordersAt(side, price)].map((slot) => book.volumeOf(slot)),
      ]),
  );
}
