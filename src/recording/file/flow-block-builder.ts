/**
 * Collects rows into a {@link FlowBlock}, with the ids and the delays that are kept beside it.
 *
 * Columns become narrow where all their values fit: a block knows its own widths.
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
  /** Of a create, and of a trade whose price is not its maker's. */
  readonly price?: number;
  readonly volume?: number;
  readonly candle?: readonly [number, number, number, number];
  /** What the id section says of the row; undefined for rows that need nothing. */
  readonly id?: string;
  /** When the row reached the recorder, after `atMicros`; undefined if that is not known. */
  readonly delayMicros?: number | undefined;
};

export type BuiltBlock = {
  readonly block: FlowBlock;
  /** One a row that has one, in their order. */
  readonly ids: readonly string[];
  /** One a row, or none at all. */
  readonly delays: Int32Array;
};

const noDelay = -(2 ** 31);
const int32Max = 2 ** 31 - 1;

export class FlowBlockBuilder {
  #firstRow: number;
  #startMicros: number;
  #lastMicros: number;
  #meta: number[] = [];
  #slots: number[] = [];
  #deltas: number[] = [];
  #prices: number[] = [];
  #volumes: number[] = [];
  #ids: string[] = [];
  #delays: number[] = [];
  #hasDelays = false;

  /** The first row is number `firstRow + 1`; no row may be before `startMicros`. */
  constructor(firstRow: number, startMicros: number) {
    this.#firstRow = firstRow;
    this.#startMicros = startMicros;
    this.#lastMicros = startMicros;
  }

  get rows(): number {
    return this.#meta.length;
  }

  get lastMicros(): number {
    return this.#lastMicros;
  }

  add(row: BuiltRow): void {
    const isPriced = row.kind === rowKind.trade && row.price !== undefined;
    this.#meta.push(
      row.kind |
        (row.isAsk ? askFlag : 0) |
        (row.endsMessage ? endFlag : 0) |
        (isPriced ? pricedFlag : 0),
    );
    this.#slots.push(row.slot);
    this.#deltas.push(row.atMicros - this.#lastMicros);
    this.#lastMicros = row.atMicros;
    if (row.price !== undefined) this.#prices.push(row.price);
    if (row.candle !== undefined) this.#prices.push(...row.candle);
    if (row.volume !== undefined) this.#volumes.push(row.volume);
    if (row.id !== undefined) this.#ids.push(row.id);
    this.#delays.push(row.delayMicros ?? noDelay);
    if (row.delayMicros !== undefined) this.#hasDelays = true;
  }

  /** Returns the rows so far as a block, and begins the next one. */
  take(): BuiltBlock {
    const isMillis = this.#deltas.every((delta) => delta % 1_000 === 0);
    const deltaMicros = isMillis ? 1_000 : 1;
    const longDeltas: number[] = [];
    const deltas = Uint16Array.from(this.#deltas, (delta) => {
      const steps = delta / deltaMicros;
      if (steps < longDelta) return steps;
      longDeltas.push(delta);
      return longDelta;
    });
    const block: FlowBlock = {
      rows: this.#meta.length,
      firstRow: this.#firstRow,
      startMicros: this.#startMicros,
      deltaMicros,
      meta: Uint8Array.from(this.#meta),
      slots: this.#slots.every((slot) => slot <= 0xffff)
        ? Uint16Array.from(this.#slots)
        : Uint32Array.from(this.#slots),
      deltas,
      longDeltas: Float64Array.from(longDeltas),
      prices: narrowed(this.#prices),
      volumes: narrowed(this.#volumes),
    };
    const delays = this.#hasDelays ? Int32Array.from(this.#delays) : new Int32Array(0);
    const built = { block, ids: this.#ids, delays };
    this.#firstRow += block.rows;
    this.#startMicros = this.#lastMicros;
    this.#meta = [];
    this.#slots = [];
    this.#deltas = [];
    this.#prices = [];
    this.#volumes = [];
    this.#ids = [];
    this.#delays = [];
    this.#hasDelays = false;
    return built;
  }
}

function narrowed(values: readonly number[]): IntegerColumn {
  return values.every((value) => Math.abs(value) <= int32Max)
    ? Int32Array.from(values)
    : Float64Array.from(values);
}
