/**
 * Reads the rows of blocks one after the other. One object moves from row to row; its fields
 * describe the current row until the next call of {@link FlowCursor.next}.
 */
import type { Lots, Ticks } from '../../domain/money.ts';
import { noLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import {
  askFlag,
  endFlag,
  type FlowBlock,
  type IntegerColumn,
  kindMask,
  pricedFlag,
  pricesOf,
  rowKind,
  volumesOf,
} from './flow-block.ts';

// Constants of this module are compiled into the code; imported constants are looked up each time.
const [kindBits, askBit, endBit, pricedBit] = [kindMask, askFlag, endFlag, pricedFlag];
const { candle: candleKind } = rowKind;

const noBytes = new Uint8Array(0);
const noShorts = new Uint16Array(0);
const noFloats = new Float64Array(0);
const noPrice = ticksOf(0);
const noVolume = noLots;

/** An interval of trading. */
export type FlowCandle = readonly [
  open: Ticks,
  high: Ticks,
  low: Ticks,
  close: Ticks,
  volume: Lots,
];

// Columns hold plain numbers. This class gives prices and volumes their types, by casts without a
// check, since a check would run for each row of history.

export class FlowCursor {
  /** Kind, side and end of message, encoded as in the block. */
  meta = 0;
  slot = 0;
  /** 0 for a row without a price, and for a candle. */
  price = noPrice;
  /** 0 for a row without a volume, and for a candle. */
  volume = noVolume;
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
  /** Index of the next unread entry of each column. */
  #nextPrice = 0;
  #nextVolume = 0;
  // Not integers at the start, so that V8 never changes how it stores the fields: the steps of a
  // long block leave the range of its small integers, and all code that uses a cursor would be
  // compiled again.
  #startMicros = 0.5;
  /** Time since `#startMicros`, in units of `#deltaMicros`. */
  #steps = 0.5;

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

  /** Whether a trade has a price in the block. */
  get isPriced(): boolean {
    return (this.meta & pricedBit) !== 0;
  }

  /** The row's number in its recording; the first is 1. */
  get sequence(): number {
    return this.#firstRow + this.#row;
  }

  /** Moves the cursor before the first row of `block`. */
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
    this.#nextPrice = 0;
    this.#nextVolume = 0;
  }

  /** Whether there is no next row. */
  get isAtEnd(): boolean {
    return this.#row >= this.#rows;
  }

  /** Whether the next row of this block has the same time as the current one. */
  get isFollowedAtOnce(): boolean {
    return this.#row < this.#rows && this.#deltas[this.#row] === 0;
  }

  /**
   * Moves to the next row; returns false at the end of the block. It runs for each row, and V8
   * inlines by the length of the bytecode, so it has numbers where a name would take eight bytes:
   * 0xffff is `longDelta`, the kinds are 0 to 2 for creates, deletes and trades, 39 masks the kind
   * and `pricedFlag`.
   */
  next(): boolean {
    const row = this.#row;
    if (row >= this.#rows) return false;
    this.#row = row + 1;
    const delta = this.#deltas[row] as number;
    if (delta === 0xffff) this.#addLongDelta();
    else this.#steps += delta;
    const meta = this.#meta[row] as number;
    this.meta = meta;
    this.slot = this.#slots[row] as number;
    const columns = meta & 39;
    if (columns > 2) this.#readColumns(meta);
    else if (columns === 1) {
      this.price = 0 as Ticks;
      this.volume = 0 as Lots;
    } else {
      const volume = this.#nextVolume;
      this.volume = this.#volumes[volume] as Lots;
      this.#nextVolume = volume + 1;
      if (columns === 0) {
        const price = this.#nextPrice;
        this.price = this.#prices[price] as Ticks;
        this.#nextPrice = price + 1;
      } else this.price = 0 as Ticks;
    }
    return true;
  }

  #readColumns(meta: number): void {
    if ((meta & kindBits) === candleKind) {
      this.price = noPrice;
      this.volume = noVolume;
      this.#nextPrice += 4;
      this.#nextVolume++;
      return;
    }
    const prices = pricesOf(meta);
    const volumes = volumesOf(meta);
    this.price = prices > 0 ? this.#priceAt(this.#nextPrice) : noPrice;
    this.volume = volumes > 0 ? this.#volumeAt(this.#nextVolume) : noVolume;
    this.#nextPrice += prices;
    this.#nextVolume += volumes;
  }

  /** Counts from this row's time on; its delta is in `longDeltas`. */
  #addLongDelta(): void {
    this.#startMicros = this.atMicros + (this.#longDeltas[this.#longDelta++] as number);
    this.#steps = 0;
  }

  // The prices and the volume of the current row, which must be a candle.

  get open(): Ticks {
    return this.#priceAt(this.#nextPrice - 4);
  }

  get high(): Ticks {
    return this.#priceAt(this.#nextPrice - 3);
  }

  get low(): Ticks {
    return this.#priceAt(this.#nextPrice - 2);
  }

  get close(): Ticks {
    return this.#priceAt(this.#nextPrice - 1);
  }

  get traded(): Lots {
    return this.#volumeAt(this.#nextVolume - 1);
  }

  /** Returns the prices and the volume of the current row, which must be a candle. */
  candle(): FlowCandle {
    return [this.open, this.high, this.low, this.close, this.traded];
  }

  #priceAt(index: number): Ticks {
    return this.#prices[index] as Ticks;
  }

  #volumeAt(index: number): Lots {
    return this.#volumes[index] as Lots;
  }
}
