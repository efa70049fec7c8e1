/**
 * A market whose recording has only trades or bars, as a feed sees it: the synthetic book around
 * the last price, and the trades, which are numbered 1, 2, …
 */
import type { TradeCollector } from '../../domain/market-view.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { MarketTrade } from '../book/market-trade.ts';
import { QuotedBook } from '../book/quoted-book.ts';
import { BarTrades } from '../flow/bar-trades.ts';
import { rowKind } from '../flow/flow-block.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';
import type { TradeWindow } from './trade-window.ts';

// Constants of this module are compiled into the code; imported constants are looked up each time.
const { candle: candleKind } = rowKind;

/** What learns of the trades of a row. */
export type TradeListeners = {
  readonly collectors: readonly TradeCollector[];
  /** Receives the trades, if given. */
  readonly trades: MarketTrade[] | undefined;
};

export class CoarseRows {
  readonly book: QuotedBook;
  readonly #window: TradeWindow;
  readonly #bar = new BarTrades();
  /** The number of the last trade. */
  #sequence = 0;

  /** `window`: receives the price of each trade. */
  constructor(halfSpread: Ticks, window: TradeWindow) {
    this.book = new QuotedBook(halfSpread);
    this.#window = window;
  }

  /** Applies the trade or bar at the cursor, which arrived at `atMicros`; returns its trades. */
  apply(row: FlowCursor, atMicros: number, listeners: TradeListeners): number {
    if (row.kind !== candleKind) {
      const { price, volume } = row;
      this.#note(price, volume, atMicros, listeners.collectors);
      if (listeners.trades !== undefined)
        listeners.trades.push(this.#tradeOf(row, price, volume, row.isAsk));
      this.book.move(price, volume);
      return 1;
    }
    const bar = this.#bar;
    bar.read(row, this.book.lastPrice);
    for (let trade = 0; trade < bar.count; trade++) {
      const price = bar.priceOf(trade);
      const volume = bar.volumeOf(trade);
      this.#note(price, volume, atMicros, listeners.collectors);
      if (listeners.trades !== undefined)
        listeners.trades.push(this.#tradeOf(row, price, volume, bar.isBuy(trade)));
    }
    this.book.move(row.close, row.traded);
    return bar.count;
  }

  #note(price: Ticks, volume: Lots, atMicros: number, collectors: readonly TradeCollector[]): void {
    this.#sequence++;
    this.#window.add(price, atMicros);
    for (let index = 0; index < collectors.length; index++) collectors[index]?.(price, volume);
  }

  #tradeOf(row: FlowCursor, price: Ticks, volume: Lots, isBuy: boolean): MarketTrade {
    return {
      side: isBuy ? 'BID' : 'ASK',
      ...{ price, volume },
      sequence: String(this.#sequence),
      timeMs: Math.floor(row.atMicros / 1000),
      makerOrderId: '',
      takerOrderId: '',
    };
  }
}
