/**
 * Recorded order flow in columns: stored in compiled recordings, read by the replay exchange and
 * the engine.
 *
 *     meta    u8   kind, side, end of message        one per row
 *     slots   u16 | u32   stands for the order       one per row
 *     deltas  u16  time since the row before         one per row; 65,535: see `longDeltas`
 *     prices  i32 | f64   ticks                      one per create and per trade marked
 *                                                    `pricedFlag`; four per candle: open, high,
 *                                                    low, close
 *     volumes i32 | f64   lots                       one per create, trade, resize and candle
 *
 * Orders have no ids here. A slot is a positive integer that stands for one resting order until a
 * row removes that order, and may then stand for another. Slot 0 is not an order: the row did not
 * fit when the recording was made (a trade of an unknown maker, a second create of an id). A block
 * begins and ends between two messages.
 */

export type IntegerColumn = Int32Array | Float64Array;

export type FlowBlock = {
  readonly rows: number;
  /** Rows of the recording before this block. */
  readonly firstRow: number;
  /** The time that the first delta counts from, microseconds since the epoch. */
  readonly startMicros: number;
  /** The unit of `deltas`: 1 or 1,000 microseconds. */
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
  /** The order keeps its place and gets the row's volume. */
  resize: 3,
  /** The market's status changes; the slot is its number in {@link statuses}. */
  status: 4,
  /**
   * The stream was lost here. The next message brings the book to its state after the gap. The slot
   * is 0, or {@link unprovenGap} if that message cannot tell which orders stayed in the book.
   */
  gap: 5,
  /** An interval of trading: four prices and a volume. Only in recordings of candles. */
  candle: 6,
} as const;

export const kindMask = 7;
/** Set for asks: the order's side of a create, the maker's side of a trade. */
export const askFlag = 8;
/** Set on the last row of a message. */
export const endFlag = 16;
/** The trade's price is in `prices`: its maker is unknown, or rests at a different price. */
export const pricedFlag = 32;

/** The delta of a row whose time is in the next entry of `longDeltas`. */
export const longDelta = 0xffff;

/** The slot of a gap after which every order of history counts as new. */
export const unprovenGap = 1;

export const statuses = ['ACTIVE', 'POST_ONLY', 'SUSPENDED', 'DISABLED', 'UNKNOWN'] as const;

/** Resting orders in columns: bids, then asks; each from the best price and in queue order. */
export type RestingBlock = {
  readonly bids: number;
  /** The market's status, by its number in {@link statuses}. */
  readonly status: number;
  readonly slots: Uint32Array;
  readonly prices: Float64Array;
  readonly volumes: Float64Array;
};

/** Returns the time of the first row of a block, which must have one. */
export function firstMicrosOf({ startMicros, deltas, deltaMicros, longDeltas }: FlowBlock): number {
  const delta = deltas[0] === longDelta ? longDeltas[0] : (deltas[0] as number) * deltaMicros;
  return startMicros + (delta as number);
}

/**
 * Returns rows `from` (inclusive) to `to` (exclusive) of a block, counted from 0, as views of the
 * same columns. Both bounds must lie between two messages.
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
