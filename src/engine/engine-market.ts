/** One market inside the engine: its feed, its usability and status, and its facts for the gate. */
import type { BookMessage } from '../domain/book-message.ts';
import {
  acceptsMakers,
  acceptsTakers,
  type Market,
  type MarketStatus,
  parseTicks,
} from '../domain/market.ts';
import type { Top, Trade, TradeCollector } from '../domain/market-view.ts';
import { decimalOf, type Ticks } from '../domain/money.ts';
import type { BookView } from '../market/book/book-view.ts';
import type { MarketTrade } from '../market/book/market-trade.ts';
import type { DelayedMessages, FlowListeners } from '../market/feed/delayed-messages.ts';
import type { FeedResult } from '../market/feed/feed-result.ts';
import { MarketFeed } from '../market/feed/market-feed.ts';
import type { RestingBlock } from '../market/flow/flow-block.ts';
import type { MarketData } from '../market/flow/market-data.ts';
import type { PairFacts } from '../risk/gate-facts.ts';
import type { MarketEvent } from '../strategy/market-streams.ts';
import type { MarketStart } from './engine-start.ts';

/** A stream that lags further shows an outdated market. */
export const streamLagMsMax = 2_000;

export class EngineMarket {
  readonly market: Market;
  readonly feed: MarketFeed;
  /** Fractions, for signals only; updated in place when the exchange changes them. */
  readonly fees: { maker: number; taker: number };
  /** Since when the book has been unusable, in our time; undefined while it is usable. */
  unusableSinceMs: number | undefined;
  /** The newest trade of a live stream. */
  lastTrade: MarketTrade | undefined;
  readonly #seed: { readonly price: Ticks; readonly atMs: number } | undefined;
  readonly #silenceMsMax: number;
  #isStale = false;
  /** The age of the last message at its arrival, at least, by the exchange's clock. */
  #lagMs = 0;
  /** Limits and status as last listed. */
  #rules: Market | undefined;
  /**
   * Set while the market is closed because the exchange refused an order for its status: the listed
   * status, or `closed` until it is read.
   */
  #closedStatus: MarketStatus | 'closed' | undefined;

