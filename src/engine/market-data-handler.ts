/**
 * What comes in of the markets: messages and rows to the books, their changes to the strategies,
 * and what follows when a book cannot be used.
 *
 * Invariant: a strategy hears that a book is lost before anything else of it, and its quotes are
 * withdrawn when the book stays lost for longer than the strategy allows.
 */
import type { StrategySettings } from '../domain/bot-settings.ts';
import type { Notice } from '../domain/notice.ts';
import type { MarketMessage } from '../exchange-api/market-messages.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import type { DelayedMessages } from '../market/feed/delayed-messages.ts';
import type { FeedResult } from '../market/feed/market-feed.ts';
import type { RestingBlock } from '../market/flow/flow-block.ts';
import type { FlowCursor } from '../market/flow/flow-cursor.ts';
import type { OrderFlowRow } from '../market/flow/order-flow-row.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import type { StrategyInbox } from './strategy-inbox.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** A book that stays silent for so long is asked for anew. */
const silentReconnectMs = 60_000;

/** Hands recorded order flow of one market to the handler. */
export type MarketAction = (handler: MarketDataHandler, market: EngineMarket) => void;

export type MarketDataHandlerOptions = {
  readonly context: EngineContext;
  readonly fills: FillBook;
  readonly inbox: StrategyInbox;
  readonly strategies: StrategyRunner;
  readonly settings: readonly StrategySettings[];
};

export class MarketDataHandler {
  readonly #options: MarketDataHandlerOptions;
  /** Markets whose silence is being waited for; one wake each. */
  readonly #watched = new Set<EngineMarket>();

  constructor(options: MarketDataHandlerOptions) {
    this.#options = options;
  }

  /** Takes a message of the market stream. */
  apply(market: EngineMarket, message: MarketMessage): void {
    const { context } = this.#options;
    const { pair } = market.market;
    if (message.kind === 'error')
      this.#warn(`market stream of ${pair}: ${message.code} ${message.message}`);
    if (message.kind === 'snapshot') this.#noteTime(market, message.snapshot.timestamp);
    if (message.kind === 'update') this.#noteTime(market, message.update.timestamp);
    this.#note(market, market.apply(message, context.nowMicros));
  }

  /** Takes a row of recorded order flow. */
  applyRow(market: EngineMarket, row: OrderFlowRow): void {
    const { context } = this.#options;
    // Once a message, as live: how often the clock was seen matters to its estimate.
    if (row.endsMessage) context.observeTime(Math.floor(row.atMicros / 1000));
    this.#note(market, market.applyRow(row, context.nowMicros));
  }

  /** Takes the book with which recorded order flow begins. */
  startFlow(market: EngineMarket, resting: RestingBlock): void {
    const { context } = this.#options;
    context.observeTime(Math.floor(context.nowMicros / 1000));
    this.#note(market, market.startFlow(resting, context.nowMicros));
  }

  /** Takes the next message of recorded order flow; `lastMicros` is the time of its last row. */
  applyFlow(market: EngineMarket, row: FlowCursor, lastMicros: number): void {
    const { context, strategies } = this.#options;
    context.observeTime(Math.floor(lastMicros / 1000));
    const { pair } = market.market;
    const wantsTrades = strategies.isObserved(pair, 'trade');
    const result = market.applyFlow(row, context.nowMicros, wantsTrades);
    const wantsTop = strategies.isObserved(pair, 'top');
    if (!market.isQuiet(result, wantsTop)) this.#note(market, result);
  }

  /** Whether a message of recorded order flow that leaves the book usable is told to nobody. */
  hasNoListeners(market: EngineMarket): boolean {
    const { strategies } = this.#options;
    const { pair } = market.market;
    const isObserved = strategies.isObserved(pair, 'top') || strategies.isObserved(pair, 'trade');
    return market.isUsable && market.unusableSinceMs === undefined && !isObserved;
  }

  /** As {@link applyFlow} with all messages up to a time; the market {@link hasNoListeners}. */
  fastForward(market: EngineMarket, flow: DelayedMessages, limitMicros: number): void {
    const { context } = this.#options;
    context.nowMicros = market.fastForward(flow, limitMicros, context.exchangeClock);
  }

