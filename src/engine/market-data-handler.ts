/**
 * Handles market data: applies messages to the books, passes changes to the strategies,
 * and reacts when a book becomes unusable.
 *
 * Invariant: a strategy learns that a book is unusable before any other event about it, and its
 * quotes are withdrawn when the book stays unusable for longer than the strategy's settings allow.
 */
import type { BookMessage } from '../domain/book-message.ts';
import type { StrategySettings } from '../domain/bot-settings.ts';
import type { TradeCollector } from '../domain/market-view.ts';
import type { Notice } from '../domain/notice.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import type { DelayedMessages } from '../market/feed/delayed-messages.ts';
import type { FeedResult } from '../market/feed/feed-result.ts';
import type { RestingBlock } from '../market/flow/flow-block.ts';
import type { MarketData } from '../market/flow/market-data.ts';
import type { EngineContext } from './engine-context.ts';
import { type EngineMarket, streamLagMsMax } from './engine-market.ts';
import type { StrategyInbox } from './strategy-inbox.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** How long a silent book stays unusable before its stream is reconnected. */
const silentReconnectMs = 60_000;

const noCollectors: readonly TradeCollector[] = [];

export type MarketDataHandlerOptions = {
  readonly context: EngineContext;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly fills: FillBook;
  readonly inbox: StrategyInbox;
  readonly strategies: StrategyRunner;
  readonly settings: readonly StrategySettings[];
};

export class MarketDataHandler {
  readonly #options: MarketDataHandlerOptions;
  readonly #markets: readonly EngineMarket[];
  #silenceMicros = Number.POSITIVE_INFINITY;

  constructor(options: MarketDataHandlerOptions) {
    this.#options = options;
    this.#markets = [...options.markets.values()];
  }

  /** Applies a message of the market stream. */
  apply(market: EngineMarket, message: BookMessage): void {
    const { context } = this.#options;
    const { timestamp } = message.kind === 'snapshot' ? message.snapshot : message.update;
    this.#noteTime(market, timestamp);
    this.#note(market, market.apply(message, context.nowMicros));
  }

  /** Applies the book with which recorded flow begins; see {@link EngineMarket.startFlow}. */
  startFlow(market: EngineMarket, resting: RestingBlock, data: MarketData): void {
    const { context } = this.#options;
    context.observeTime(Math.floor(context.nowMicros / 1000));
    this.#note(market, market.startFlow(resting, context.nowMicros, data));
  }

  /** Applies the oldest message of recorded order flow that has not reached us. */
  applyFlow(market: EngineMarket, flow: DelayedMessages): void {
    const { context, strategies } = this.#options;
    context.observeTime(Math.floor(flow.endMicros / 1000));
    const { pair } = market.market;
    const wantsTrades = strategies.isObserved(pair, 'trade');
    // Trades that are only collected for candles need no events.
    const collectors = wantsTrades ? strategies.collectorsAlone(pair) : noCollectors;
    const result = market.applyFlow(flow, context.nowMicros, wantsTrades, collectors);
    const isPriceChange = result.kind === 'applied' && result.topChange === 'price';
    const wantsTop =
      strategies.isObserved(pair, 'topWithVolume') ||
      (isPriceChange && strategies.isObserved(pair, 'top'));
    if (!market.isQuiet(result, wantsTop)) this.#note(market, result);
  }

  /**
   * Whether a message of recorded order flow that leaves the book usable would run no code of a
   * strategy: its trades are at most collected for candles.
   */
  hasNoListeners(market: EngineMarket): boolean {
    if (!market.isUsable || market.unusableSinceMs !== undefined) return false;
    return !this.#options.strategies.followsMarket(market.market.pair);
  }

  /** As {@link applyFlow} for all messages up to a time, while {@link hasNoListeners} is true. */
  fastForward(market: EngineMarket, flow: DelayedMessages, limitMicros: number): void {
    const { context, strategies } = this.#options;
    context.nowMicros = market.fastForward(flow, limitMicros, {
      clock: context.exchangeClock,
      collectors: strategies.collectorsOf(market.market.pair),
    });
  }

  /** The stream of a market has ended; the next connection starts with a snapshot. */
  lose(market: EngineMarket, reason: string): void {
    if (market.feed.isUsable) market.feed.invalidate('DISCONNECTED', reason);
    this.#publish(market, { kind: 'ignored' });
  }

