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
import { type BuiltRow, FlowBlockBuilder } from '../../recording/file/flow-block-builder.ts';

export type SyntheticOptions = {
  readonly halfSpread: number;
  /** How long a bar is. */
  readonly intervalMicros: number;
  /** The recording's, for errors. */
  readonly path: string;
};

type Row = Omit<BuiltRow, 'atMicros' | 'endsMessage'>;
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
      const rows = isCandle ? this.#barRows(row) : this.#tradeRows(row);
      builder ??= new FlowBlockBuilder(this.#rows, atMicros);
      for (const [index, one] of rows.entries())
        builder.add({ ...one, atMicros, endsMessage: index === rows.length - 1 });
      this.#rows += rows.length;
    }
    // The columns of no rows, for a block of none.
    return (builder ?? new FlowBlockBuilder(this.#rows, block.startMicros)).take().block;
  }

  #tradeRows(row: FlowCursor): readonly Row[] {
    const { kind, isAsk, price, volume } = row;
    if (kind !== rowKind.trade)
      throw new DecodeError(
        `${this.#options.path}: row ${row.sequence} is of kind ${kind}; trades and candles alone belong here`,
      );
    const trade: Row = { kind, slot: 0, isAsk, price, volume };
    return [trade, ...this.#topRows(price, volume)];
  }

  #barRows(row: FlowCursor): readonly Row[] {
    const [open, high, low, close, volume] = row.candle();
    const rows = [
      ...this.#printRows([open, high, low, close], volume),
      ...this.#topRows(close, volume),
    ];
    // Something must tell that the bar was there.
    return rows.length > 0 ? rows : [{ kind: rowKind.status, slot: 0, isAsk: false }];
  }

  #printRows(candle: Prices, volume: number): readonly Row[] {
    if (volume === 0) return [];
    const [open, high, low, close] = candle;
    const path = close < open ? [open, high, low, close] : [open, low, high, close];
    const all = withoutRepeats(path);
    const count = Math.min(all.length, volume);
    const prices = withoutRepeats(all.toSpliced(count - 1, all.length - count));
    const rest = volume % prices.length;
    const each = (volume - rest) / prices.length;
    let before = this.#price ?? open;
    const prints = prices.map((price, index): Row => {
      const isAsk = price >= before;
      before = price;
      const printed = index === 0 ? each + rest : each;
      return { kind: rowKind.trade, slot: 0, isAsk, price, volume: printed };
    });
    if (count === all.length) return prints;
    return [{ kind: rowKind.candle, slot: 0, isAsk: false, candle, volume }, ...prints];
  }

  /** Puts the made-up prices where they belong after a trade. */
  #topRows(price: number, volume: number): readonly Row[] {
    const offered = Math.max(1, volume);
    if (price === this.#price && offered === this.#volume) return [];
    const { halfSpread } = this.#options;
    const rows: Row[] = [];
    if (this.#hasBid) rows.push({ kind: rowKind.delete, slot: bidSlot, isAsk: false });
    if (this.#hasAsk) rows.push({ kind: rowKind.delete, slot: askSlot, isAsk: true });
    const side = { kind: rowKind.create, volume: offered };
    // Nobody pays nothing.
    this.#hasBid = price > halfSpread;
    if (this.#hasBid)
      rows.push({ ...side, slot: bidSlot, isAsk: false, price: price - halfSpread });
    rows.push({ ...side, slot: askSlot, isAsk: true, price: price + halfSpread });
    this.#hasAsk = true;
    this.#price = price;
    this.#volume = offered;
    return rows;
  }
}

/** Returns the prices of a way, each that is equal to the one before left out. */
function withoutRepeats(prices: readonly number[]): readonly number[] {
  return prices.filter((price, index) => price !== prices[index - 1]);
}
