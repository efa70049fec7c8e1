/**
 * A market whose recording has only trades or bars, as a feed sees it: the synthetic book around
 * the last price, and the trades, which are numbered 1, 2, …
 */
import type { TradeCollector } from '../../domain/market-view.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { MarketTrade } from '../book/market-trade.ts';
import { QuotedBook } from '../book/quoted-book.ts';
import { BarTrades } from '../flow/bar-trades.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';
import type { QuotedData } from '../flow/market-data.ts';
import type { TradeWindow } from './trade-window.ts';

export class CoarseRows {
  readonly book: QuotedBook;
  readonly #window: TradeWindow;
  readonly #isOfBars: boolean;
  readonly #bar = new BarTrades();
  /** When the last bar arrived, while its trades are not in the window; otherwise infinite. */
  #barMicros = Number.NEGATIVE_INFINITY;
  /** The number of the last trade. */
  #sequence = 0;

  /** `window`: gets the prices of the trades. */
  constructor({ kind, halfSpread }: QuotedData, window: TradeWindow) {
    this.#isOfBars = kind === 'bars';
    this.book = new QuotedBook(halfSpread);
    this.#window = window;
  }

  /**
   * Applies the trade or bar at the cursor, which arrived at `atMicros`. Adds its trades to
   * `trades`, if given; returns whether it gave the window a price.
   */
  apply(
    row: FlowCursor,
    atMicros: number,
    collectors: readonly TradeCollector[],
    trades: MarketTrade[] | undefined,
  ): boolean {
    if (!this.#isOfBars) {
      const { price, volume } = row;
      this.#sequence++;
      this.#window.add(price, atMicros);
      for (let index = 0; index < collectors.length; index++)
        collectors[index]?.(price, price, price, price, volume);
      trades?.push(this.#tradeOf(row, price, volume, row.isAsk));
      this.book.move(price, volume);
      return true;
    }
    // Usually the trades of the bar before are too old for the window by now.
    if (atMicros - this.#barMicros < this.#window.windowMicros) this.fillWindow();
    const bar = this.#bar;
    bar.read(row, this.book.lastPrice);
    this.book.move(bar.close, bar.volume);
    const { open, high, low, close, volume } = bar;
    for (let index = 0; index < collectors.length; index++)
      collectors[index]?.(open, high, low, close, volume);
    if (bar.count === 0) {
      // Data without volumes have no trades: there, a close is the gate's reference for prices.
      const isReference = this.#sequence === 0;
      if (isReference) this.#window.add(close, atMicros);
      return isReference;
    }
    this.#barMicros = atMicros;
    if (trades !== undefined) this.#addTrades(row, trades);
    else this.#sequence += bar.count;
    return true;
  }

  /** Adds the trades of the last bar to the window; to be called before the window is read. */
  fillWindow(): void {
    if (this.#barMicros === Number.NEGATIVE_INFINITY) return;
    for (let trade = 0; trade < this.#bar.count; trade++)
      this.#window.add(this.#bar.priceOf(trade), this.#barMicros);
    this.#barMicros = Number.NEGATIVE_INFINITY;
  }

  #addTrades(row: FlowCursor, trades: MarketTrade[]): void {
    const bar = this.#bar;
    for (let trade = 0; trade < bar.count; trade++) {
      this.#sequence++;
      trades.push(this.#tradeOf(row, bar.priceOf(trade), bar.volumeOf(trade), bar.isBuy(trade)));
    }
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
