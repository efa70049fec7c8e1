/**
 * Writes a recording: items in, blocks of rows with checkpoints out, an index at the end.
 *
 *     header · checkpoint · its ids · rows · ids · delays · rows · … · checkpoint · … · index · end
 *
 * The file gets its name when it is complete; until then it has the name given by partial-file.ts.
 * Equal items and headers give equal bytes if the compression library is the same; the hash does
 * not depend on that library.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { StoreError } from '../../domain/errors.ts';
import type { FeedReading } from '../../domain/feed.ts';
import type { MarketStatus } from '../../domain/market.ts';
import { firstMicrosOf } from '../../market/flow/flow-block.ts';
import { PartialFile } from '../../runtime/partial-file.ts';
import { writeAll } from '../../runtime/write-all.ts';
import { BlockEncoder } from './block-encoder.ts';
import { codec, encodeBlock, fileMark } from './block-file.ts';
import { FeedBlocks } from './feed-blocks.ts';
import { encodeFlowBlock, encodeResting } from './flow-block-codec.ts';
import type { FlowItem, RestingOrder } from './flow-item.ts';
import {
  encodeHeader,
  type IndexEntry,
  type RecordingHeader,
  type RecordingIndex,
  recordingBlock,
} from './recording-header.ts';

export type RecordingOptions = {
  /** Rows per block; a block also takes the rest of its last message. */
  readonly blockRows?: number;
  /** Number of blocks from one checkpoint of the book to the next. */
  readonly checkpointEvery?: number;
  readonly codec?: number;
};

export class RecordingWriter {
  readonly #path: string;
  readonly #partial: PartialFile;
  readonly #handle: number;
  #isOpen = true;
  #hasBook = false;
  /** Whether the book at the start is written. */
  #hasStart = false;
  readonly #options: Required<RecordingOptions>;
  readonly #hash = createHash('sha256');
  readonly #index: IndexEntry[] = [];
  readonly #encoder = new BlockEncoder();
  #offset = 0;
  #bytes = 0;
  #sideBytes = 0;
  #checkpoint = 0;
  readonly #feeds = new FeedBlocks((bytes) => {
    this.#hash.update(bytes);
    return this.#write(recordingBlock.feeds, bytes);
  });

  /** Throws StoreError if the file cannot be created. */
  constructor(path: string, header: RecordingHeader, options: RecordingOptions = {}) {
    this.#path = path;
    this.#options = { blockRows: 65_536, checkpointEvery: 16, codec: codec.zstd, ...options };
    this.#partial = new PartialFile(path);
    this.#handle = this.#attempt(() => openSync(this.#partial.path, 'w'));
    try {
      this.#begin(header);
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  #begin(header: RecordingHeader): void {
    this.#append(Buffer.from(fileMark.recording, 'latin1'));
    this.#bytes = this.#offset;
    const bytes = encodeHeader(header);
    this.#hash.update(bytes);
    this.#write(recordingBlock.header, bytes);
  }

  get rows(): number {
    return this.#encoder.counts.rows;
  }

  /** Sets the book at the start. Call it before the first item. */
  start(orders: readonly RestingOrder[], status?: MarketStatus): void {
    this.#hasBook = orders.length > 0;
    this.#encoder.start(orders, status);
  }

  /** Adds what a feed said, in order of time. */
  addFeed(reading: FeedReading): void {
    // Readers find the book at the start right behind the header.
    this.#feeds.add(reading, this.#hasStart);
  }

  add(item: FlowItem): void {
    if (this.rows === 0) {
      // Before the first book nothing is known that a gap could make doubtful.
      if (item.kind === 'gap' && !this.#hasBook) return;
      if (item.kind === 'snapshot' && this.#checkpoint === 0) {
        this.start(item.orders, item.status);
        this.#writeCheckpoint();
        return;
      }
      this.#writeCheckpoint();
    }
    const encoder = this.#encoder;
    encoder.add(item);
    if (encoder.rows >= this.#options.blockRows && encoder.isBetweenMessages) this.#flush(true);
  }

  /** Writes the remaining rows and the index, and gives the file its name. */
  finish(): RecordingIndex {
    if (this.rows === 0) this.#writeCheckpoint();
    this.#flush(false);
    const { counts, firstMisfits } = this.#encoder;
    const feeds = this.#feeds.finish();
    const index: RecordingIndex = {
      hash: this.#hash.digest('hex'),
      counts,
      ...(Object.keys(firstMisfits).length === 0 ? {} : { firstMisfits }),
      bytes: this.#bytes,
      sideBytes: this.#sideBytes,
      blocks: this.#index,
      ...(feeds === undefined ? {} : { feeds }),
    };
    const offset = this.#write(recordingBlock.index, Buffer.from(JSON.stringify(index)));
    const end = Buffer.alloc(8);
    end.writeDoubleLE(offset, 0);
    this.#append(encodeBlock(recordingBlock.end, end, codec.none));
    this.#attempt(() => {
      fsyncSync(this.#handle);
      this.#close();
      this.#partial.keep();
    });
    return index;
  }

  /** Deletes the incomplete file. Also call it when {@link finish} has failed. */
  abandon(): void {
    try {
      this.#close();
    } catch {
      // The caller reports why the file is abandoned; this error does not matter.
    }
    this.#partial.discard();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#handle);
  }

  #flush(hasMore: boolean): void {
    const built = this.#encoder.take();
    if (built === undefined) return;
    const { block, ids, delays } = built;
    const bytes = encodeFlowBlock(block);
    this.#hash.update(bytes);
    const offset = this.#write(recordingBlock.rows, bytes);
    this.#index.push({
      offset,
      firstRow: block.firstRow,
      rows: block.rows,
      firstMicros: firstMicrosOf(block),
      lastMicros: this.#encoder.lastMicros,
      checkpoint: this.#checkpoint,
      ids: ids.length === 0 ? 0 : this.#write(recordingBlock.ids, Buffer.from(ids.join('\n'))),
      delays:
        delays.length === 0
          ? 0
          : this.#write(recordingBlock.delays, Buffer.from(delays.buffer as ArrayBuffer)),
    });
    this.#checkpoint = 0;
    if (hasMore && this.#index.length % this.#options.checkpointEvery === 0)
      this.#writeCheckpoint();
  }

  #writeCheckpoint(): void {
    if (this.#checkpoint !== 0) return;
    const { block, ids } = this.#encoder.resting();
    const bytes = encodeResting(block);
    this.#hash.update(bytes);
    this.#checkpoint = this.#write(recordingBlock.checkpoint, bytes);
    this.#write(recordingBlock.checkpointIds, Buffer.from(ids.join('\n')));
    this.#hasStart = true;
  }

  #write(kind: number, bytes: Buffer): number {
    const block = encodeBlock(kind, bytes, this.#options.codec);
    const isSide =
      kind === recordingBlock.ids ||
      kind === recordingBlock.checkpointIds ||
      kind === recordingBlock.delays;
    if (isSide) this.#sideBytes += block.length;
    else this.#bytes += block.length;
    return this.#append(block);
  }

  #append(bytes: Buffer): number {
    const offset = this.#offset;
    this.#attempt(() => writeAll(this.#handle, bytes));
    this.#offset += bytes.length;
    return offset;
  }

  #attempt<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (cause) {
      throw new StoreError(`recording ${this.#path} cannot be written: ${String(cause)}`, {
        cause,
      });
    }
  }
}
