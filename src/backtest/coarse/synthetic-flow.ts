/**
 * Converts a recording of trades or candles to order flow in columns, so that the engine and the
 * fill models read it like any other: one message for each trade, or for each bar in its last
 * microsecond.
 *
 *     trades without orders … · delete the synthetic bid and ask · create the new bid and ask
 *
 * A bar with volume becomes up to four trades: open, low and high (high and low if the bar falls),
 * close; equal consecutive prices once. They share its volume evenly; the first has the remainder.
 * Their takers are buyers unless the price fell. A bar without volume has no trades and moves the
 * synthetic prices to its close. The synthetic orders have the volume of the last trade or bar.
 *
 * A trade has at least one lot. A bar with fewer lots than prices becomes as many trades as it has
 * lots: at its close, then also its open, then also the first of its extremes. The bar itself comes
 * before them in the message, so that all its prices decide fills.
 *
 * Invariant: a message contains nothing that was unknown at its time. A bar's message comes a
 * microsecond before the next bar begins, when all its trades have happened.
 */
import { DecodeError } from '../../domain/errors.ts';
import { type FlowBlock, rowKind } from '../../market/flow/flow-block.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';
import { FlowBlockBuilder } from '../../recording/file/flow-block-builder.ts';

export type SyntheticOptions = {
  /** In ticks. */
  readonly halfSpread: number;
  /** The length of a bar. */
  readonly intervalMicros: number;
  /** The recording's path, for errors. */
  readonly path: string;
};

type Prices = readonly [open: number, high: number, low: number, close: number];

const bidSlot = 1;
const askSlot = 2;

/** Converts the blocks of a recording, one after another. */
export class SyntheticFlow {
  readonly #options: SyntheticOptions;
  readonly #cursor = new FlowCursor();
  /** The number of rows of the recording so far. */
  recordedRows = 0;
  #rows = 0;
  #hasAsk = false;
  #hasBid = false;
  #price: number | undefined;
  #volume = 0;
  /** The prices of the current bar's trades. */
  readonly #prices: number[] = [];

  constructor(options: SyntheticOptions) {
    this.#options = options;
  }

  /** Returns the messages of the next block. Throws DecodeError for rows of orders. */
  blockOf(block: FlowBlock): FlowBlock {
    this.recordedRows += block.rows;
    const row = this.#cursor;
    row.load(block);
    let builder: FlowBlockBuilder | undefined;
    while (row.next()) {
      const isCandle = row.kind === rowKind.candle;
      const atMicros = row.atMicros + (isCandle ? this.#options.intervalMicros - 1 : 0);
      builder ??= new FlowBlockBuilder(this.#rows, atMicros);
      if (isCandle) this.#addBar(builder, row, atMicros);
      else this.#addTrade(builder, row, atMicros);
      builder.endMessage();
    }
    // A block without rows gives one without rows.
    const made = (builder ?? new FlowBlockBuilder(this.#rows, block.startMicros)).take().block;
    this.#rows += made.rows;
    return made;
  }

  #addTrade(builder: FlowBlockBuilder, row: FlowCursor, atMicros: number): void {
    const { kind, isAsk, price, volume } = row;
    if (kind !== rowKind.trade)
      throw new DecodeError(
        `${this.#options.path}: row ${row.sequence} has kind ${kind}; a recording of trades or candles has no other rows`,
      );
    builder.addRow(kind, 0, isAsk, atMicros, price, volume);
    this.#addTop(builder, atMicros, price, volume);
  }

  #addBar(builder: FlowBlockBuilder, row: FlowCursor, atMicros: number): void {
    const [open, high, low, close, volume] = row.candle();
    const { rows } = builder;
    if (volume > 0) this.#addTrades(builder, atMicros, [open, high, low, close], volume);
    this.#addTop(builder, atMicros, close, volume);
    // The bar needs at least one row, so that its message exists.
    if (builder.rows === rows) builder.addRow(rowKind.status, 0, false, atMicros);
  }

  #addTrades(builder: FlowBlockBuilder, atMicros: number, candle: Prices, volume: number): void {
    const [open, high, low, close] = candle;
    const prices = this.#prices;
    prices.length = 0;
    for (const price of close < open ? candle : [open, low, high, close])
      if (price !== prices.at(-1)) prices.push(price);
    if (volume < prices.length) {
      const bar = { kind: rowKind.candle, slot: 0, isAsk: false, candle, volume };
      builder.add({ ...bar, atMicros, endsMessage: false });
      // Keeps the close, then the open, then the first of the extremes.
      prices.splice(volume - 1, prices.length - volume);
      if (volume > 1 && prices[volume - 1] === prices[volume - 2]) prices.pop();
    }
    const rest = volume % prices.length;
    const each = (volume - rest) / prices.length;
    let before = this.#price ?? open;
    for (let index = 0; index < prices.length; index++) {
      const price = prices[index] as number;
      builder.addRow(
        rowKind.trade,
        0,
        price >= before,
        atMicros,
        price,
        index === 0 ? each + rest : each,
      );
      before = price;
    }
  }

  /** Moves the synthetic prices after a trade or a bar. */
  #addTop(builder: FlowBlockBuilder, atMicros: number, price: number, volume: number): void {
    const offered = Math.max(1, volume);
    if (price === this.#price && offered === this.#volume) return;
    const { halfSpread } = this.#options;
    if (this.#hasBid) builder.addRow(rowKind.delete, bidSlot, false, atMicros);
    if (this.#hasAsk) builder.addRow(rowKind.delete, askSlot, true, atMicros);
    // A bid needs a price above zero.
    this.#hasBid = price > halfSpread;
    if (this.#hasBid)
      builder.addRow(rowKind.create, bidSlot, false, atMicros, price - halfSpread, offered);
    builder.addRow(rowKind.create, askSlot, true, atMicros, price + halfSpread, offered);
    this.#hasAsk = true;
    this.#price = price;
    this.#volume = offered;
  }
}
