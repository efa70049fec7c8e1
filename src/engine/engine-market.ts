/**
 * One pair inside the engine: its feed, what the last event changed in it, and the facts that the
 * gate asks for.
 */
import { type Market, type MarketStatus, parseTicks } from '../domain/market.ts';
import type { Top, Trade } from '../domain/market-view.ts';
import { decimalOf, type Ticks } from '../domain/money.ts';
import type { MarketMessage } from '../exchange-api/market-messages.ts';
import type { MarketTrade } from '../market/book/market-trade.ts';
import type { DelayedMessages, StampedClock } from '../market/feed/delayed-messages.ts';
import { type FeedResult, MarketFeed } from '../market/feed/market-feed.ts';
import type { RestingBlock } from '../market/flow/flow-block.ts';
import type { FlowCursor } from '../market/flow/flow-cursor.ts';
import type { OrderFlowRow } from '../market/flow/order-flow-row.ts';
import type { PairFacts } from '../risk/gate-facts.ts';
import type { MarketEvent } from '../strategy/market-streams.ts';
import type { MarketStart } from './engine-start.ts';

/** A stream that is further behind shows a market that is not there any more. */
export const streamLagMsMax = 2_000;

export class EngineMarket {
  readonly market: Market;
  readonly feed: MarketFeed;
  /** Fractions, for signals only; changed in place when the exchange tells others. */
  readonly fees: { maker: number; taker: number };
  /** Since when the book cannot be used, our time; undefined while it can. */
  unusableSinceMs: number | undefined;
  readonly #seed: { readonly price: Ticks; readonly atMs: number } | undefined;
  readonly #silenceMsMax: number;
  #isStale = false;
  /** Age of the last message when it came, by the exchange's clock; at least. */
  #lagMs = 0;
  /** Limits and status as last listed. */
  #rules: Market | undefined;
  /** The status by the list of markets, since the exchange refused an order for it. */
  #statusRead: MarketStatus | 'closed' | undefined;

  /** `silenceMsMax`: a book that the exchange says nothing of for longer cannot be used. */
  constructor(start: MarketStart, startedMs: number, silenceMsMax: number) {
    this.#silenceMsMax = silenceMsMax;
    this.market = start.market;
    this.#rules = start.market;
    this.feed = new MarketFeed(start.market);
    this.fees = {
      // Fractions for signals, not money: the fees of fills are the exchange's own figures.
      maker: decimalOf(start.makerFee).toNumber(),
      // As above, not money.
      taker: decimalOf(start.takerFee).toNumber(),
    };
    this.unusableSinceMs = startedMs;
    const price =
      start.lastTrade === undefined ? undefined : parseTicks(start.lastTrade.price, this.market);
    this.#seed =
      price === undefined || start.lastTrade === undefined
        ? undefined
        : { price, atMs: start.lastTrade.atMs };
  }

  /** The best prices, or undefined while the book cannot be used. */
  get top(): Top | undefined {
    return this.isUsable ? this.feed.top : undefined;
  }

  /** Bid + ask in ticks, undefined without both and while nothing may be placed on the book. */
  get mid2(): number | undefined {
    return this.isUsable && !this.isLagging ? this.feed.mid2 : undefined;
  }

  /** Whether the book is right and fresh. */
  get isUsable(): boolean {
    return this.feed.isUsable && !this.#isStale;
  }

