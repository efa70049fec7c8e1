/** Short forms of trades and candles, and the coarse fill models that receive them. */
import { CoarseBlocks } from '../../src/backtest/coarse/coarse-blocks.ts';
import type { Side } from '../../src/domain/market.ts';
import type { Ticks } from '../../src/domain/money.ts';
import { type FlowBlock, rowKind } from '../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import { TimeSpans } from '../../src/market/flow/time-spans.ts';
import { type BuiltRow, FlowBlockBuilder } from '../../src/recording/file/flow-block-builder.ts';
import {
  BarFillModel,
  type BarModelOptions,
} from '../../src/replay-exchange/fill-models/bar-fill-model.ts';
import type { ModelEvent } from '../../src/replay-exchange/fill-models/fill-event.ts';
import type { FillIntervals } from '../../src/replay-exchange/fill-models/fill-model.ts';
import {
  type ReplayData,
  ReplayMarket,
} from '../../src/replay-exchange/fill-models/replay-market.ts';
import { TradeFillModel } from '../../src/replay-exchange/fill-models/trade-fill-model.ts';
import { replayMarket, replayRates } from './replay-market.ts';

/** `side` is the taker's. */
export type Print = { readonly side: Side; readonly price: number; readonly volume: number };
/** Open, high, low, close and volume. */
export type BarValues = readonly [number, number, number, number, number];

export const halfSpread = 2;
export const barMicros = 60_000_000;
export function tradeRow(atMicros: number, { side, price, volume }: Print): BuiltRow {
  const isAsk = side === 'BID';
  return { kind: rowKind.trade, slot: 0, isAsk, price, volume, atMicros, endsMessage: true };
}

export function barRow(atMicros: number, [open, high, low, close, volume]: BarValues): BuiltRow {
  const row = { kind: rowKind.candle, slot: 0, isAsk: false, endsMessage: true };
  return { ...row, candle: [open, high, low, close], volume, atMicros };
}

export function blockOf(rows: readonly BuiltRow[]): FlowBlock {
  const builder = new FlowBlockBuilder(0, rows[0]?.atMicros ?? 0);
  for (const row of rows) builder.add(row);
  return builder.take().block;
}

export function tradeBlocks(): CoarseBlocks {
  return new CoarseBlocks({ grade: 'trades', intervalMicros: 0, recordings: [] });
}

export function barBlocks(): CoarseBlocks {
  return new CoarseBlocks({ grade: 'candles', intervalMicros: barMicros, recordings: [] });
}

/** A fill model and its events; our share of the volume is a tenth. */
export class CoarseBench {
  readonly model: ReplayMarket;
  readonly events: ModelEvent[];
  readonly #blocks: CoarseBlocks;

  constructor(model: ReplayMarket, events: ModelEvent[], blocks: CoarseBlocks) {
    this.model = model;
    this.events = events;
    this.#blocks = blocks;
  }

  apply(...rows: readonly BuiltRow[]): void {
    const cursor = new FlowCursor();
    cursor.load(this.#blocks.played(blockOf(rows)));
    while (cursor.next()) this.model.apply(cursor);
  }

  /** For bars: the requests that wait for their end. */
  get intervals(): FillIntervals {
    const { intervals } = this.model;
    if (intervals === undefined) throw new Error('trades have no intervals');
    return intervals;
  }

  /** Our fills: `bought 5 at 100 as maker`. */
  get fills(): readonly string[] {
    return this.events.flatMap((event) =>
      event.kind === 'filled'
        ? [
            `${event.order.side === 'BID' ? 'bought' : 'sold'} ${event.base} at ${event.price} as ${event.isMaker ? 'maker' : 'taker'}`,
          ]
        : [],
    );
  }

  /** Why orders were refused or ended. */
  get ends(): readonly string[] {
    return this.events.flatMap((event) =>
      event.kind === 'completed' ? [event.reason] : event.kind === 'rejected' ? [event.failed] : [],
    );
  }

  /** The synthetic best bid and ask. */
  get top(): readonly (number | undefined)[] {
    const { book } = this.model.history;
    return [book.bestPrice('BID'), book.bestPrice('ASK')];
  }
}

export function tradesBench(millionths = 100_000): CoarseBench {
  return benchOf(tradeBlocks(), {
    kind: 'trades',
    ...quotes,
    createModel: (own, history) => new TradeFillModel(own, history, { millionths }),
  });
}

export function candlesBench(
  millionths = 100_000,
  longBars: NonNullable<BarModelOptions['longBars']> = { longBarAt: () => undefined },
): CoarseBench {
  return benchOf(barBlocks(), barData({ millionths, longBars }));
}

/** The data of a market of which bars are recorded. */
export function barData(
  options: Pick<BarModelOptions, 'millionths' | 'longBars'>,
): ReplayData & { readonly kind: 'bars' } {
  const bars = { ...options, halfSpread: quotes.halfSpread, intervalMicros: barMicros };
  return {
    kind: 'bars',
    ...quotes,
    createModel: (own, history) => new BarFillModel(own, history, bars),
  };
}

const quotes = { halfSpread: halfSpread as Ticks, unwatched: new TimeSpans() };

function benchOf(blocks: CoarseBlocks, data: ReplayData): CoarseBench {
  const events: ModelEvent[] = [];
  const options = { market: replayMarket, rates: replayRates, listener: listenerOf(events) };
  return new CoarseBench(new ReplayMarket({ ...options, data }), events, blocks);
}

function listenerOf(events: ModelEvent[]): (event: ModelEvent) => void {
  return (event) => {
    events.push(event);
  };
}