  /**
   * The book becomes unusable when its stream is silent for longer than `silenceMsMax`. A trade
   * counts in the median of trades for `tradesMs`.
   */
  constructor(start: MarketStart, startedMs: number, silenceMsMax: number, tradesMs?: number) {
    this.#silenceMsMax = silenceMsMax;
    this.market = start.market;
    this.#rules = start.market;
    this.feed = new MarketFeed(start.market, tradesMs);
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

  /** The best prices; undefined while the book is unusable. */
  get top(): Top | undefined {
    return this.isUsable ? this.feed.top : undefined;
  }

  /** The prices and volumes of the book; undefined while it is unusable. */
  get prices(): BookView | undefined {
    return this.isUsable ? this.feed.prices : undefined;
  }

  /** Bid + ask in ticks; undefined if either is missing or no order may rely on the book. */
  get mid2(): number | undefined {
    return this.isUsable && !this.isLagging ? this.feed.mid2 : undefined;
  }

  /** Whether the book is correct and fresh. */
  get isUsable(): boolean {
    return this.feed.isUsable && !this.#isStale;
  }

  /** Why no order may rely on the book, as text; undefined if orders may. */
  get unusableReason(): string | undefined {
    if (!this.feed.isUsable) return this.feed.reason;
    if (this.#isStale) return 'its stream is silent';
    return this.isLagging ? `its stream is ${Math.round(this.#lagMs / 1000)} s behind` : undefined;
  }

  /**
   * When the stream will have been silent for too long, in our time, unless a message arrives;
   * infinite while the book is unusable.
   */
  get silentFromMicros(): number {
    if (!this.isUsable) return Number.POSITIVE_INFINITY;
    return (this.feed.lastMessageMicros ?? 0) + (this.#silenceMsMax + 1) * 1000;
  }

  /** The stream has been silent for too long: its book is unusable until a message arrives. */
  noteSilence(): void {
    this.#isStale = true;
  }

  /**
   * Takes the age of a message at its arrival; returns whether the stream lags, if that changed.
   */
  noteLag(lagMs: number): boolean | undefined {
    const wasLagging = this.isLagging;
    this.#lagMs = lagMs;
    return this.isLagging === wasLagging ? undefined : this.isLagging;
  }

  /** Whether the stream lags: its book is correct but outdated, and no order may rely on it. */
  get isLagging(): boolean {
    return this.#lagMs > streamLagMsMax;
  }

  /** Takes the market as listed now, with unchanged scales; undefined closes it. */
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

  /** Whether the exchange refused an order for the market's status and has not reopened it. */
  get isClosed(): boolean {
    return this.#closedStatus !== undefined;
  }

  /** Closes the market: the exchange refused an order for its status, whatever the stream says. */
  close(): void {
    this.#closedStatus ??= 'closed';
  }

  /** Takes the listed status while the market is closed; only ACTIVE reopens it. */
  noteStatus(status: MarketStatus): void {
    if (this.isClosed) this.#closedStatus = status === 'ACTIVE' ? undefined : status;
  }

  /** Applies a message; the result has the trades of the whole market. */
  apply(message: BookMessage, atMicros: number): FeedResult {
    this.#isStale = false;
    return message.kind === 'snapshot'
      ? this.feed.applySnapshot(message.snapshot, atMicros)
      : this.#noteTrade(this.feed.applyUpdate(message.update, atMicros));
  }

  #noteTrade(result: FeedResult): FeedResult {
    if (result.kind === 'applied' && result.trades.length > 0)
      this.lastTrade = result.trades.at(-1);
    return result;
  }

  /** Applies the book with which recorded flow begins; see {@link MarketFeed.startFlow}. */
  startFlow(resting: RestingBlock, atMicros: number, data: MarketData): FeedResult {
    this.#isStale = false;
    return this.feed.startFlow(resting, atMicros, Math.floor(atMicros / 1000), data);
  }

  /** Applies the next message of recorded order flow; see {@link MarketFeed.applyNext}. */
  applyFlow(
    flow: DelayedMessages,
    atMicros: number,
    wantsTrades: boolean,
    collectors: readonly TradeCollector[],
  ): FeedResult {
    this.#isStale = false;
    return this.feed.applyNext(flow, atMicros, wantsTrades, collectors);
  }

  /** Applies messages without listeners; see {@link MarketFeed.fastForward}. */
  fastForward(flow: DelayedMessages, limitMicros: number, listeners: FlowListeners): number {
    this.#isStale = false;
    return this.feed.fastForward(flow, limitMicros, listeners);
  }

  /**
   * Whether an applied message changes nothing for strategies; `wantsTop` says whether any of them
   * subscribes to a stream that emits its change of the top.
   */
  isQuiet(result: FeedResult, wantsTop: boolean): boolean {
    return (
      result.kind === 'applied' &&
      !(wantsTop && result.topChange !== 'none') &&
      result.trades.length === 0 &&
      this.isUsable === (this.unusableSinceMs === undefined)
    );
  }

  /** Returns the events for strategies that follow from a result: usability, top, then trades. */
  changesOf(result: FeedResult, nowMs: number): readonly MarketEvent[] {
    const pair = this.market.pair;
    const events: MarketEvent[] = [];
    const wasUsable = this.unusableSinceMs === undefined;
    if (this.isUsable !== wasUsable) {
      this.unusableSinceMs = this.isUsable ? undefined : nowMs;
      events.push({ kind: 'usable', pair, usable: this.isUsable });
    }
    const { top } = this;
    const applied = result.kind === 'applied' ? result.topChange : 'none';
    const topChange = wasUsable ? applied : 'price';
    if (top !== undefined && topChange === 'price') events.push({ kind: 'top', pair, top });
    if (top !== undefined && topChange !== 'none')
      events.push({ kind: 'topWithVolume', pair, top });
    if (result.kind !== 'applied') return events;
    for (const trade of result.trades) events.push({ kind: 'trade', pair, trade: publicOf(trade) });
    return events;
  }

  /** Updates the facts of the gate about this pair, as of `nowMs`. */
  writeFacts(facts: PairFacts, nowMs: number, unknownOrders: number): void {
    const { feed } = this;
    facts.market = this.#rules ?? this.market;
    const streamed =
      this.#closedStatus === 'closed' ? 'DISABLED' : (this.#closedStatus ?? feed.status);
    facts.status = stricterOf(streamed, this.#rules?.status ?? 'UNKNOWN');
    facts.unknownOrders = unknownOrders;
    facts.bookUsable = this.isUsable && !this.isLagging;
    facts.book = feed.prices;
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

/** Returns the stricter status: the stream reports changes faster, and the list reports all. */
function stricterOf(streamed: MarketStatus, listed: MarketStatus): MarketStatus {
  if (acceptsTakers(streamed)) return listed;
  return acceptsMakers(streamed) && !acceptsTakers(listed) ? listed : streamed;
}

// A strategy does not see the ids of the orders behind a trade.
function publicOf({ side, price, volume, sequence, timeMs }: MarketTrade): Trade {
  return { side, price, volume, sequence, timeMs };
}