  /** Why nothing may be placed on the book, in words; undefined if it may. */
  get unusableReason(): string | undefined {
    if (!this.feed.isUsable) return this.feed.reason;
    if (this.#isStale) return 'its stream is silent';
    return this.isLagging ? `its stream is ${Math.round(this.#lagMs / 1000)} s behind` : undefined;
  }

  /**
   * Looks at how long the stream has been silent. Returns when to look again, in milliseconds, or
   * undefined while the book cannot be used anyway.
   */
  noteSilence(nowMs: number): number | undefined {
    if (!this.isUsable || !Number.isFinite(this.#silenceMsMax)) return undefined;
    const silentMs = nowMs - (this.feed.lastMessageMicros ?? 0) / 1000;
    if (silentMs <= this.#silenceMsMax) return this.#silenceMsMax - silentMs + 1;
    this.#isStale = true;
    return undefined;
  }

  /** Takes the age that a message had when it came; returns whether that is too much, if anew. */
  noteLag(lagMs: number): boolean | undefined {
    const wasLagging = this.isLagging;
    this.#lagMs = lagMs;
    return this.isLagging === wasLagging ? undefined : this.isLagging;
  }

  /** Whether the stream tells the past: right in itself, but not to be traded on. */
  get isLagging(): boolean {
    return this.#lagMs > streamLagMsMax;
  }

  /** Takes the market as it is listed now, with the scales that it had; undefined closes it. */
  noteRules(rules: Market | undefined): void {
    this.#rules = rules;
  }

  /** Takes fees as fractions in decimal strings. */
  noteFees(fees: { readonly maker: string; readonly taker: string }): void {
    // Fractions for signals, not money: the fees of fills are the exchange's own figures.
    this.fees.maker = decimalOf(fees.maker).toNumber();
    // As above, not money.
    this.fees.taker = decimalOf(fees.taker).toNumber();
  }

  /** Whether the exchange refused an order for the market's status, and has not said otherwise. */
  get isClosed(): boolean {
    return this.#statusRead !== undefined;
  }

  /** The exchange refused an order for the market's status, whatever the stream says of it. */
  close(): void {
    this.#statusRead ??= 'closed';
  }

  /** Takes the status of the list of markets while closed; only ACTIVE opens it. */
  noteStatus(status: MarketStatus): void {
    if (this.isClosed) this.#statusRead = status === 'ACTIVE' ? undefined : status;
  }

  /** Takes a message; `trades` are those of the whole market. */
  apply(message: MarketMessage, atMicros: number): FeedResult {
    this.#isStale = false;
    switch (message.kind) {
      case 'snapshot':
        return this.feed.applySnapshot(message.snapshot, atMicros);
      case 'update':
        return this.feed.applyUpdate(message.update, atMicros);
      case 'keep-alive':
      case 'error':
        this.feed.keepAlive(atMicros);
        return { kind: 'ignored' };
    }
  }

  /** Takes a row of recorded order flow. */
  applyRow(row: OrderFlowRow, atMicros: number): FeedResult {
    this.#isStale = false;
    return this.feed.applyRow(row, atMicros);
  }

  /** Takes the book with which recorded order flow begins. */
  startFlow(resting: RestingBlock, atMicros: number): FeedResult {
    this.#isStale = false;
    return this.feed.startFlow(resting, atMicros, Math.floor(atMicros / 1000));
  }

  /** Takes the next message of recorded order flow; see {@link MarketFeed.applyFlow}. */
  applyFlow(row: FlowCursor, atMicros: number, wantsTrades: boolean): FeedResult {
    this.#isStale = false;
    return this.feed.applyFlow(row, atMicros, wantsTrades);
  }

  /** Takes messages that nobody hears; see {@link MarketFeed.fastForward}. */
  fastForward(flow: DelayedMessages, limitMicros: number, clock: StampedClock): number {
    this.#isStale = false;
    return this.feed.fastForward(flow, limitMicros, clock);
  }

  /**
   * Whether the result of an applied message means nothing for strategies, which may want to hear
   * of a new top.
   */
  isQuiet(result: FeedResult, wantsTop: boolean): boolean {
    return (
      result.kind === 'applied' &&
      !(wantsTop && result.topChanged) &&
      result.trades.length === 0 &&
      this.isUsable === (this.unusableSinceMs === undefined)
    );
  }

  /**
   * Returns what an applied message means for strategies: usability, top and trades, in this order.
   */
  changesOf(result: FeedResult, nowMs: number): readonly MarketEvent[] {
    const pair = this.market.pair;
    const events: MarketEvent[] = [];
    const wasUsable = this.unusableSinceMs === undefined;
    if (this.isUsable !== wasUsable) {
      this.unusableSinceMs = this.isUsable ? undefined : nowMs;
      events.push({ kind: 'usable', pair, usable: this.isUsable });
    }
    if (result.kind !== 'applied') return events;
    const { top } = this;
    if (top !== undefined && (result.topChanged || !wasUsable))
      events.push({ kind: 'top', pair, top });
    for (const trade of result.trades) events.push({ kind: 'trade', pair, trade: publicOf(trade) });
    return events;
  }

  /** Writes what the gate asks about this pair at `nowMs`. */
  writeFacts(facts: PairFacts, nowMs: number, unknownOrders: number): void {
    const { feed } = this;
    facts.market = this.#rules ?? this.market;
    const streamed =
      this.#statusRead === 'closed' ? 'SUSPENDED' : (this.#statusRead ?? feed.status);
    facts.status = closerOf(streamed, this.#rules?.status ?? 'UNKNOWN');
    facts.unknownOrders = unknownOrders;
    facts.bookUsable = this.isUsable && !this.isLagging;
    facts.book = feed.book;
    facts.bookAgeMs =
      feed.lastMessageMicros === undefined ? undefined : nowMs - feed.lastMessageMicros / 1000;
    facts.mid2 = this.isUsable ? feed.mid2 : undefined;
    const trades = feed.recentTrades(nowMs * 1000);
    facts.recentTrades = trades;
    facts.tradeMedian = this.#seed?.price;
    const { lastTradeMicros } = feed;
    const lastTradeMs =
      lastTradeMicros === undefined ? undefined : Math.floor(lastTradeMicros / 1000);
    const tradedMs = trades === undefined ? this.#seed?.atMs : lastTradeMs;
    facts.tradeMedianAgeMs = tradedMs === undefined ? undefined : Math.max(0, nowMs - tradedMs);
  }
}

/** The stream is quicker, the list is complete: what either of them closes is closed. */
function closerOf(streamed: MarketStatus, listed: MarketStatus): MarketStatus {
  if (streamed === 'ACTIVE') return listed;
  if (streamed === 'POST_ONLY' && listed !== 'ACTIVE') return listed;
  return streamed;
}

// The orders behind a trade are no business of a strategy.
function publicOf({ side, price, volume, sequence, timeMs }: MarketTrade): Trade {
  return { side, price, volume, sequence, timeMs };
}
