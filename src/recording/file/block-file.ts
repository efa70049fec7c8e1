/**
 * Files of checksummed blocks: the format of captures and recordings. A mark gives the type of the
 * file; blocks follow one after the other, little-endian.
 *
 *     0   8 bytes    MILLCAP1 or MILLREC1
 *     8   block      u32 mark · u8 kind · u8 codec · u16 0 · u32 stored bytes · u32 bytes
 *                    u32 CRC-32 of the stored bytes · u32 CRC-32 of the 20 bytes before
 *                    stored bytes
 *
 * A block is valid as a whole or not at all. A block cut off at the end of the file, which a killed
 * writer leaves, is a different error from a damaged block.
 *
 * Codecs: 0 none, 1 deflate without a wrapper, 2 zstd.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { promisify } from 'node:util';
import {
  crc32,
  deflateRawSync,
  inflateRawSync,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';
import { DecodeError, type FailureOptions } from '../../domain/errors.ts';
import { otherKindOf } from '../../domain/file-kind.ts';
import { fileHeadOf } from '../../runtime/file-head.ts';
import { checkInputFile } from '../../runtime/input-file.ts';

export const fileMark = { capture: 'MILLCAP1', recording: 'MILLREC1' } as const;
export type FileMark = (typeof fileMark)[keyof typeof fileMark];

export const codec = { none: 0, deflate: 1, zstd: 2 } as const;

export const fileMarkBytes = 8;
export const blockHeaderBytes = 24;
const blockMark = 0x424c_4c4d;
/** A header with a larger size is damaged. */
const blockBytesMax = 256 * 1024 * 1024;

/** Returns `bytes` as a block, compressed with `preferred` if that makes it shorter. */
export function encodeBlock(kind: number, bytes: Buffer, preferred: number): Buffer {
  const compressed = compress(bytes, preferred);
  return compressed.length < bytes.length
    ? blockOf(kind, preferred, compressed, bytes.length)
    : blockOf(kind, codec.none, bytes, bytes.length);
}

/** Returns a block of bytes that are already compressed with the codec `used`. */
export function blockOf(kind: number, used: number, stored: Buffer, rawBytes: number): Buffer {
  const block = Buffer.alloc(blockHeaderBytes + stored.length);
  block.writeUInt32LE(blockMark, 0);
  block.writeUInt8(kind, 4);
  block.writeUInt8(used, 5);
  block.writeUInt32LE(stored.length, 8);
  block.writeUInt32LE(rawBytes, 12);
  block.writeUInt32LE(crc32(stored), 16);
  block.writeUInt32LE(crc32(block.subarray(0, 20)), 20);
  stored.copy(block, blockHeaderBytes);
  return block;
}

function compress(bytes: Buffer, used: number): Buffer {
  if (used === codec.deflate) return deflateRawSync(bytes);
  return used === codec.zstd ? zstdCompressSync(bytes) : bytes;
}

export type StoredBlock = {
  readonly kind: number;
  readonly codec: number;
  readonly offset: number;
  readonly nextOffset: number;
  readonly rawBytes: number;
  readonly stored: Buffer;
};

/** The file ends within a block: its writer was killed, or the file was cut. */
export class TornBlockError extends DecodeError {
  readonly offset: number;

  constructor(path: string, offset: number, size: number) {
    super(`${path}: is cut off within the block at offset ${offset}; the file has ${size} bytes`);
    this.offset = offset;
  }
}

/** An open file; its handle is valid in all threads of this process. */
export type OpenFile = { readonly path: string; readonly size: number; readonly handle: number };

/** A file of blocks, opened for reading. Every error names the file and the offset. */
export class BlockFile {
  readonly opened: OpenFile;

  /**
   * Throws NotFoundError if there is no such file, DecodeError if it does not begin with `mark`.
   * Bytes after the first `sizeMax` are ignored, for a file that grows.
   */
  static open(path: string, mark: FileMark, sizeMax = Infinity): BlockFile {
    const handle = openFile(path);
    try {
      const size = Math.min(fstatSync(handle).size, sizeMax);
      const file = new BlockFile({ path, size, handle });
      const found = file.read(0, Math.min(fileMarkBytes, file.size)).toString('latin1');
      if (found !== mark)
        throw new DecodeError(`${path}: ${wrongMarkText(path, found, mark)}`, helpFor(path, found));
      return file;
    } catch (error) {
      closeSync(handle);
      throw error;
    }
  }

  /** Takes a file that {@link BlockFile.open} has checked and that stays open. */
  constructor(opened: OpenFile) {
    this.opened = opened;
  }

  get path(): string {
    return this.opened.path;
  }

  get size(): number {
    return this.opened.size;
  }

