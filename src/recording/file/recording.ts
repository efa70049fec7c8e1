/**
 * A recording, opened for reading. Its header and index are in memory; its rows are read block by
 * block. For a long recording, a worker thread reads the next blocks while one is in use.
 *
 * Damage throws {@link DecodeError} with file and offset before any row of the damaged block is
 * returned.
 */
import { ConfigError, DecodeError } from '../../domain/errors.ts';
import type { FeedReading } from '../../domain/feed.ts';
import { Book } from '../../market/book/book.ts';
import { BookError } from '../../market/book/book-error.ts';
import { applyFlow, loadResting, restingOf } from '../../market/book/flow-columns-book.ts';
import {
  type FlowBlock,
  type RestingBlock,
  rowKind,
  sliceBlock,
} from '../../market/flow/flow-block.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';
import { BlockFile, blockHeaderBytes, fileMark, fileMarkBytes } from './block-file.ts';
import { BlockReadAhead } from './block-read-ahead.ts';
import { decodeFeedBlock } from './feed-blocks.ts';
import { decodeFlowBlock, decodeResting } from './flow-block-codec.ts';
import {
  decodeHeader,
  decodeJson,
  type IndexEntry,
  type RecordingHeader,
  type RecordingIndex,
  recordingBlock,
} from './recording-header.ts';
import { timeText } from './time-text.ts';

/**
 * Recordings of up to this many blocks are read without a worker: Node's thread pool decompresses
 * them. Starting a worker takes as much processor time as reading some 50 blocks, just when V8
 * compiles most of a first run.
 */
const blocksWithoutThread = 40;
/** Number of blocks read on this thread while a worker starts. */
const blocksBeforeThread = 8;
const endBytes = blockHeaderBytes + 8;

/** A part of a recording: the book at its start and the rows after it. */
export type RecordingPart = {
  readonly resting: RestingBlock;
  readonly startMicros: number;
  /** Iterate once. */
  readonly blocks: AsyncGenerator<FlowBlock, void>;
};

type RowRange = {
  readonly fromMicros: number;
  readonly toMicros: number;
  readonly lateMicros: number;
};

/** The book at one time, and the ids of its orders. */
export type Checkpoint = { readonly resting: RestingBlock; readonly ids: readonly string[] };

export class Recording {
  readonly path: string;
  readonly header: RecordingHeader;
  readonly index: RecordingIndex;
  readonly #file: BlockFile;
  readonly #readers = new Set<BlockReadAhead>();

