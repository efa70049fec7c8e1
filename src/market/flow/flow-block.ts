/**
 * Recorded order flow in columns: what a compiled recording holds and the tape and the engine read.
 *
 *     meta    u8   kind, side, end of message        one a row
 *     slots   u16 | u32   the order's place          one a row
 *     deltas  u16  time since the row before         one a row; 65,535 is read from `longDeltas`
 *     prices  i32 | f64   ticks                      of creates, of trades marked `pricedFlag`,
 *                                                    and four of a candle: open, high, low, close
 *     volumes i32 | f64   lots                       of creates, trades, resizes, candles
 *
 * Orders have no ids here. A slot is a positive integer that stands for one resting order until a
 * row takes the order away, and for another one later; slot 0 is no order: the row did not fit when
 * the recording was made (a trade of nobody known, an id that was created twice), and says so for
 * ever. A block begins and ends between two messages.
 */

export type IntegerColumn = Int32Array | Float64Array;

export type FlowBlock = {
  readonly rows: number;
  /** Rows of the recording before this block. */
  readonly firstRow: number;
  /** The time that the first delta counts from, microseconds since the epoch. */
  readonly startMicros: number;
  /** What one step of `deltas` is: 1 or 1,000 microseconds. */
  readonly deltaMicros: number;
  readonly meta: Uint8Array;
  readonly slots: Uint16Array | Uint32Array;
  readonly deltas: Uint16Array;
  /** In microseconds. */
  readonly longDeltas: Float64Array;
  readonly prices: IntegerColumn;
  readonly volumes: IntegerColumn;
};

/** The kind of a row: the three low bits of its meta. */
export const rowKind = {
  create: 0,
  delete: 1,
  trade: 2,
  /** The order keeps its place and has the row's volume from now on. */
  resize: 3,
  /** The market's status changes; the slot is its number in {@link statuses}. */
  status: 4,
  /**
   * The stream was lost here. The next message brings the book to what it was found to be after.
   * The slot is 0, or {@link unprovenGap} where that message cannot say which orders stayed.
   */
  gap: 5,
  /** An interval of trading: four prices and a volume. Only in recordings of that grade. */
  candle: 6,
} as const;

export const kindMask = 7;
/** Set for asks: of a create the order's side, of a trade the maker's. */
export const askFlag = 8;
/** Set on the last row of a message. */
export const endFlag = 16;
/** The trade has a price of its own in `prices`: its maker is unknown, or has another one. */
export const pricedFlag = 32;

/** The delta that stands for the next of `longDeltas`. */
export const longDelta = 0xffff;

/** The slot of a gap after which every order of history counts as a new one. */
export const unprovenGap = 1;

export const statuses = ['ACTIVE', 'POST_ONLY', 'SUSPENDED', 'DISABLED', 'UNKNOWN'] as const;

/** Resting orders in columns: bids from the best, then asks from the best, each in queue order. */
export type RestingBlock = {
  readonly bids: number;
  /** The market's status, by its number in {@link statuses}. */
  readonly status: number;
  readonly slots: Uint32Array;
  readonly prices: Float64Array;
  readonly volumes: Float64Array;
};

/**
 * Returns rows `from` to before `to` of a block, counted from 0, as views of the same columns. Both
 * must lie between two messages.
 */
export function sliceBlock(block: FlowBlock, from: number, to: number): FlowBlock {
  const start = columnPlace(block, 0, from, {
    prices: 0,
    volumes: 0,
    longDeltas: 0,
    micros: block.startMicros,
  });
  const end = columnPlace(block, from, to, start);
  return {
    rows: to - from,
    firstRow: block.firstRow + from,
    startMicros: start.micros,
    deltaMicros: block.deltaMicros,
    meta: block.meta.subarray(from, to),
    slots: block.slots.subarray(from, to),
    deltas: block.deltas.subarray(from, to),
    longDeltas: block.longDeltas.subarray(start.longDeltas, end.longDeltas),
    prices: block.prices.subarray(start.prices, end.prices),
    volumes: block.volumes.subarray(start.volumes, end.volumes),
  };
}

type ColumnPlace = {
  readonly prices: number;
  readonly volumes: number;
  readonly longDeltas: number;
  readonly micros: number;
};

function columnPlace(block: FlowBlock, from: number, to: number, at: ColumnPlace): ColumnPlace {
  let { prices, volumes, longDeltas, micros } = at;
  for (let row = from; row < to; row++) {
    const meta = block.meta[row] as number;
    prices += pricesOf(meta);
    volumes += volumesOf(meta);
    const delta = block.deltas[row] as number;
    micros +=
      delta === longDelta ? (block.longDeltas[longDeltas++] as number) : delta * block.deltaMicros;
  }
  return { prices, volumes, longDeltas, micros };
}

/** Returns how many entries of `prices` a row has. */
export function pricesOf(meta: number): number {
  const kind = meta & kindMask;
  if (kind === rowKind.candle) return 4;
  return kind === rowKind.create || (meta & pricedFlag) !== 0 ? 1 : 0;
}

/** Returns how many entries of `volumes` a row has. */
export function volumesOf(meta: number): number {
  const kind = meta & kindMask;
  return kind === rowKind.create ||
    kind === rowKind.trade ||
    kind === rowKind.resize ||
    kind === rowKind.candle
    ? 1
    : 0;
}