  /** The stream of a market has ended; another snapshot will come. */
  lose(market: EngineMarket, reason: string): void {
    if (market.feed.isUsable) market.feed.invalidate('DISCONNECTED', reason);
    this.#publish(market, { kind: 'ignored' });
  }

  /** What is known may be out of date, and the lines may be dead: all streams begin anew. */
  doubtAll(markets: Iterable<EngineMarket>, reason: string): void {
    const { context } = this.#options;
    for (const market of markets) {
      this.lose(market, reason);
      const { pair } = market.market;
      context.effect({ kind: 'reconnect', stream: 'market', pair, reason });
    }
    context.effect({ kind: 'reconnect', stream: 'user', pair: '', reason });
  }

  /** Takes quotes back when the book stays unusable for longer than each strategy allows. */
  armWithdrawal(market: EngineMarket): void {
    const { context, strategies, settings } = this.#options;
    const { pair } = market.market;
    const since = market.unusableSinceMs;
    for (const { id, pairs, onUnusableBook } of settings) {
      if (!pairs.includes(pair)) continue;
      context.wakeAfter(onUnusableBook.withdrawAfterMs, () => {
        if (market.unusableSinceMs === since)
          strategies.withdraw(id, pair, 'the book cannot be used');
      });
    }
  }

  /** Once a message says that the stream is late, all that is placed would be on the past. */
  #noteTime(market: EngineMarket, timestampMs: number): void {
    const { context } = this.#options;
    context.observeTime(timestampMs);
    const lagMs = context.sinceStampMs(timestampMs);
    const isLagging = market.noteLag(lagMs);
    if (isLagging === undefined) return;
    const how = isLagging ? `is ${Math.round(lagMs)} ms behind` : 'has caught up';
    this.#warn(`market stream of ${market.market.pair} ${how}`);
  }

  #note(market: EngineMarket, result: FeedResult): void {
    const { context, fills } = this.#options;
    const { pair } = market.market;
    this.#publish(market, result);
    if (result.kind === 'applied')
      // A recording in columns names nobody.
      for (const trade of result.trades)
        if (trade.makerOrderId !== '' || trade.takerOrderId !== '')
          fills.noteMarketTrade({ pair, ...trade });
    if (result.kind === 'unusable') {
      this.#warn(`book of ${pair} is unusable: ${result.message}`);
      // Not a frame that was lost: the exchange itself said what cannot be.
      if (result.fault === 'BOOK_CROSSED')
        context.incident('BOOK_CROSSED', `${pair}: ${result.message}`);
      context.effect({ kind: 'reconnect', stream: 'market', pair, reason: result.message });
    }
  }

  #publish(market: EngineMarket, result: FeedResult): void {
    const { context, inbox } = this.#options;
    for (const change of market.changesOf(result, context.nowMs)) {
      inbox.publish(change);
      if (change.kind !== 'usable') continue;
      if (change.usable) {
        inbox.planAll();
        this.#watchSilence(market);
      } else this.armWithdrawal(market);
    }
  }

  /** A stream that is silent for longer than a book may be old leaves a book for nobody to use. */
  #watchSilence(market: EngineMarket): void {
    if (this.#watched.has(market)) return;
    const { context } = this.#options;
    const lookAgainMs = market.noteSilence(context.nowMs);
    if (lookAgainMs !== undefined) {
      this.#watched.add(market);
      context.wakeAfter(lookAgainMs, () => {
        this.#watched.delete(market);
        this.#watchSilence(market);
      });
      return;
    }
    if (market.isUsable || !market.feed.isUsable) return;
    const { pair } = market.market;
    this.#warn(`market stream of ${pair} is silent; its book is not used`);
    this.#publish(market, { kind: 'ignored' });
    const since = market.unusableSinceMs;
    context.wakeAfter(silentReconnectMs, () => {
      if (market.unusableSinceMs !== since) return;
      // Only a new snapshot tells a line that is dead behind its pings from a quiet market.
      context.effect({ kind: 'reconnect', stream: 'market', pair, reason: 'silent' });
    });
  }

  #warn(text: string): void {
    const notice: Notice = { level: 'warn', topic: 'stream', text };
    this.#options.context.notice(notice);
  }
}
