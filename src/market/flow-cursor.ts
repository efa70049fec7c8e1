/**
 * Reads the rows of blocks one after the other: a view that is moved, not a value per row.
 *
 * The fields describe the row that {@link FlowCursor.next} came to and are overwritten by the next
 * call. `price` is 0 for rows that have none, `volume` likewise.
 */
import {
  askFlag,
  endFlag,
  type FlowBlock,
  type IntegerColumn,
  kindMask,
  longDelta,
  pricedFlag,
  pricesOf,
  rowKind,
  volumesOf,
} from './flow-block.ts';

const hasPrice = 1;
const hasVolume = 2;

/** Which columns a row of each kind has, priced or not; a candle's are taken on demand. */
const columnsOf = Uint8Array.from({ length: (kindMask | pricedFlag) + 1 }, (_, meta) => {
  const kind = meta & kindMask;
  if (kind === rowKind.candle) return 0;
  return (pricesOf(meta) > 0 ? hasPrice : 0) | (volumesOf(meta) > 0 ? hasVolume : 0);
});

const noBytes = new Uint8Array(0);
const noShorts = new Uint16Array(0);
const noFloats = new Float64Array(0);

export class FlowCursor {
  /** Kind, side and end of message, as the block has them. */
  meta = 0;
  slot = 0;
  price = 0;
  volume = 0;
  // Begins as no integer, so that the engine never has to change how it keeps the field.
  atMicros = 0.5;
  #meta = noBytes;
  #slots: Uint16Array | Uint32Array = noShorts;
  #deltas = noShorts;
  #longDeltas = noFloats;
  #prices: IntegerColumn = noFloats;
  #volumes: IntegerColumn = noFloats;
  #deltaMicros = 1;
  #firstRow = 0;
  #row = 0;
  #rows = 0;
  #longDelta = 0;
  #price = 0;
  #volume = 0;

  get kind(): number {
    return this.meta & kindMask;
  }

  get isAsk(): boolean {
    return (this.meta & askFlag) !== 0;
  }

  get endsMessage(): boolean {
    return (this.meta & endFlag) !== 0;
  }

  /** Whether a trade has a price of its own. */
  get isPriced(): boolean {
    return (this.meta & pricedFlag) !== 0;
  }

  /** The row's number in its recording; the first is 1. */
  get sequence(): number {
    return this.#firstRow + this.#row;
  }

  /** Stands before the first row of `block`. */
  load(block: FlowBlock): void {
    this.#meta = block.meta as Uint8Array<ArrayBuffer>;
    this.#slots = block.slots;
    this.#deltas = block.deltas as Uint16Array<ArrayBuffer>;
    this.#longDeltas = block.longDeltas as Float64Array<ArrayBuffer>;
    this.#prices = block.prices;
    this.#volumes = block.volumes;
    this.#deltaMicros = block.deltaMicros;
    this.atMicros = block.startMicros;
    this.#firstRow = block.firstRow;
    this.#rows = block.rows;
    this.#row = 0;
    this.#longDelta = 0;
    this.#price = 0;
    this.#volume = 0;
  }

  /** Whether there is no next row. */
  get isAtEnd(): boolean {
    return this.#row >= this.#rows;
  }

  /** Goes to the next row; returns false when the block has no more. */
  next(): boolean {
    const row = this.#row;
    if (row >= this.#rows) return false;
    this.#row = row + 1;
    const delta = this.#deltas[row] as number;
    this.atMicros +=
      delta === longDelta
        ? (this.#longDeltas[this.#longDelta++] as number)
        : delta * this.#deltaMicros;
    const meta = this.#meta[row] as number;
    this.meta = meta;
    this.slot = this.#slots[row] as number;
    const columns = columnsOf[meta & (kindMask | pricedFlag)] as number;
    this.price = (columns & hasPrice) === 0 ? 0 : (this.#prices[this.#price++] as number);
    this.volume = (columns & hasVolume) === 0 ? 0 : (this.#volumes[this.#volume++] as number);
    return true;
  }

  /** Returns a candle's prices and volume; once, when the cursor has come to a candle. */
  takeCandle(): readonly [open: number, high: number, low: number, close: number, volume: number] {
    const at = this.#price;
    this.#price += 4;
    const prices = this.#prices;
    const volume = this.#volumes[this.#volume++] as number;
    return [
      prices[at] as number,
      prices[at + 1] as number,
      prices[at + 2] as number,
      prices[at + 3] as number,
      volume,
    ];
  }
}
