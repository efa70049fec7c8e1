/**
 * The live view of one market: its book, top, status and recent trades, driven by decoded messages.
 *
 *     awaiting ──snapshot──▶ live ──anything wrong──▶ unusable ──snapshot──▶ live
 *
 * A message is applied as a whole: after the call, readers see all of it or an unusable book. The
 * caller gives the times, in microseconds of its own clock; they never go back.
 *
 * Invariants: a live book is the exchange's book at `sequence`; while the feed is not usable, `top`
 * is undefined and updates are ignored.
 */
import type { BookSnapshot, BookUpdate } from '../../domain/book-message.ts';
import { assert } from '../../domain/errors.ts';
import type { MarketStatus, Scales } from '../../domain/market.ts';
import type { Top, TradeCollector } from '../../domain/market-view.ts';
import type { Book } from '../book/book.ts';
import { BookError, type BookFault } from '../book/book-error.ts';
import { applyUpdate, loadSnapshot, snapshotOrders } from '../book/book-messages.ts';
import { BookTop } from '../book/book-top.ts';
import type { BookView } from '../book/book-view.ts';
import { loadResting } from '../book/flow-columns-book.ts';
import { IdentifiedBook } from '../book/identified-book.ts';
import { LaggingBook } from '../book/lagging-book.ts';
import type { MarketTrade } from '../book/market-trade.ts';
import { type RestingBlock, rowKind, statuses } from '../flow/flow-block.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';
import type { MarketData } from '../flow/market-data.ts';
import { CoarseRows } from './coarse-rows.ts';
import type { DelayedMessages, FlowListeners } from './delayed-messages.ts';
import type { FeedResult, FeedState } from './feed-result.ts';
import { FlowRows } from './flow-rows.ts';
import { StreamSequence } from './stream-sequence.ts';
import { TradeWindow } from './trade-window.ts';

// Constants of this module are compiled into the code; imported constants are looked up each time.
const { gap: gapKind } = rowKind;

/** The window of the median trade price unless given, and the largest number of trades in it. */
const medianWindowMs = 60_000;
const medianTradesMax = 1_000;

const ignored: FeedResult = { kind: 'ignored' };
const noTrades: readonly MarketTrade[] = [];
const noCollectors: readonly TradeCollector[] = [];
/** The result of most messages. */
const quiet: FeedResult = { kind: 'applied', trades: noTrades, topChange: 'none' };
const live: FeedState = { kind: 'live' };
const never = Number.NEGATIVE_INFINITY;

export class MarketFeed {
  readonly #scales: Scales;
  /** The orders of a live stream by id, for reading, and only while {@link isUsable}. */
  readonly orders: IdentifiedBook;
  readonly #sequence = new StreamSequence();
  readonly #trades: TradeWindow;
  readonly #flow: FlowRows;
  /** Present for recorded trades or bars, instead of order flow. */
  #coarse: CoarseRows | undefined;
  #prices: BookView;
  #top: BookTop;
  #state: FeedState = { kind: 'awaiting' };
  #status: MarketStatus = 'UNKNOWN';
  // Numbers from the start, and not small integers, so that V8 stores them in place: a field that
  // may be undefined would allocate a new number with each message.
  #lastTradeMicros = never;
  #lastMessageMicros = never;
  #exchangeTimeMs = never;

  /** `tradesMs`: for how long a trade counts in the median of trades. */
  constructor(scales: Scales, tradesMs = medianWindowMs) {
    this.#scales = scales;
    this.#trades = new TradeWindow(tradesMs * 1_000, medianTradesMax);
    this.orders = new IdentifiedBook();
    const { book } = this.orders;
    this.#flow = new FlowRows(book, this.#trades);
    this.#prices = new LaggingBook(() => this.#flow.book);
    this.#top = new BookTop(book);
  }

  get isUsable(): boolean {
    return this.#state.kind === 'live';
  }

