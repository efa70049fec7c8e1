/**
 * Decodes Databento's DBN files of order-by-order records (schema MBO), plain or in zstd frames.
 *
 *     "DBN" · u8 version · u32 metadata bytes · metadata (begins with 16 bytes of data set name)
 *     records: u8 length / 4 · u8 type 0xA0 · u16 publisher · u32 instrument · u64 event time
 *              u64 order id · i64 price in 10^-9 · u32 size · u8 flags · u8 channel
 *              char action · char side · u64 receive time · i32 delta · u32 sequence
 *              and, in files of a live stream that asked for it, u64 time at which it was sent
 *
 * Times are nanoseconds since the epoch. Records of other types are counted and left out. Memory
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
   * 128: last of its event; 64: of the top of the book; 32: of a snapshot; 16: of a whole level; 4:
   * of a book that may be wrong.
   */
  readonly flags: number;
  /** Add, Cancel, Modify, Trade, Fill, cleaR, None. */
  readonly action: string;
  /** Bid, Ask, None. */
  readonly side: string;
};

const mboType = 0xa0;
const mboBytes = 56;
const sentTimeBytes = 8;
const zstdMark = 0xfd2f_b528;
const chunkBytes = 1 << 20;
const sourceBytes = 1 << 17;
/** Those of one instrument are some hundred bytes; what says more is damaged. */
const metadataBytesMax = 1 << 26;

export class DbnFile {
  readonly path: string;
  /** Where it was recorded, as its metadata says; known when records come. */
  dataset = '';
  /** Records of other types. */
  others = 0;
  readonly #bytesMax: number;

  /** What is behind `bytesMax` is not read. */
  constructor(path: string, bytesMax = Infinity) {
    this.path = path;
    this.#bytesMax = bytesMax;
  }

  /** Yields the records in batches; throws DecodeError with file and offset. */
  async *batches(): AsyncGenerator<readonly DbnRecord[], void> {
    let rest = Buffer.alloc(0);
    let offset = 0;
    let isBegun = false;
    for await (const chunk of this.#plainChunks()) {
      rest = Buffer.concat([rest, chunk]);
      let at = 0;
      if (!isBegun) {
        const bytes = this.#metadata(rest);
        if (bytes === undefined) continue;
        at = bytes;
        isBegun = true;
      }
      const records: DbnRecord[] = [];
      while (at < rest.length) {
        const length = (rest[at] as number) * 4;
        if (length < 16) throw this.#damage(offset + at, `a record of ${length} bytes`);
        if (at + length > rest.length) break;
        if (rest[at + 1] !== mboType) this.others++;
        else if (length !== mboBytes && length !== mboBytes + sentTimeBytes)
          throw this.#damage(offset + at, `an order record of ${length} bytes`);
        else records.push(recordAt(rest, at));
        at += length;
      }
      rest = rest.subarray(at);
      offset += at;
      yield records;
    }
    if (!isBegun) throw new DecodeError(`${this.path}: is no DBN file`);
    if (rest.length > 0) throw this.#damage(offset, 'the file is cut off within a record');
  }

  /** Returns where the records begin, or undefined if more bytes are needed. */
  #metadata(bytes: Buffer): number | undefined {
    if (bytes.length < 8) return undefined;
    if (bytes.toString('latin1', 0, 3) !== 'DBN')
      throw new DecodeError(`${this.path}: is no DBN file: it does not begin with DBN`);
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

  /** Yields the file's bytes, decompressed; a file may be several zstd frames. */
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
      // It stops at the end of its frame and says how far that was.
      if (frame.bytesWritten === 0) throw this.#damage(at, 'nothing can be decompressed here');
      at += frame.bytesWritten;
    }
  }

  #source(start: number): ReadStream {
    const end = this.#bytesMax - 1;
    return createReadStream(this.path, { start, end, highWaterMark: sourceBytes });
  }

  /** Returns how long the file is, and what it begins with. */
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

/** Writes `source` into `frame` up to where that ends: behind it, a pipe would write on. */
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
