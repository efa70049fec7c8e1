/**
 * A recording, opened for reading: its header and index in memory, its rows block by block, however
 * long it is. Of a long one the next blocks are read beside this thread while one is in use.
 *
 * Whatever is damaged throws {@link DecodeError} with file and offset before a row of it is seen.
 */
import { ConfigError, DecodeError } from '../../domain/errors.ts';
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
import { BlocksAside } from './block-read-ahead.ts';
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

/** A thread needs as long to begin as these take to be read and played here. */
const blocksHere = 8;
const endBytes = blockHeaderBytes + 8;

/** A part of a recording: the book when it begins and the rows after it. */
export type RecordingPart = {
  readonly resting: RestingBlock;
  readonly startMicros: number;
  /** Iterate once. */
  readonly blocks: AsyncGenerator<FlowBlock, void>;
};

/** A book as it was at one moment, and the ids of its orders. */
export type Checkpoint = { readonly resting: RestingBlock; readonly ids: readonly string[] };

export class Recording {
  readonly path: string;
  readonly header: RecordingHeader;
  readonly index: RecordingIndex;
  readonly #file: BlockFile;
  /** Threads that read the file now. */
  readonly #asides = new Set<BlocksAside>();

  /** Throws NotFoundError, or DecodeError for what is no whole recording. */
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

  /** Returns one block of rows. */
  block(entry: IndexEntry): FlowBlock {
    return this.#decoded(entry, this.#bytesOf(entry.offset, recordingBlock.rows)[0]);
  }

  /** Returns what the ids of a block are, one a row that has one; see FlowCompiler. */
  ids(entry: IndexEntry): readonly string[] {
    if (entry.ids === 0) return [];
    return this.#bytesOf(entry.ids, recordingBlock.ids)[0].toString('utf8').split('\n');
  }

  /** Returns how much later than its time each row reached the recorder, in microseconds. */
  delays(entry: IndexEntry): Int32Array {
    if (entry.delays === 0) return new Int32Array(0);
    const [bytes] = this.#bytesOf(entry.delays, recordingBlock.delays);
    return new Int32Array(new Uint8Array(bytes).buffer);
  }