  /** Throws NotFoundError, or DecodeError if the file is not a complete recording. */
  constructor(path: string) {
    this.path = path;
    this.#file = BlockFile.open(path, fileMark.recording);
    try {
      this.header = decodeHeader(...this.#bytesOf(fileMarkBytes, recordingBlock.header));
      this.index = this.#readIndex();
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  block(entry: IndexEntry): FlowBlock {
    return this.#decoded(entry, this.#bytesOf(entry.offset, recordingBlock.rows)[0]);
  }

  /** Returns the ids of the rows of a block that have one; see BlockEncoder. */
  ids(entry: IndexEntry): readonly string[] {
    if (entry.ids === 0) return [];
    return this.#bytesOf(entry.ids, recordingBlock.ids)[0].toString('utf8').split('\n');
  }

  /** Returns the delay of each row: from its time to its receipt, in microseconds. */
  delays(entry: IndexEntry): Int32Array {
    if (entry.delays === 0) return new Int32Array(0);
    const [bytes] = this.#bytesOf(entry.delays, recordingBlock.delays);
    return new Int32Array(new Uint8Array(bytes).buffer);
  }

  /** Returns the book at the start, which a recording without rows also has. */
  start(): Checkpoint {
    return this.checkpoint(this.#file.blockOf(fileMarkBytes, recordingBlock.header).nextOffset);
  }

  /** Yields what feeds said, block by block, in order of time. */
  *feeds(): Generator<readonly FeedReading[], void> {
    for (const offset of this.index.feeds?.blocks ?? [])
      yield decodeFeedBlock(...this.#bytesOf(offset, recordingBlock.feeds));
  }

  checkpoint(offset: number): Checkpoint {
    const block = this.#file.blockOf(offset, recordingBlock.checkpoint);
    const resting = decodeResting(this.#file.inflate(block), this.#where(offset));
    const [ids] = this.#bytesOf(block.nextOffset, recordingBlock.checkpointIds);
    return { resting, ids: ids.length === 0 ? [] : ids.toString('utf8').split('\n') };
  }

  /** Yields the blocks from number `first` on. */
  async *blocks(first = 0): AsyncGenerator<FlowBlock, void> {
    const entries = this.index.blocks.slice(first);
    const isLong = entries.length > blocksWithoutThread;
    const later = isLong ? entries.splice(blocksBeforeThread) : [];
    const reader = later.length === 0 ? undefined : this.#readAhead(later);
    try {
      yield* this.#oneAhead(entries);
      for (const entry of later)
        yield this.#decoded(entry, await (reader as BlockReadAhead).next());
    } finally {
      if (reader !== undefined) await this.#end(reader);
    }
  }

  /** Yields blocks; each is decompressed on another thread while the one before is used. */
  async *#oneAhead(entries: readonly IndexEntry[]): AsyncGenerator<FlowBlock, void> {
    let coming: Promise<Buffer> | undefined;
    for (const [index, entry] of entries.entries()) {
      const next = entries[index + 1];
      const ahead = next && this.#inflateAside(next);
      // Its failure is thrown when its turn comes, if it does.
      ahead?.catch(() => undefined);
      yield coming === undefined ? this.block(entry) : this.#decoded(entry, await coming);
      coming = ahead;
    }
  }

  async #inflateAside({ offset }: IndexEntry): Promise<Buffer> {
    return this.#file.inflateAside(this.#file.blockOf(offset, recordingBlock.rows));
  }

  /**
   * Returns the part from the first message at or after `fromMicros` to the last message that
   * begins at or before `toMicros`. It starts no earlier than the first row, before which no book
   * is known. Throws ConfigError if the recording has no rows in that range; its message adds
   * `lateMicros`, by which rows are played after their time.
   */
  async part(fromMicros = -Infinity, toMicros = Infinity, lateMicros = 0): Promise<RecordingPart> {
    const { blocks } = this.index;
    let first = blocks.findIndex((entry) => entry.lastMicros >= fromMicros);
    while (first >= 0 && blocks[first]?.checkpoint === 0) first--;
    const entry = blocks[first];
    if (entry === undefined || this.index.counts.rows === 0 || toMicros < this.#firstMicros())
      throw this.#noRows({ fromMicros, toMicros, lateMicros });
    const { resting } = this.checkpoint(entry.checkpoint);
    const source = this.blocks(first);
    if (entry.firstMicros >= fromMicros) {
      const startMicros = Math.max(fromMicros, this.#firstMicros());
      return { resting, startMicros, blocks: until(source, toMicros) };
    }
    return this.#partWithin(source, resting, { fromMicros, toMicros, lateMicros });
  }

  /** Closes the file, also while a caller of {@link blocks} has not taken all of them. */
  close(): void {
    if (this.#readers.size === 0) {
      this.#file.close();
      return;
    }
    // Close the handle only when no thread reads it: its number may be reused for another file.
    const ended = [...this.#readers].map((reader) => this.#end(reader));
    void Promise.all(ended).then(() => this.close());
  }

  /** Applies the rows up to the first message in the range. */
  async #partWithin(
    source: AsyncGenerator<FlowBlock, void>,
    checkpoint: RestingBlock,
    range: RowRange,
  ): Promise<RecordingPart> {
    const book = new Book();
    loadResting(book, checkpoint);
    let { status } = checkpoint;
    const cursor = new FlowCursor();
    for (;;) {
      const { value: block, done } = await source.next();
      if (done === true) throw this.#noRows(range);
      cursor.load(block);
      let isBetween = true;
      for (let row = 0; cursor.next(); row++) {
        if (isBetween && cursor.atMicros >= range.fromMicros) {
          const rest = sliceBlock(block, row, block.rows);
          const blocks = until(concat(rest, source), range.toMicros);
          return { resting: restingOf(book, status), startMicros: range.fromMicros, blocks };
        }
        this.#apply(book, cursor);
        if (cursor.kind === rowKind.status) status = cursor.slot;
        isBetween = cursor.endsMessage;
      }
    }
  }

  #apply(book: Book, cursor: FlowCursor): void {
    try {
      applyFlow(book, cursor);
    } catch (error) {
      if (!(error instanceof BookError)) throw error;
      throw new DecodeError(`${this.path}: row ${cursor.sequence}: ${error.message}`);
    }
  }

  #readAhead(entries: readonly IndexEntry[]): BlockReadAhead {
    const offsets = entries.map(({ offset }) => offset);
    const reader = new BlockReadAhead({
      file: this.#file.opened,
      kind: recordingBlock.rows,
      offsets,
    });
    this.#readers.add(reader);
    return reader;
  }

  async #end(reader: BlockReadAhead): Promise<void> {
    await reader.end();
    this.#readers.delete(reader);
  }

  #decoded(entry: IndexEntry, bytes: Buffer): FlowBlock {
    return this.#checked(decodeFlowBlock(bytes, this.#where(entry.offset)), entry);
  }

  #checked(block: FlowBlock, entry: IndexEntry): FlowBlock {
    if (block.rows === entry.rows && block.firstRow === entry.firstRow) return block;
    throw this.#file.damage(entry.offset, 'the rows here are not the rows that the index lists');
  }

  #readIndex(): RecordingIndex {
    const { size } = this.#file;
    const offset = size - endBytes;
    const hint = 'the recording was cut off or not finished; compile it again';
    if (offset < fileMarkBytes) throw new DecodeError(`${this.path}: offset ${size}: ${hint}`);
    const end = this.#endBlock(offset, hint);
    const at = end.readDoubleLE(0);
    if (!Number.isSafeInteger(at) || at < fileMarkBytes || at >= offset)
      throw this.#file.damage(offset, 'the offset of the index is impossible');
    const index = decodeJson(...this.#bytesOf(at, recordingBlock.index));
    if (!Array.isArray(index['blocks']) || typeof index['hash'] !== 'string')
      throw this.#file.damage(at, 'the index is malformed');
    return index as unknown as RecordingIndex;
  }

  #endBlock(offset: number, hint: string): Buffer {
    try {
      return this.#bytesOf(offset, recordingBlock.end)[0];
    } catch (cause) {
      throw new DecodeError(`${this.path}: offset ${offset}: the end block is missing: ${hint}`, {
        cause,
      });
    }
  }