  /** Returns bytes of the file; throws DecodeError if the file is shorter. */
  read(offset: number, length: number): Buffer {
    // Not from the shared pool, so that typed arrays can be views of it.
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.opened.handle, bytes, done, length - done, offset + done);
      if (count === 0) throw new TornBlockError(this.path, offset, this.size);
      done += count;
    }
    return bytes;
  }

  /**
   * Returns the block at `offset`, checked and still compressed; undefined at the end of the file.
   * Throws {@link TornBlockError} for a block that is cut off and DecodeError for damage.
   */
  blockAt(offset: number): StoredBlock | undefined {
    if (offset === this.size) return undefined;
    if (offset + blockHeaderBytes > this.size)
      throw new TornBlockError(this.path, offset, this.size);
    const header = this.read(offset, blockHeaderBytes);
    if (
      header.readUInt32LE(0) !== blockMark ||
      header.readUInt32LE(20) !== crc32(header.subarray(0, 20))
    )
      throw this.damage(offset, 'no block begins here, or its header is damaged');
    const storedBytes = header.readUInt32LE(8);
    const rawBytes = header.readUInt32LE(12);
    if (storedBytes > blockBytesMax || rawBytes > blockBytesMax)
      throw this.damage(offset, `a block of ${rawBytes} bytes is longer than ${blockBytesMax}`);
    const nextOffset = offset + blockHeaderBytes + storedBytes;
    if (nextOffset > this.size) throw new TornBlockError(this.path, offset, this.size);
    const stored = this.read(offset + blockHeaderBytes, storedBytes);
    if (crc32(stored) !== header.readUInt32LE(16))
      throw this.damage(offset, 'the checksum of the block is wrong');
    return {
      kind: header.readUInt8(4),
      codec: header.readUInt8(5),
      offset,
      nextOffset,
      rawBytes,
      stored,
    };
  }

  /** Like {@link blockAt}; also throws DecodeError at the end of the file and for another kind. */
  blockOf(offset: number, kind: number): StoredBlock {
    const block = this.blockAt(offset);
    if (block?.kind === kind) return block;
    if (block === undefined) throw this.damage(offset, 'the file ends here: it was cut off');
    throw this.damage(offset, `a block of kind ${kind} was expected`);
  }

  inflate(block: StoredBlock): Buffer {
    try {
      return this.#inflated(block, inflateBlock(block));
    } catch (cause) {
      throw this.#inflateFailure(block, cause);
    }
  }

  /** As {@link inflate}, on a thread of Node's pool if it takes long. */
  async inflateAside(block: StoredBlock): Promise<Buffer> {
    if (block.codec !== codec.zstd) return this.inflate(block);
    try {
      return this.#inflated(block, await decompressed(block.stored, inflateOptions(block)));
    } catch (cause) {
      throw this.#inflateFailure(block, cause);
    }
  }

  #inflated({ offset, rawBytes, codec: used }: StoredBlock, bytes: Buffer | undefined): Buffer {
    if (bytes?.length === rawBytes) return bytes;
    throw this.damage(offset, `codec ${used} is unknown, or the content has a wrong length`);
  }

  #inflateFailure({ offset }: StoredBlock, cause: unknown): DecodeError {
    if (cause instanceof DecodeError) return cause;
    return this.damage(offset, `cannot be decompressed: ${(cause as Error).message}`);
  }

  damage(offset: number, what: string): DecodeError {
    return new DecodeError(`${this.path}: offset ${offset}: ${what}`);
  }

  close(): void {
    closeSync(this.opened.handle);
  }
}

function openFile(path: string): number {
  checkInputFile(path);
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}

const decompressed = promisify(zstdDecompress);

/** Returns the decompressed bytes, or undefined for an unknown codec. */
function inflateBlock(block: StoredBlock): Buffer | undefined {
  switch (block.codec) {
    case codec.none:
      return block.stored;
    case codec.deflate:
      return inflateRawSync(block.stored, inflateOptions(block));
    case codec.zstd:
      return zstdDecompressSync(block.stored, inflateOptions(block));
    default:
      return undefined;
  }
}

/** A chunk has one byte more than needed: zlib allocates another as soon as one is full. */
function inflateOptions({ rawBytes }: StoredBlock) {
  return { maxOutputLength: Math.max(1, rawBytes), chunkSize: Math.max(64, rawBytes + 1) };
}

/** For a capture given instead of a recording, suggests the command that converts it. */
function helpFor(path: string, found: string): FailureOptions {
  if (found !== fileMark.capture) return {};
  return { suggests: ['compile', path, '--output', `${path.replace(/\.cap$/u, '')}.mrec`] };
}

function wrongMarkText(path: string, found: string, mark: FileMark): string {
  if (found === '') return 'is empty';
  if (found === fileMark.capture) return 'is a capture, not a recording';
  if (found === fileMark.recording) return 'is a recording, not a capture';
  const what = mark === fileMark.capture ? 'capture' : 'recording';
  const other = otherKindOf(fileHeadOf(path), what);
  return other === undefined
    ? `is not a ${what}: it does not begin with ${mark}`
    : `is not a ${what}, but ${other}`;
}
