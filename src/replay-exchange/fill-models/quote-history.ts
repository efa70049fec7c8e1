/**
 * The history of a market of which only trades or bars are recorded. Its book is synthetic: a bid
 * and an ask around the last price. Queues, gaps and the market's status are unknown.
 */
import type { MarketStatus } from '../../domain/market.ts';
import { QuotedBook } from '../../market/book/quoted-book.ts';
import { BarTrades } from '../../market/flow/bar-trades.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { QuotedData } from '../../market/flow/market-data.ts';
import type { TimeSpans } from '../../market/flow/time-spans.ts';
import type { FillModel } from './fill-model.ts';
import type { OwnOrders } from './own-orders.ts';

export type QuoteHistoryOptions = QuotedData & {
  /** The times that nobody recorded, which are known before they are played. */
  readonly unwatched: TimeSpans;
};

export class QuoteHistory {
  readonly kind: QuotedData['kind'];
  /** For reading only; empty until the first trade or bar. */
  readonly book: QuotedBook;
  status: MarketStatus = 'ACTIVE';
  readonly unwatched: TimeSpans;
  readonly #own: OwnOrders;
  readonly #isOfBars: boolean;
  readonly #bar = new BarTrades();

  constructor(own: OwnOrders, { kind, halfSpread, unwatched }: QuoteHistoryOptions) {
    this.kind = kind;
    this.book = new QuotedBook(halfSpread);
    this.unwatched = unwatched;
    this.#own = own;
    this.#isOfBars = kind === 'bars';
  }

  /** Moves the book to the trade or bar at the cursor, and tells the model. */
  apply(row: FlowCursor, model: FillModel): void {
    const { stops } = this.#own;
    if (this.#isOfBars) {
      const bar = this.#bar;
      bar.read(row, undefined);
      this.#own.countTrades(bar.count);
      this.book.move(bar.close, bar.volume);
      model.row(row);
      stops.noteBar(bar);
    } else {
      this.#own.countTrades();
      this.book.move(row.price, row.volume);
      model.row(row);
      stops.noteTrade(row.price);
    }
  }
}
