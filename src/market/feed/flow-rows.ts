/**
 * Order flow in columns, as a feed sees it: the book, the recent trades and the status.
 *
 * While nobody listens, messages are skipped: their trades and the top are already known. Rows are
 * applied when somebody needs the book, and only those since the start of a block.
 */
import type { MarketStatus } from '../../domain/market.ts';
import type { TradeCollector } from '../../domain/market-view.ts';
import type { Book } from '../book/book.ts';
import { applyFlow, loadResting, priceOfTrade } from '../book/flow-columns-book.ts';
import { columnTrade, type MarketTrade } from '../book/market-trade.ts';
import { rowKind, statuses } from '../flow/flow-block.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';
import type { DelayedMessages } from './delayed-messages.ts';
import type { TradeWindow } from './trade-window.ts';

// Constants of this module are compiled into the code; imported constants are looked up each time.
const { trade: tradeKind, status: statusKind } = rowKind;

export class FlowRows {
  status: MarketStatus = 'UNKNOWN';
  readonly #book: Book;
  readonly #window: TradeWindow;
  #behind: DelayedMessages | undefined;

  constructor(book: Book, window: TradeWindow) {
    this.#book = book;
    this.#window = window;
  }

  /** The book, with all messages applied. */
  get book(): Book {
    if (this.#behind !== undefined) this.catchUp();
    return this.#book;
  }

  /**
   * Applies the rows of the message at the cursor, which arrived at `atMicros`. Adds its trades to
   * `trades`, if given; returns whether it has any.
   */
  apply(row: FlowCursor, atMicros: number, trades: MarketTrade[] | undefined): boolean {
    let hasTraded = false;
    do {
      if (!row.next()) break;
      if (row.kind === tradeKind) {
        const price = priceOfTrade(this.#book, row);
        this.#window.add(price, atMicros);
        hasTraded = true;
        trades?.push(columnTrade(row, price));
      } else if (row.kind === statusKind) this.status = statuses[row.slot] ?? 'UNKNOWN';
      applyFlow(this.#book, row);
    } while (!row.endsMessage);
    return hasTraded;
  }

  /** Passes on the trades of messages that were skipped; returns whether there are any. */
  passTrades(
    flow: DelayedMessages,
    atMicros: number,
    collectors: readonly TradeCollector[],
  ): boolean {
    if (!flow.nextTrade()) return false;
    do {
      const { tradePrice: price, tradeVolume } = flow;
      this.#window.add(price, atMicros);
      for (let index = 0; index < collectors.length; index++)
        collectors[index]?.(price, price, price, price, tradeVolume);
    } while (flow.nextTrade());
    return true;
  }

  /** To be called when messages were skipped. */
  noteSkipped(flow: DelayedMessages): void {
    this.#behind = flow;
  }

  /** Brings the book up to date, from the last block whose first book is known. */
  catchUp(): void {
    const flow = this.#behind;
    if (flow === undefined) return;
    this.#behind = undefined;
    const resting = flow.restart();
    if (resting !== undefined) loadResting(this.#book, resting);
    const row = flow.cursor;
    while (flow.unread > 0) {
      flow.read();
      do {
        row.next();
        applyFlow(this.#book, row);
      } while (!row.endsMessage);
    }
  }
}