  /** Returns the book at the beginning, which is there without rows, too. */
  start(): Checkpoint {
    return this.checkpoint(this.#file.blockOf(fileMarkBytes, recordingBlock.header).nextOffset);
  }

  /** Returns the book at a checkpoint. */
  checkpoint(offset: number): Checkpoint {
    const block = this.#file.blockOf(offset, recordingBlock.checkpoint);
    const resting = decodeResting(this.#file.inflate(block), this.#where(offset));
    const [ids] = this.#bytesOf(block.nextOffset, recordingBlock.checkpointIds);
    return { resting, ids: ids.length === 0 ? [] : ids.toString('utf8').split('\n') };
  }

  /** Yields the blocks from the one at `first`, whole. */
  async *blocks(first = 0): AsyncGenerator<FlowBlock, void> {
    const entries = this.index.blocks.slice(first);
    const later = entries.splice(blocksHere);
    const aside = later.length === 0 ? undefined : this.#readAside(later);
    try {
      for (const entry of entries) yield this.block(entry);
      for (const entry of later) yield this.#decoded(entry, await (aside as BlocksAside).next());
    } finally {
      if (aside !== undefined) await this.#end(aside);
    }
  }

  /**
   * Returns the part from the first message at or after `fromMicros` to the last one that begins at
   * or before `toMicros`. It begins with the recording at the earliest: before that no book is
   * known. Throws ConfigError for a time that the recording does not hold.
   */
  async part(fromMicros = -Infinity, toMicros = Infinity): Promise<RecordingPart> {
    const { blocks } = this.index;
    const behind = blocks.findIndex((entry) => entry.lastMicros >= fromMicros);
    let first = behind;
    while (first >= 0 && blocks[first]?.checkpoint === 0) first--;
    const entry = blocks[first];
    if (entry === undefined || this.index.counts.rows === 0 || toMicros < this.#firstMicros)
      throw this.#nothing({ fromMicros, toMicros });
    const { resting } = this.checkpoint(entry.checkpoint);
    const source = this.blocks(first);
    if (entry.firstMicros >= fromMicros) {
      const startMicros = Math.max(fromMicros, this.#firstMicros);
      return { resting, startMicros, blocks: until(source, toMicros) };
    }
    return this.#partWithin(source, resting, { fromMicros, toMicros });
  }

  /** Also where blocks are left that nobody asks for any more. */
  close(): void {
    if (this.#asides.size === 0) this.#file.close();
    // The handle is closed when nobody reads by it: its number may be given to another file.
    else void Promise.all([...this.#asides].map((one) => this.#end(one))).then(() => this.close());
  }

  /** Plays up to the first message in the range. */
  async #partWithin(
    source: AsyncGenerator<FlowBlock, void>,
    checkpoint: RestingBlock,
    range: { readonly fromMicros: number; readonly toMicros: number },
  ): Promise<RecordingPart> {
    const book = new Book();
    loadResting(book, checkpoint);
    let { status } = checkpoint;
    const cursor = new FlowCursor();
    for (;;) {
      const { value: block, done } = await source.next();
      if (done === true) throw this.#nothing(range);
      cursor.load(block);
      let isBetween = true;
      for (let row = 0; cursor.next(); row++) {
        if (isBetween && cursor.atMicros >= range.fromMicros) {
          const rest = sliceBlock(block, row, block.rows);
          const blocks = until(followed(rest, source), range.toMicros);
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

  #readAside(entries: readonly IndexEntry[]): BlocksAside {
    const offsets = entries.map(({ offset }) => offset);
    const aside = new BlocksAside({
      file: this.#file.opened,
      kind: recordingBlock.rows,
      offsets,
    });
    this.#asides.add(aside);
    return aside;
  }

  async #end(aside: BlocksAside): Promise<void> {
    await aside.end();
    this.#asides.delete(aside);
  }

  #decoded(entry: IndexEntry, bytes: Buffer): FlowBlock {
    return this.#checked(decodeFlowBlock(bytes, this.#where(entry.offset)), entry);
  }

  #checked(block: FlowBlock, entry: IndexEntry): FlowBlock {
    if (block.rows === entry.rows && block.firstRow === entry.firstRow) return block;
    throw this.#file.damage(entry.offset, 'the index tells of other rows than are here');
  }

  #readIndex(): RecordingIndex {
    const { size } = this.#file;
    const offset = size - endBytes;
    const hint = 'the recording was cut off or not finished; compile it again';
    if (offset < fileMarkBytes) throw new DecodeError(`${this.path}: offset ${size}: ${hint}`);
    const end = this.#endBlock(offset, hint);
    const at = end.readDoubleLE(0);
    if (!Number.isSafeInteger(at) || at < fileMarkBytes || at >= offset)
      throw this.#file.damage(offset, 'the place of the index is impossible');
    const index = decodeJson(...this.#bytesOf(at, recordingBlock.index));
    if (!Array.isArray(index['blocks']) || typeof index['hash'] !== 'string')
      throw this.#file.damage(at, 'the index is malformed');
    return index as unknown as RecordingIndex;
  }

  #endBlock(offset: number, hint: string): Buffer {
    try {
      return this.#bytesOf(offset, recordingBlock.end)[0];
    } catch (cause) {
      throw new DecodeError(`${this.path}: offset ${offset}: no end of a recording: ${hint}`, {
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
  get #firstMicros(): number {
    return this.index.blocks[0]?.firstMicros ?? Number.NEGATIVE_INFINITY;
  }

  #nothing({ fromMicros, toMicros }: { fromMicros: number; toMicros: number }): ConfigError {
    const { blocks } = this.index;
    const [first, last] = [blocks.at(0)?.firstMicros, blocks.at(-1)?.lastMicros];
    const held =
      first === undefined || last === undefined
        ? 'it holds none at all'
        : `it holds ${timeText(first)} to ${timeText(last)}`;
    const from = Number.isFinite(fromMicros) ? ` from ${timeText(fromMicros)}` : '';
    const to = Number.isFinite(toMicros) ? ` to ${timeText(toMicros)}` : '';
    return new ConfigError(
      `${this.path}: has no rows${from}${to} in the time of the scenario; ${held}`,
    );
  }
}

async function* followed(
  first: FlowBlock,
  rest: AsyncGenerator<FlowBlock, void>,
): AsyncGenerator<FlowBlock, void> {
  yield first;
  yield* rest;
}

/** Ends before the first message that begins after `toMicros`. */
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