  /** Why the book cannot be used, as text; undefined if it can. */
  get reason(): string | undefined {
    if (this.#state.kind === 'unusable') return this.#state.message;
    return this.#state.kind === 'awaiting' ? 'no snapshot yet' : undefined;
  }

  /** The book, for reading only; undefined while it cannot be used. */
  get book(): Book | undefined {
    return this.isUsable ? this.#flow.book : undefined;
  }

  /** As {@link book}, without orders; for recorded trades or bars, the synthetic book. */
  get prices(): BookView | undefined {
    return this.isUsable ? this.#prices : undefined;
  }

  /** The best prices and volumes as a frozen value that is replaced when one of them changes. */
  get top(): Top | undefined {
    return this.isUsable ? this.#top.value : undefined;
  }

  /** Best bid + best ask in ticks; undefined if a side is empty or the book cannot be used. */
  get mid2(): number | undefined {
    return this.isUsable ? this.#top.mid2 : undefined;
  }

  /** The last status received; UNKNOWN before the first snapshot. */
  get status(): MarketStatus {
    return this.#status;
  }

  /** The sequence of the last message applied, as text. */
  get sequence(): string {
    return this.#sequence.last;
  }

  /** When the last message arrived. */
  get lastMessageMicros(): number | undefined {
    return this.#lastMessageMicros === never ? undefined : this.#lastMessageMicros;
  }

  /** When the last applied message with trades arrived. */
  get lastTradeMicros(): number | undefined {
    return this.#lastTradeMicros === never ? undefined : this.#lastTradeMicros;
  }

  /** The exchange's time in its last snapshot or update, in milliseconds. */
  get exchangeTimeMs(): number | undefined {
    return this.#exchangeTimeMs === never ? undefined : this.#exchangeTimeMs;
  }

  /** Returns the whole book as a snapshot for another feed; undefined if it cannot be used. */
  snapshot(): BookSnapshot | undefined {
    if (!this.isUsable) return undefined;
    this.#flow.catchUp();
    return {
      sequence: this.sequence,
      bids: snapshotOrders(this.orders, 'BID', this.#scales),
      asks: snapshotOrders(this.orders, 'ASK', this.#scales),
      status: this.#status,
      timestamp: this.exchangeTimeMs ?? 0,
    };
  }

  /** The recent trades, even while the book cannot be used; undefined without any at `atMicros`. */
  recentTrades(atMicros: number): TradeWindow | undefined {
    this.#coarse?.fillWindow();
    return this.#trades.hasTrades(atMicros) ? this.#trades : undefined;
  }

  /** Replaces the book with a snapshot; the feed is then live, unless the snapshot is invalid. */
  applySnapshot(snapshot: BookSnapshot, atMicros: number): FeedResult {
    this.#noteTimes(atMicros, snapshot.timestamp);
    return this.#guard(() => {
      this.#sequence.restart(snapshot.sequence);
      loadSnapshot(this.orders, snapshot, this.#scales);
      this.#status = snapshot.status;
      this.#state = live;
      this.#top.forget();
      return { kind: 'applied', trades: [], topChange: this.#top.read(snapshot.timestamp) };
    });
  }

  /** Applies one update. Ignored unless the feed is live. */
  applyUpdate(update: BookUpdate, atMicros: number): FeedResult {
    this.#noteTimes(atMicros, update.timestamp);
    if (!this.isUsable) return { kind: 'ignored' };
    return this.#guard(() => {
      this.#sequence.advance(update.sequence);
      const trades = applyUpdate(this.orders, update, this.#scales);
      if (update.status !== undefined) this.#status = update.status;
      for (const { price } of trades) this.#trades.add(price, atMicros);
      if (trades.length > 0) this.#lastTradeMicros = atMicros;
      const topChange = this.#top.read(update.timestamp);
      return { kind: 'applied', trades, topChange };
    });
  }

  /**
   * Takes the book at the start of a recording, which has no orders if only trades or bars are
   * recorded: then a synthetic book follows the last price.
   */
  startFlow(
    resting: RestingBlock,
    atMicros: number,
    exchangeTimeMs: number,
    data: MarketData = { kind: 'orders' },
  ): FeedResult {
    this.#noteTimes(atMicros, exchangeTimeMs);
    if (data.kind !== 'orders') {
      this.#coarse = new CoarseRows(data, this.#trades);
      this.#prices = this.#coarse.book;
      this.#top = new BookTop(this.#prices);
    }
    loadResting(this.orders.book, resting);
    this.#status = statuses[resting.status] ?? 'UNKNOWN';
    this.#flow.status = this.#status;
    this.#top.forget();
    return this.#finishRows(noTrades, false, atMicros, exchangeTimeMs);
  }

  /**
   * Takes a message of recorded order flow instead of an update: the cursor starts before its first
   * row and ends at its last. A recording has no sequence to check: a row that does not fit changes
   * nothing, after a gap the next message corrects the book, and a book that is crossed, as in an
   * auction, is usable again as soon as it is not crossed. The result has the trades only if
   * `wantsTrades`. Trades or bars of a coarse recording also go to `collectors`.
   */
  applyFlow(
    row: FlowCursor,
    atMicros: number,
    wantsTrades = true,
    collectors = noCollectors,
  ): FeedResult {
    const trades: MarketTrade[] | undefined = wantsTrades ? [] : undefined;
    this.#top.catchUp();
    this.#lastMessageMicros = atMicros;
    const hasTraded =
      this.#coarse === undefined
        ? this.#flow.apply(row, atMicros, trades)
        : row.next() && this.#coarse.apply(row, atMicros, collectors, trades);
    this.#status = this.#flow.status;
    const timeMs = Math.floor(row.atMicros / 1000);
    this.#exchangeTimeMs = timeMs;
    if (row.kind === gapKind) return this.#lose('DISCONNECTED', 'the recorded stream was lost');
    return this.#finishRows(trades ?? noTrades, hasTraded, atMicros, timeMs);
  }

  /**
   * Like {@link applyFlow} for all messages that arrive before `limitMicros`, in one loop. The feed
   * must be live, no strategy may subscribe to the market, and no message may be a gap, change the
   * status or leave the book crossed. Returns when the last message arrived.
   */
  fastForward(flow: DelayedMessages, limitMicros: number, listeners: FlowListeners): number {
    const { clock, collectors } = listeners;
    const coarse = this.#coarse;
    while (flow.dueMicros < limitMicros) {
      const atMicros = flow.dueMicros;
      const endMs = Math.floor(flow.endMicros / 1000);
      this.#lastMessageMicros = atMicros;
      this.#exchangeTimeMs = endMs;
      let hasTraded: boolean;
      if (coarse === undefined) {
        flow.skip();
        hasTraded = this.#flow.passTrades(flow, atMicros, collectors);
      } else {
        flow.take();
        flow.cursor.next();
        hasTraded = coarse.apply(flow.cursor, atMicros, collectors, undefined);
        this.#top.readLater(endMs);
      }
      if (hasTraded) this.#lastTradeMicros = atMicros;
      clock.observe(endMs, atMicros / 1000);
    }
    if (coarse === undefined) {
      flow.passTop(this.#top);
      this.#flow.noteSkipped(flow);
      assert(!this.#top.isCrossed, 'a message without a listener must leave the book usable');
    }
    return this.#lastMessageMicros;
  }

  /**
   * Like {@link applyFlow}, with the first of the messages that are on their way. Trades that the
   * result should have go to `collectors` instead, if there are any and the book stays usable.
   */
  applyNext(
    flow: DelayedMessages,
    atMicros: number,
    wantsTrades: boolean,
    collectors = noCollectors,
  ): FeedResult {
    const isCoarse = this.#coarse !== undefined;
    const lists = wantsTrades && collectors.length === 0;
    if (isCoarse || lists || flow.mustTake || !this.isUsable) {
      this.#flow.catchUp();
      flow.take();
      return this.applyFlow(flow.cursor, atMicros, isCoarse ? lists : wantsTrades, collectors);
    }
    this.#noteTimes(atMicros, Math.floor(flow.skip() / 1000));
    if (this.#flow.passTrades(flow, atMicros, collectors)) this.#lastTradeMicros = atMicros;
    this.#flow.noteSkipped(flow);
    const topChange = flow.passTop(this.#top);
    return topChange === 'none' ? quiet : { kind: 'applied', trades: noTrades, topChange };
  }

  /** Marks the book unusable until the next snapshot, for example on a disconnect. */
  invalidate(fault: BookFault, message: string): void {
    this.#state = { kind: 'unusable', fault, message };
  }

  #finishRows(
    trades: readonly MarketTrade[],
    hasTraded: boolean,
    atMicros: number,
    timeMs: number,
  ): FeedResult {
    if (this.#prices.isCrossed()) {
      // Reported once, not for each row while the book stays crossed.
      return this.isUsable ? this.#lose('BOOK_CROSSED', 'the recorded book is crossed') : ignored;
    }
    this.#state = live;
    if (hasTraded) this.#lastTradeMicros = atMicros;
    const topChange = this.#top.read(timeMs);
    if (trades.length === 0 && topChange === 'none') return quiet;
    return { kind: 'applied', trades, topChange };
  }

  #guard(apply: () => FeedResult): FeedResult {
    try {
      return apply();
    } catch (error) {
      if (!(error instanceof BookError)) throw error;
      return this.#lose(error.fault, error.message);
    }
  }

  #lose(fault: BookFault, message: string): FeedResult {
    this.invalidate(fault, message);
    return { kind: 'unusable', fault, message };
  }

  #noteTimes(atMicros: number, exchangeTimeMs: number): void {
    this.#lastMessageMicros = atMicros;
    this.#exchangeTimeMs = exchangeTimeMs;
  }
}