  /** Reconnects all streams: our books may be out of date, and the connections may be dead. */
  reconnectAll(markets: Iterable<EngineMarket>, reason: string): void {
    const { context } = this.#options;
    for (const market of markets) {
      this.lose(market, reason);
      const { pair } = market.market;
      context.effect({ kind: 'reconnect', stream: 'market', pair, reason });
    }
    context.effect({ kind: 'reconnect', stream: 'user', pair: '', reason });
  }

  /** Withdraws quotes if the book stays unusable for longer than the strategy's settings allow. */
  armWithdrawal(market: EngineMarket): void {
    const { context, strategies, settings } = this.#options;
    const { pair } = market.market;
    const since = market.unusableSinceMs;
    for (const { id, pairs, onUnusableBook } of settings) {
      if (!pairs.includes(pair)) continue;
      context.wakeAfter(onUnusableBook.withdrawAfterMs, () => {
        if (market.unusableSinceMs === since) strategies.withdraw(id, pair, 'the book is unusable');
      });
    }
  }

  /** Detects a stream that lags: an order placed on it would be based on old prices. */
  #noteTime(market: EngineMarket, timestampMs: number): void {
    const { context } = this.#options;
    context.observeTime(timestampMs);
    const lagMs = context.sinceStampMs(timestampMs);
    const isLagging = market.noteLag(lagMs);
    if (isLagging === undefined) return;
    const how = isLagging
      ? `is ${Math.round(lagMs)} ms behind, but at most ${streamLagMsMax} ms are allowed: no orders until it catches up`
      : 'has caught up: orders are allowed again';
    this.#warn(`market stream of ${market.market.pair} ${how}`);
  }

  #note(market: EngineMarket, result: FeedResult): void {
    const { context, fills } = this.#options;
    const { pair } = market.market;
    this.#publish(market, result);
    if (result.kind === 'applied')
      // Recorded order flow has no order ids.
      for (const trade of result.trades)
        if (trade.makerOrderId !== '' || trade.takerOrderId !== '')
          fills.noteMarketTrade({ pair, ...trade });
    if (result.kind === 'unusable') {
      this.#warn(`book of ${pair} is unusable until its stream has reconnected: ${result.message}`);
      // No frame was lost: the exchange itself sent an impossible book.
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
        this.#silenceMicros = Math.min(this.#silenceMicros, market.silentFromMicros);
      } else this.armWithdrawal(market);
    }
  }

  /** At or before the time when the first stream will have been silent for too long. */
  get silenceMicros(): number {
    return this.#silenceMicros;
  }

  /**
   * When {@link watchSilence} must be called next, but at most `limitMicros`. While other things
   * happen in time, streams that are not silent ask for no wake-up.
   */
  silenceMicrosBefore(limitMicros: number): number {
    if (this.#silenceMicros >= limitMicros) return limitMicros;
    this.#findSilence();
    return this.#silenceMicros < limitMicros ? this.#silenceMicros : limitMicros;
  }

  /** Makes books unusable whose streams are silent for longer than the limit on their age. */
  watchSilence(): void {
    const { nowMicros } = this.#options.context;
    if (nowMicros < this.#silenceMicros) return;
    for (const market of this.#markets)
      if (market.silentFromMicros <= nowMicros) this.#noteSilence(market);
    this.#findSilence();
  }

  /** The times were found earlier; messages have usually arrived since. */
  #findSilence(): void {
    this.#silenceMicros = Number.POSITIVE_INFINITY;
    for (const { silentFromMicros } of this.#markets)
      if (silentFromMicros < this.#silenceMicros) this.#silenceMicros = silentFromMicros;
  }

  #noteSilence(market: EngineMarket): void {
    market.noteSilence();
    const { context } = this.#options;
    const { pair } = market.market;
    this.#warn(`market stream of ${pair} is silent: its book is not used until a message arrives`);
    this.#publish(market, { kind: 'ignored' });
    const since = market.unusableSinceMs;
    context.wakeAfter(silentReconnectMs, () => {
      if (market.unusableSinceMs !== since) return;
      // Pings may still arrive, so only a new snapshot distinguishes a dead stream from no trading.
      context.effect({ kind: 'reconnect', stream: 'market', pair, reason: 'silent' });
    });
  }

  #warn(text: string): void {
    const notice: Notice = { level: 'warn', topic: 'stream', text };
    this.#options.context.notice(notice);
  }
}
