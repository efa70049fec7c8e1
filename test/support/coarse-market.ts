/** Short forms of trades and candles, and the coarse fill models that receive them. */
import { CoarseBlocks } from '../../src/backtest/coarse/coarse-blocks.ts';
import type { Side } from '../../src/domain/market.ts';
import type { Ticks } from '../../src/domain/money.ts';
import { type FlowBlock, rowKind } from '../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../src/market/flow/flow-cursor.ts';
import { type BuiltRow, FlowBlockBuilder } from '../../src/recording/file/flow-block-builder.ts';
import {
  BarFillRule,
  type BarRuleOptions,
} from '../../src/replay-exchange/fill-models/bar-fill-rule.ts';
import { CoarseFillModel } from '../../src/replay-exchange/fill-models/coarse-fill-model.ts';
import type { ModelEvent } from '../../src/replay-exchange/fill-models/fill-event.ts';
import type { FillIntervals } from '../../src/replay-exchange/fill-models/fill-model.ts';
import { TradeFillRule } from '../../src/replay-exchange/fill-models/trade-fill-rule.ts';
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
  readonly model: CoarseFillModel;
  readonly events: ModelEvent[];
  readonly #blocks: CoarseBlocks;

  constructor(model: CoarseFillModel, events: ModelEvent[], blocks: CoarseBlocks) {
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
    return [this.model.book.bestPrice('BID'), this.model.book.bestPrice('ASK')];
  }
}

export function tradesBench(millionths = 100_000): CoarseBench {
  const events: ModelEvent[] = [];
  const options = { market: replayMarket, rates: replayRates, listener: listenerOf(events) };
  const model = new CoarseFillModel(
    options,
    halfSpread as Ticks,
    (market) => new TradeFillRule(market, { millionths }),
  );
  return new CoarseBench(model, events, tradeBlocks());
}

export function candlesBench(
  millionths = 100_000,
  longBars: NonNullable<BarRuleOptions['longBars']> = { longBarAt: () => undefined },
): CoarseBench {
  const events: ModelEvent[] = [];
  const options = { market: replayMarket, rates: replayRates, listener: listenerOf(events) };
  const spread = halfSpread as Ticks;
  const candles = { millionths, halfSpread: spread, intervalMicros: barMicros, longBars };
  const model = new CoarseFillModel(
    options,
    candles.halfSpread,
    (market) => new BarFillRule(market, candles),
  );
  return new CoarseBench(model, events, barBlocks());
}

function listenerOf(events: ModelEvent[]): (event: ModelEvent) => void {
  return (event) => {
    events.push(event);
  };
}
