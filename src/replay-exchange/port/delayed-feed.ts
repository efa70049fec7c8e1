/**
 * One market's stream from the replay exchange to us. Rows are applied to the fill model
 * immediately and reach us after the latency of the feed.
 */
import type { Latency } from '../../domain/trading-conditions.ts';
import type { Book } from '../../market/book/book.ts';
import { BookTop } from '../../market/book/book-top.ts';
import { priceOfTrade } from '../../market/book/flow-columns-book.ts';
import { type FlowBlock, rowKind } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { AccountMarket } from '../account/account-market.ts';
import type { FillIntervals } from '../fill-models/fill-model.ts';
import { DelayedFlow } from './delayed-flow.ts';
import { LatencyModel } from './latency-model.ts';

// Constants of this module are compiled into the code; imported constants are looked up each time.
const { trade: tradeKind, gap: gapKind, status: statusKind } = rowKind;

export class DelayedFeed {
  readonly accountMarket: AccountMarket;
  /** The messages that the exchange has applied and that have not reached us. */
  readonly flow = new DelayedFlow();
  /** Present if the fill model answers some requests at the end of an interval of history. */
  readonly intervals: FillIntervals | undefined;
  readonly #latency: LatencyModel;
  /** The book of a history of orders. */
  readonly #orders: Book | undefined;
  /** The top as the exchange sees it. */
  readonly #top: BookTop;
  /** The first row after the last copy of the book. */
  #copiedAtRow = Number.NEGATIVE_INFINITY;

  /** `name` and `seed` determine the drawn latencies. Throws RangeError for an invalid latency. */
  constructor(accountMarket: AccountMarket, name: string, latency: Latency, seed: number) {
    this.accountMarket = accountMarket;
    const { history, intervals } = accountMarket.replay;
    this.intervals = intervals;
    this.#orders = history.kind === 'orders' ? history.book : undefined;
    this.#top = new BookTop(history.book);
    this.#latency = new LatencyModel(name, latency, seed);
  }

  get pair(): string {
    return this.accountMarket.market.pair;
  }

  /**
   * Whether a delayed message ends in a gap, a status or a crossed book, which must not be
   * fast-forwarded.
   */
  get mustNotify(): boolean {
    return this.flow.mustTake;
  }

  /** Adds the block whose rows are offered next. */
  begin(block: FlowBlock): void {
    const orders = this.#orders;
    const rows = block.firstRow - this.#copiedAtRow;
    // A copy takes time for each order, so at least as many rows lie between two copies.
    const isDue = this.flow.unread > 0 && orders !== undefined && rows >= orders.size;
    if (isDue) this.#copiedAtRow = block.firstRow;
    this.flow.add(block, isDue ? orders.copy(this.flow.takeSpare()) : undefined);
    this.#top.read(0);
  }

  /**
   * Takes the row at the cursor and the rows of its message that follow at the same time. Leaves
   * the cursor at the last of them; returns their number.
   */
  offer(row: FlowCursor): number {
    const { replay } = this.accountMarket;
    const orders = this.#orders;
    const { atMicros } = row;
    for (let rows = 1; ; rows++) {
      if (orders !== undefined && row.kind === tradeKind)
        this.flow.noteTrade(priceOfTrade(orders, row), row.volume);
      replay.apply(row);
      // Each row has its own latency; a message arrives with its last row.
      const dueMicros = this.#latency.dueMicros(atMicros);
      if (row.endsMessage) {
        const { kind } = row;
        let mustTake = kind === gapKind || kind === statusKind;
        // Only a book of orders can be crossed, and readers of other books read every message.
        if (orders !== undefined) {
          const topChange = this.#top.read(Math.floor(atMicros / 1000));
          if (topChange !== 'none') this.flow.noteTop(this.#top);
          mustTake ||= this.#top.isCrossed;
        }
        this.flow.note(atMicros, dueMicros, mustTake);
        return rows;
      }
      if (!row.isFollowedAtOnce) return rows;
      row.next();
    }
  }
}
