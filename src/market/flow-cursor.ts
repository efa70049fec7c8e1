/**
 * Reads the rows of blocks one after the other: a view that is moved, not a value per row.
 *
 * What it tells is of the row that {@link FlowCursor.next} came to, until the next call. Prices,
 * volumes and times are looked up only for whoever asks: which rows have them nobody can foresee,
 * and a wrong guess of the processor costs as much as a row.
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

// Constants of this module are compiled into the code; imported ones are looked up each time.
const [kindBits, askBit, endBit, pricedBit] = [kindMask, askFlag, endFlag, pricedFlag];
const columnBits = kindMask | pricedFlag;
const isLong = longDelta;
const hasPrice = 1;
const hasVolume = 2;

/** Which columns a row of each kind has, priced or not; a candle's are taken on demand. */
const columnsOf = Uint8Array.from({ length: (kindMask | pricedFlag) + 1 }, (_, meta) => {
  const kind = meta & kindMask;
  if (kind === rowKind.candle) return 0;
  return (pricesOf(meta) > 0 ? hasPrice : 0) | (volumesOf(meta) > 0 ? hasVolume : 0);
});

/** Leaves room for one more in what the engine keeps as a small integer. */
const stepsMax = 2 ** 30;

const noBytes = new Uint8Array(0);
const noShorts = new Uint16Array(0);
const noFloats = new Float64Array(0);

export class FlowCursor {
  /** Kind, side and end of message, as the block has them. */
  meta = 0;
  slot = 0;
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
  /** Which columns the row has, and where they have it, or will have the next. */
  #columns = 0;
  #price = 0;
  #volume = 0;
  // Begins as no integer, so that the engine never has to change how it keeps the field.
  #startMicros = 0.5;
  /** Since `#startMicros`, in steps of `#deltaMicros`. */
  #steps = 0;

  /** 0 for a row that has none. */
  get price(): number {
    return (this.#columns & hasPrice) === 0 ? 0 : (this.#prices[this.#price] as number);
  }

  /** 0 for a row that has none. */
  get volume(): number {
    return (this.#columns & hasVolume) === 0 ? 0 : (this.#volumes[this.#volume] as number);
  }

  get atMicros(): number {
    return this.#startMicros + this.#steps * this.#deltaMicros;
  }

  get kind(): number {
    return this.meta & kindBits;
  }

  get isAsk(): boolean {
    return (this.meta & askBit) !== 0;
  }

  get endsMessage(): boolean {
    return (this.meta & endBit) !== 0;
  }

  /** Whether a trade has a price of its own. */
  get isPriced(): boolean {
    return (this.meta & pricedBit) !== 0;
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
    this.#startMicros = block.startMicros;
    this.#steps = 0;
    this.#firstRow = block.firstRow;
    this.#rows = block.rows;
    this.#row = 0;
    this.#longDelta = 0;
    this.#columns = 0;
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
    if (delta === isLong || this.#steps > stepsMax) this.#begin(delta);
    else this.#steps += delta;
    const before = this.#columns;
    this.#price += before & hasPrice;
    this.#volume += before >> 1;
    const meta = this.#meta[row] as number;
    this.meta = meta;
    this.#columns = columnsOf[meta & columnBits] as number;
    this.slot = this.#slots[row] as number;
    return true;
  }

  /** Counts from this row's time on: its distance is a long one, or the steps became many. */
  #begin(delta: number): void {
    const micros = delta === longDelta ? this.#longDeltas[this.#longDelta++] : undefined;
    this.#startMicros = this.atMicros + (micros ?? delta * this.#deltaMicros);
    this.#steps = 0;
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
