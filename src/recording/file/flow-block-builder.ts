/**
 * Collects rows into a {@link FlowBlock}, with the ids and delays that are stored in blocks of
 * their own. Its memory is used again for the next block.
 *
 * Each block stores its columns in the narrowest type that holds all their values.
 */
import {
  askFlag,
  endFlag,
  type FlowBlock,
  type IntegerColumn,
  longDelta,
  pricedFlag,
  rowKind,
} from '../../market/flow/flow-block.ts';

export type BuiltRow = {
  readonly kind: number;
  readonly atMicros: number;
  readonly slot: number;
  readonly isAsk: boolean;
  readonly endsMessage: boolean;
  /** For a create, and for a trade whose price differs from its maker's. */
  readonly price?: number;
  readonly volume?: number;
  readonly candle?: readonly [number, number, number, number];
  /** The row's entry in the id section; undefined for rows without an entry. */
  readonly id?: string;
  /** Time from `atMicros` to the receipt by the recorder; undefined if not known. */
  readonly delayMicros?: number | undefined;
};

export type BuiltBlock = {
  readonly block: FlowBlock;
  /** The ids of the rows that have one, in order. */
  readonly ids: readonly string[];
  /** One per row; empty if no row has a delay. */
  readonly delays: Int32Array;
};

const noDelay = -(2 ** 31);
const int32Max = 2 ** 31 - 1;
const uint16Max = 2 ** 16 - 1;
const rowsAtStart = 1_024;

/** A growing array of numbers. */
class Column {
  count = 0;
  #values = new Float64Array(rowsAtStart);

  push(value: number): void {
    if (this.count === this.#values.length) {
      const values = new Float64Array(2 * this.count);
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[this.count++] = value;
  }

  clear(): void {
    this.count = 0;
  }

  setLast(value: number): void {
    this.#values[this.count - 1] = value;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  /** The values without copying, valid until the next push. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.count);
  }

  /** Returns whether all values are within ±`limit`. */
  isWithin(limit: number): boolean {
    for (let index = 0; index < this.count; index++)
      if (Math.abs(this.at(index)) > limit) return false;
    return true;
  }
}

/** The columns of the rows so far. */
class Columns {
  readonly meta = new Column();
  readonly slots = new Column();
  /** In microseconds. */
  readonly deltas = new Column();
  readonly prices = new Column();
  readonly volumes = new Column();
  ids: string[] = [];
  /** Empty until a row has a delay; then one per row. */
  delays: number[] = [];

  clear(): void {
    for (const column of [this.meta, this.slots, this.deltas, this.prices, this.volumes])
      column.clear();
    this.ids = [];
    this.delays = [];
  }
}

export class FlowBlockBuilder {
  #firstRow: number;
  #startMicros: number;
  #lastMicros: number;
  readonly #columns = new Columns();

  /** The first row has the number `firstRow + 1`; no row may be earlier than `startMicros`. */
  constructor(firstRow: number, startMicros: number) {
    this.#firstRow = firstRow;
    this.#startMicros = startMicros;
    this.#lastMicros = startMicros;
  }

  get rows(): number {
    return this.#columns.meta.count;
  }

  get lastMicros(): number {
    return this.#lastMicros;
  }

  add(row: BuiltRow): void {
    const { ids, delays, prices } = this.#columns;
    if (row.delayMicros !== undefined || delays.length > 0) {
      while (delays.length < this.rows) delays.push(noDelay);
      delays.push(row.delayMicros ?? noDelay);
    }
    this.addRow(row.kind, row.slot, row.isAsk, row.atMicros, row.price, row.volume);
    if (row.candle !== undefined) for (const price of row.candle) prices.push(price);
    if (row.id !== undefined) ids.push(row.id);
    if (row.endsMessage) this.endMessage();
  }

  /** Like {@link add}, for a row without id, delay and candle that does not end its message. */
  addRow(
    kind: number,
    slot: number,
    isAsk: boolean,
    atMicros: number,
    price?: number,
    volume?: number,
  ): void {
    const { meta, slots, deltas, prices, volumes } = this.#columns;
    const isPriced = kind === rowKind.trade && price !== undefined;
    meta.push(kind | (isAsk ? askFlag : 0) | (isPriced ? pricedFlag : 0));
    slots.push(slot);
    deltas.push(atMicros - this.#lastMicros);
    this.#lastMicros = atMicros;
    if (price !== undefined) prices.push(price);
    if (volume !== undefined) volumes.push(volume);
  }

  /** Marks the last row as the end of its message. */
  endMessage(): void {
    const { meta } = this.#columns;
    meta.setLast(meta.at(meta.count - 1) | endFlag);
  }

  /** Returns the rows so far as a block, and starts the next block. */
  take(): BuiltBlock {
    const { meta, slots, prices, volumes, ids, delays } = this.#columns;
    const block: FlowBlock = {
      rows: meta.count,
      firstRow: this.#firstRow,
      startMicros: this.#startMicros,
      ...deltasOf(this.#columns.deltas),
      meta: new Uint8Array(meta.values),
      slots: slots.isWithin(uint16Max)
        ? new Uint16Array(slots.values)
        : new Uint32Array(slots.values),
      prices: narrowed(prices),
      volumes: narrowed(volumes),
    };
    this.#firstRow += block.rows;
    this.#startMicros = this.#lastMicros;
    this.#columns.clear();
    return { block, ids, delays: Int32Array.from(delays) };
  }
}

function deltasOf(column: Column): Pick<FlowBlock, 'deltaMicros' | 'deltas' | 'longDeltas'> {
  let isMillis = true;
  for (let index = 0; index < column.count; index++)
    if (column.at(index) % 1_000 !== 0) isMillis = false;
  const deltaMicros = isMillis ? 1_000 : 1;
  const deltas = new Uint16Array(column.count);
  const longDeltas: number[] = [];
  for (let index = 0; index < column.count; index++) {
    const delta = column.at(index);
    const isLong = delta / deltaMicros >= longDelta;
    if (isLong) longDeltas.push(delta);
    deltas[index] = isLong ? longDelta : delta / deltaMicros;
  }
  return { deltaMicros, deltas, longDeltas: Float64Array.from(longDeltas) };
}

function narrowed(column: Column): IntegerColumn {
  return column.isWithin(int32Max) ? new Int32Array(column.values) : column.values.slice();
}