  #bytesOf(offset: number, kind: number): [bytes: Buffer, where: string] {
    return [this.#file.inflate(this.#file.blockOf(offset, kind)), this.#where(offset)];
  }

  #where(offset: number): string {
    return `${this.path}: offset ${offset}`;
  }

  /** The time of the first row. */
  #firstMicros(): number {
    return this.index.blocks[0]?.firstMicros ?? Number.NEGATIVE_INFINITY;
  }

  #noRows({ fromMicros, toMicros, lateMicros }: RowRange): ConfigError {
    const { blocks } = this.index;
    const [first, last] = [blocks.at(0)?.firstMicros, blocks.at(-1)?.lastMicros];
    const covered =
      first === undefined || last === undefined
        ? 'it has no rows at all'
        : `it covers ${timeText(first)} to ${timeText(last)}`;
    const from = Number.isFinite(fromMicros) ? ` from ${timeText(fromMicros + lateMicros)}` : '';
    const to = Number.isFinite(toMicros) ? ` to ${timeText(toMicros + lateMicros)}` : '';
    return new ConfigError(
      `${this.path}: has no rows in the time range of the scenario${from}${to}; ${covered}`,
    );
  }
}

async function* concat(
  first: FlowBlock,
  rest: AsyncGenerator<FlowBlock, void>,
): AsyncGenerator<FlowBlock, void> {
  yield first;
  yield* rest;
}

/** Yields the blocks of `source` up to the first message that begins after `toMicros`. */
async function* until(
  source: AsyncGenerator<FlowBlock, void>,
  toMicros: number,
): AsyncGenerator<FlowBlock, void> {
  if (toMicros === Infinity) {
    yield* source;
    return;
  }
  const cursor = new FlowCursor();
  for await (const block of source) {
    cursor.load(block);
    let isBetween = true;
    let end = -1;
    for (let row = 0; end === -1 && cursor.next(); row++) {
      if (isBetween && cursor.atMicros > toMicros) end = row;
      isBetween = cursor.endsMessage;
    }
    if (end === -1) yield block;
    else {
      if (end > 0) yield sliceBlock(block, 0, end);
      return;
    }
  }
}
