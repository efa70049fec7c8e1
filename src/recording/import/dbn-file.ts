/**
 * Decodes Databento's DBN files of order-by-order records (schema MBO), plain or zstd-compressed.
 *
 *     "DBN" · u8 version · u32 metadata bytes · metadata (begins with 16 bytes of data set name)
 *     records: u8 length / 4 · u8 type 0xA0 · u16 publisher · u32 instrument · u64 event time
 *              u64 order id · i64 price in 10^-9 · u32 size · u8 flags · u8 channel
 *              char action · char side · u64 receive time · i32 delta · u32 sequence
 *              in files of some live streams also: u64 time of sending
 *
 * Times are nanoseconds since the epoch. Records of other types are counted and skipped. Memory
 * does not grow with the file.
 */
import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createZstdDecompress, type ZstdDecompress } from 'node:zlib';
import { DecodeError } from '../../domain/errors.ts';
import { checkInputFile } from '../../runtime/input-file.ts';

export type DbnRecord = {
  readonly eventNanos: bigint;
  readonly receivedNanos: bigint;
  readonly instrument: number;
  readonly orderId: string;
  /** In 10^-9. */
  readonly price: bigint;
  readonly size: number;
  /**
   * Bits. 128: the last record of its event; 64: top of the book; 32: part of a snapshot; 16: an
   * aggregated level; 4: the book may be wrong.
   */
  readonly flags: number;
  /** A: add, C: cancel, M: modify, T: trade, F: fill, R: clear, N: none. */
  readonly action: string;
  /** B: bid, A: ask, N: none. */
  readonly side: string;
};

const mboType = 0xa0;
const mboBytes = 56;
const sentTimeBytes = 8;
const zstdMark = 0xfd2f_b528;
const chunkBytes = 1 << 20;
const sourceBytes = 1 << 17;
/** The metadata of one instrument has some hundred bytes; a larger size means damage. */
const metadataBytesMax = 1 << 26;

export class DbnFile {
  readonly path: string;
  /** The data set in the metadata; empty before the first batch. */
  dataset = '';
  others = 0;
  readonly #bytesMax: number;

  /** Only the first `bytesMax` bytes are read. */
  constructor(path: string, bytesMax = Infinity) {
    this.path = path;
    this.#bytesMax = bytesMax;
  }

  /** Yields the records in batches; throws DecodeError with file and offset. */
  async *batches(): AsyncGenerator<readonly DbnRecord[], void> {
    let rest = Buffer.alloc(0);
    let offset = 0;
    let hasMetadata = false;
    for await (const chunk of this.#plainChunks()) {
      rest = Buffer.concat([rest, chunk]);
      let at = 0;
      if (!hasMetadata) {
        const bytes = this.#metadata(rest);
        if (bytes === undefined) continue;
        at = bytes;
        hasMetadata = true;
      }
      const records: DbnRecord[] = [];
      while (at < rest.length) {
        const length = (rest[at] as number) * 4;
        if (length < 16)
          throw this.#damage(offset + at, `a record must have at least 16 bytes, has ${length}`);
        if (at + length > rest.length) break;
        if (rest[at + 1] !== mboType) this.others++;
        else if (length !== mboBytes && length !== mboBytes + sentTimeBytes)
          throw this.#damage(
            offset + at,
            `an order record must have ${mboBytes} or ${mboBytes + sentTimeBytes} bytes, has ${length}`,
          );
        else records.push(recordAt(rest, at));
        at += length;
      }
      rest = rest.subarray(at);
      offset += at;
      yield records;
    }
    if (!hasMetadata) throw new DecodeError(`${this.path}: is not a DBN file`);
    if (rest.length > 0) throw this.#damage(offset, 'the file is cut off within a record');
  }

  /** Returns the offset of the first record, or undefined if more bytes are needed. */
  #metadata(bytes: Buffer): number | undefined {
    if (bytes.length < 8) return undefined;
    if (bytes.toString('latin1', 0, 3) !== 'DBN')
      throw new DecodeError(`${this.path}: is not a DBN file: it does not begin with DBN`);
    const end = 8 + bytes.readUInt32LE(4);
    if (end > metadataBytesMax)
      throw this.#damage(4, `metadata must have at most ${metadataBytesMax} bytes, has ${end}`);
    if (bytes.length < end) return undefined;
    const version = bytes[3] as number;
    if (version < 1 || version > 3)
      throw new DecodeError(`${this.path}: DBN version must be 1 to 3, was ${version}`);
    this.dataset = bytes.toString('latin1', 8, 24).replace(/\0.*$/su, '').trim();
    return end;
  }

  /** Yields the file's bytes, decompressed; a file may consist of several zstd frames. */
  async *#plainChunks(): AsyncGenerator<Buffer, void> {
    const { size, mark } = await this.#beginning();
    if (mark !== zstdMark) {
      if (size === 0) return;
      for await (const chunk of this.#source(0)) yield chunk as Buffer;
      return;
    }
    for (let at = 0; at < size; ) {
      const frame = createZstdDecompress({ chunkSize: chunkBytes });
      void feed(frame, this.#source(at));
      try {
        for await (const chunk of frame) yield chunk as Buffer;
      } catch (cause) {
        throw this.#damage(at, `cannot be decompressed: ${(cause as Error).message}`);
      }
      // The decompressor stops at the end of its frame; `bytesWritten` is the frame's length.
      if (frame.bytesWritten === 0) throw this.#damage(at, 'nothing can be decompressed here');
      at += frame.bytesWritten;
    }
  }

  #source(start: number): ReadStream {
    const end = this.#bytesMax - 1;
    return createReadStream(this.path, { start, end, highWaterMark: sourceBytes });
  }

  /** Returns the size of the file and its first four bytes. */
  async #beginning(): Promise<{ readonly size: number; readonly mark: number }> {
    checkInputFile(this.path);
    try {
      const handle = await open(this.path, 'r');
      try {
        const { size } = await handle.stat();
        const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
        return { size: Math.min(size, this.#bytesMax), mark: buffer.readUInt32LE(0) };
      } finally {
        await handle.close();
      }
    } catch (cause) {
      throw new DecodeError(`${this.path}: cannot be read: ${(cause as Error).message}`, { cause });
    }
  }

  #damage(offset: number, what: string): DecodeError {
    return new DecodeError(`${this.path}: offset ${offset}: ${what}`);
  }
}

/** Writes `source` into `frame` until the frame ends; a pipe would not stop there. */
async function feed(frame: ZstdDecompress, source: ReadStream): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of source) {
      await new Promise((resolve) => frame.write(chunk, resolve));
      bytes += (chunk as Buffer).length;
      if (frame.destroyed || frame.bytesWritten < bytes) return;
    }
    frame.end();
  } catch (error) {
    frame.destroy(error as Error);
  }
}

function recordAt(bytes: Buffer, at: number): DbnRecord {
  return {
    instrument: bytes.readUInt32LE(at + 4),
    eventNanos: bytes.readBigUInt64LE(at + 8),
    orderId: bytes.readBigUInt64LE(at + 16).toString(),
    price: bytes.readBigInt64LE(at + 24),
    size: bytes.readUInt32LE(at + 32),
    flags: bytes[at + 36] as number,
    action: String.fromCharCode(bytes[at + 38] as number),
    side: String.fromCharCode(bytes[at + 39] as number),
    receivedNanos: bytes.readBigUInt64LE(at + 40),
  };
}
