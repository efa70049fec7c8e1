/**
 * The bytes of a block of rows, little-endian, before compression. Every column begins at a
 * multiple of 8, so that a reader can use typed arrays as views and copies nothing.
 *
 *     0   f64 firstRow          16  u32 rows       32  u32 delta in microseconds
 *     8   f64 startMicros       20  u32 prices     36  u32 1: slots are u32, 2: prices are f64,
 *                               24  u32 volumes           4: volumes are f64
 *                               28  u32 longDeltas
 *     40  longDeltas · prices · volumes · slots · deltas · meta
 */
import { DecodeError } from '../../domain/errors.ts';
import type { FlowBlock, IntegerColumn, RestingBlock } from '../../market/flow/flow-block.ts';

const headerBytes = 40;
const wideSlots = 1;
const widePrices = 2;
const wideVolumes = 4;

export function encodeFlowBlock(block: FlowBlock): Buffer {
  const columns = [
    block.longDeltas,
    block.prices,
    block.volumes,
    block.slots,
    block.deltas,
    block.meta,
  ];
  const size = columns.reduce((sum, { byteLength }) => sum + padded(byteLength), headerBytes);
  const bytes = Buffer.alloc(size);
  bytes.writeDoubleLE(block.firstRow, 0);
  bytes.writeDoubleLE(block.startMicros, 8);
  const { prices, volumes, longDeltas } = block;
  const widths =
    (block.slots instanceof Uint32Array ? wideSlots : 0) |
    (prices instanceof Float64Array ? widePrices : 0) |
    (volumes instanceof Float64Array ? wideVolumes : 0);
  const counts = [block.rows, prices.length, volumes.length, longDeltas.length];
  for (const [index, value] of [...counts, block.deltaMicros, widths].entries())
    bytes.writeUInt32LE(value, 16 + index * 4);
  writeColumns(bytes, headerBytes, columns);
  return bytes;
}

/**
 * Returns the block in `given`, as views of its bytes. Throws {@link DecodeError} if the counts do
 * not match the number of bytes; its message begins with `where`.
 */
export function decodeFlowBlock(given: Buffer, where: string): FlowBlock {
  const bytes = aligned(given);
  if (bytes.byteLength < headerBytes) throw new DecodeError(`${where}: a block is too short`);
  const [rows, prices, volumes, longDeltas, deltaMicros, widths] = [0, 1, 2, 3, 4, 5].map((index) =>
    bytes.readUInt32LE(16 + index * 4),
  ) as [number, number, number, number, number, number];
  const columns = new ColumnReader(bytes, headerBytes, where);
  const integers = (count: number, isWide: boolean): IntegerColumn =>
    isWide ? columns.floats(count) : columns.integers(count);
  const block: FlowBlock = {
    rows,
    firstRow: bytes.readDoubleLE(0),
    startMicros: bytes.readDoubleLE(8),
    deltaMicros,
    longDeltas: columns.floats(longDeltas),
    prices: integers(prices, (widths & widePrices) !== 0),
    volumes: integers(volumes, (widths & wideVolumes) !== 0),
    slots: (widths & wideSlots) === 0 ? columns.shorts(rows) : columns.words(rows),
    deltas: columns.shorts(rows),
    meta: columns.bytes(rows),
  };
  columns.end();
  return block;
}

const restingHeaderBytes = 16;

/** A checkpoint: u32 bids, u32 orders, u32 status, u32 0, then the columns of resting orders. */
export function encodeResting(resting: RestingBlock): Buffer {
  const columns = [resting.prices, resting.volumes, resting.slots];
  const size = columns.reduce(
    (sum, { byteLength }) => sum + padded(byteLength),
    restingHeaderBytes,
  );
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32LE(resting.bids, 0);
  bytes.writeUInt32LE(resting.slots.length, 4);
  bytes.writeUInt32LE(resting.status, 8);
  writeColumns(bytes, restingHeaderBytes, columns);
  return bytes;
}

/** Returns the resting orders in `given`; throws {@link DecodeError} if they are malformed. */
export function decodeResting(given: Buffer, where: string): RestingBlock {
  const bytes = aligned(given);
  if (bytes.byteLength < restingHeaderBytes)
    throw new DecodeError(`${where}: a checkpoint is too short`);
  const bids = bytes.readUInt32LE(0);
  const orders = bytes.readUInt32LE(4);
  if (bids > orders) throw new DecodeError(`${where}: a checkpoint has more bids than orders`);
  const status = bytes.readUInt32LE(8);
  const columns = new ColumnReader(bytes, restingHeaderBytes, where);
  const prices = columns.floats(orders);
  const volumes = columns.floats(orders);
  const slots = columns.words(orders);
  columns.end();
  return { bids, status, slots, prices, volumes };
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

function writeColumns(bytes: Buffer, from: number, columns: readonly Column[]): void {
  let offset = from;
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += padded(column.byteLength);
  }
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** Copies a buffer that does not begin at a multiple of 8, which typed arrays require. */
function aligned(bytes: Buffer): Buffer {
  if (bytes.byteOffset % 8 === 0) return bytes;
  const copy = Buffer.from(new ArrayBuffer(bytes.byteLength));
  bytes.copy(copy);
  return copy;
}

class ColumnReader {
  readonly #bytes: Buffer;
  readonly #where: string;
  #offset: number;

  constructor(bytes: Buffer, offset: number, where: string) {
    this.#bytes = bytes;
    this.#offset = offset;
    this.#where = where;
  }

  floats(count: number): Float64Array {
    return new Float64Array(this.#buffer(), this.#take(count * 8), count);
  }

  integers(count: number): Int32Array {
    return new Int32Array(this.#buffer(), this.#take(count * 4), count);
  }

  words(count: number): Uint32Array {
    return new Uint32Array(this.#buffer(), this.#take(count * 4), count);
  }

  shorts(count: number): Uint16Array {
    return new Uint16Array(this.#buffer(), this.#take(count * 2), count);
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(this.#buffer(), this.#take(count), count);
  }

  /** Throws unless all bytes are read. */
  end(): void {
    if (this.#offset !== this.#bytes.byteLength)
      throw new DecodeError(`${this.#where}: columns do not fill their block`);
  }

  #buffer(): ArrayBuffer {
    return this.#bytes.buffer as ArrayBuffer;
  }

  #take(bytes: number): number {
    const start = this.#offset;
    this.#offset += padded(bytes);
    if (this.#offset > this.#bytes.byteLength)
      throw new DecodeError(`${this.#where}: columns are longer than their block`);
    return this.#bytes.byteOffset + start;
  }
}
