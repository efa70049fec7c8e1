/**
 * A recording of trades or candles as order flow in columns, which the engine and the models of
 * lower grades read as any other: a message for each trade, or for each bar in its last
 * microsecond.
 *
 *     trade of no order … · the made-up bid and ask away · the made-up bid and ask anew
 *
 * A bar that traded is told as up to four trades: open, then low and high (high and low in a bar
 * that falls), close; equal neighbours once. They share its volume evenly, the first has the rest;
 * their takers bought where the price did not fall. A bar of no volume has none, and moves the
 * made-up prices to its close. The made-up orders are as large as the last trade, or bar.
 *
 * No trade is of less than a lot. A bar of fewer lots than prices is told by its close, then its
 * open, then the first of its extremes, as far as its lots go; in front of them stands the bar
 * itself, so that fills are decided by all of its prices.
 *
 * Invariant: a message holds nothing that was not known at its time. Bars end a microsecond before
 * the next one begins, so all their trades have happened when they are told.
 */
import { DecodeError } from '../../domain/errors.ts';
import { type FlowBlock, rowKind } from '../../market/flow/flow-block.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';
import { FlowBlockBuilder } from '../../recording/file/flow-block-builder.ts';

export type SyntheticOptions = {
  readonly halfSpread: number;
  /** How long a bar is. */
  readonly intervalMicros: number;
  /** The recording's, for errors. */
  readonly path: string;
};

type Prices = readonly [open: number, high: number, low: number, close: number];

const bidSlot = 1;
const askSlot = 2;

/** Makes the blocks of a recording, in their order, into those of a synthetic flow. */
export class SyntheticFlow {
  readonly #options: SyntheticOptions;
  readonly #cursor = new FlowCursor();
  /** Rows of the recording so far. */
  recordedRows = 0;
  #rows = 0;
  #hasAsk = false;
  #hasBid = false;
  #price: number | undefined;
  #volume = 0;
  /** The trades of the bar that is being made. */
  readonly #prints: number[] = [];

  constructor(options: SyntheticOptions) {
    this.#options = options;
  }

  /** Returns the messages of the next block. Throws DecodeError for what is no lower grade. */
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
    // The columns of no rows, for a block of none.
    const made = (builder ?? new FlowBlockBuilder(this.#rows, block.startMicros)).take().block;
    this.#rows += made.rows;
    return made;
  }

  #addTrade(builder: FlowBlockBuilder, row: FlowCursor, atMicros: number): void {
    const { kind, isAsk, price, volume } = row;
    if (kind !== rowKind.trade)
      throw new DecodeError(
        `${this.#options.path}: row ${row.sequence} is of kind ${kind}; trades and candles alone belong here`,
      );
    builder.addRow(kind, 0, isAsk, atMicros, price, volume);
    this.#addTop(builder, atMicros, price, volume);
  }

  #addBar(builder: FlowBlockBuilder, row: FlowCursor, atMicros: number): void {
    const [open, high, low, close, volume] = row.candle();
    const { rows } = builder;
    if (volume > 0) this.#addPrints(builder, atMicros, [open, high, low, close], volume);
    this.#addTop(builder, atMicros, close, volume);
    // Something must tell that the bar was there.
    if (builder.rows === rows) builder.addRow(rowKind.status, 0, false, atMicros);
  }

  #addPrints(builder: FlowBlockBuilder, atMicros: number, candle: Prices, volume: number): void {
    const [open, high, low, close] = candle;
    const prices = this.#prints;
    prices.length = 0;
    for (const price of close < open ? candle : [open, low, high, close])
      if (price !== prices.at(-1)) prices.push(price);
    if (volume < prices.length) {
      const bar = { kind: rowKind.candle, slot: 0, isAsk: false, candle, volume };
      builder.add({ ...bar, atMicros, endsMessage: false });
      // Its close, then its open, then the first of its extremes.
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

  /** Puts the made-up prices where they belong after a trade. */
  #addTop(builder: FlowBlockBuilder, atMicros: number, price: number, volume: number): void {
    const offered = Math.max(1, volume);
    if (price === this.#price && offered === this.#volume) return;
    const { halfSpread } = this.#options;
    if (this.#hasBid) builder.addRow(rowKind.delete, bidSlot, false, atMicros);
    if (this.#hasAsk) builder.addRow(rowKind.delete, askSlot, true, atMicros);
    // Nobody pays nothing.
    this.#hasBid = price > halfSpread;
    if (this.#hasBid)
      builder.addRow(rowKind.create, bidSlot, false, atMicros, price - halfSpread, offered);
    builder.addRow(rowKind.create, askSlot, true, atMicros, price + halfSpread, offered);
    this.#hasAsk = true;
    this.#price = price;
    this.#volume = offered;
  }
}
