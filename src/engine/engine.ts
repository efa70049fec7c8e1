/**
 * The engine: a synchronous, deterministic machine. `step(event)` returns what to store and what to
 * do.
 *
 *     timers that are due ─▶ the event, views first ─▶ strategies, gate, executor ─▶ calls
 *
 * Invariants: no promise, clock, timer, randomness or I/O in here; time is the event's; the same
 * start and the same events give the same records and effects, byte for byte.
 */
import { assert } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import type { TradingBlock } from '../domain/trading-block.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import { pollOpenOrders } from '../execution/reconcile/check-open-orders.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { DelayedMessages } from '../market/feed/delayed-messages.ts';
import type { FlowCursor } from '../market/flow/flow-cursor.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import { createEngineParts, type EngineParts } from './engine-parts.ts';
import { type EngineStart, withoutRows } from './engine-start.ts';
import type { EngineEvent, Step } from './event.ts';
import type { MarketAction, MarketDataHandler } from './market-data-handler.ts';
import type { OperatorCommands } from './operator-commands.ts';
import type { CallWaits } from './quoting/call-waits.ts';
import type { QuoteCoverage } from './quoting/quote-coverage.ts';
import type { Readiness } from './readiness.ts';
import { isBlocked, type RequestQueue } from './request-queue.ts';
import { restoreState } from './restore-state.ts';
import type { RiskEngine } from './risk-engine.ts';
import type { StrategyRunner } from './strategy-runner.ts';
import { noteStreamEnd } from './stream-ends.ts';

/** Books, intents and comparisons of before a pause that was longer are not trusted. */
const doubtfulMsMin = 5_000;
/** So many calls before the start leave the new run too few to compare everything at once. */
const earlierCallsMin = 120;

export class Engine {
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly reconciler: Reconciler;
  readonly strategies: StrategyRunner;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  /** Orders that wait for the call budget. */
  readonly waits: CallWaits;
  /** Not kept in a backtest. */
  readonly coverage: QuoteCoverage;
  /** Without the rows that are restored once. */
  readonly #start: EngineStart;
  /** The whole start, until it has begun. */
  #unbegun: EngineStart | undefined;
  readonly #parts: EngineParts;
  readonly #context: EngineContext;
  readonly #calls: RequestQueue;
  readonly #marketData: MarketDataHandler;
  readonly #operator: OperatorCommands;
  readonly #readiness: Readiness;
  readonly #risk: RiskEngine;

  /** `plugins` holds the prepared plugin of each strategy, by strategy id. */
  constructor(start: EngineStart, plugins: ReadonlyMap<string, PreparedStrategy>) {
    this.#start = withoutRows(start);
    this.#unbegun = start;
    const parts = createEngineParts(this.#start, plugins, start.restored.usedKeys);
    this.orders = parts.orders;
    this.fills = parts.fills;
    this.reconciler = parts.readers.reconciler;
    this.strategies = parts.strategies;
    this.markets = parts.markets;
    this.waits = parts.waits;
    this.coverage = parts.coverage;
    this.#parts = parts;
    this.#risk = parts.risk;
    this.#context = parts.context;
    this.#calls = parts.calls;
    this.#marketData = parts.marketData;
    this.#operator = parts.operator;
    this.#readiness = parts.readiness;
  }

  /** What keeps strategies from trading at present, as {@link EngineStart.watchesTrading} asks. */
  get tradingBlocks(): readonly TradingBlock[] {
    return this.#parts.watch?.blocks ?? [];
  }

  /** When the engine wants to be stepped next, at the latest; undefined if only events move it. */
  get nextWakeMicros(): number | undefined {
    const strategiesMs = this.strategies.nextWakeMs;
    const budgetMs = this.#calls.nextMs;
    let wakeMicros = this.#context.timers.nextMicros ?? Infinity;
    if (strategiesMs !== undefined) wakeMicros = Math.min(wakeMicros, strategiesMs * 1000);
    // A call that may leave now left in the step; what is left waits for the budget.
    if (budgetMs !== undefined)
      wakeMicros = Math.min(wakeMicros, Math.max(budgetMs * 1000, this.#context.nowMicros + 1000));
    return wakeMicros === Infinity ? undefined : Math.ceil(wakeMicros);
  }

  /**
   * Takes one event at `atMicros` (our clock, never less than before) and returns what follows from
   * it.
   */
  step(atMicros: number, event: EngineEvent): Step {
    this.#moveTo(atMicros);
    this.#dispatch(event);
    return this.#finishStep();
  }

  /**
   * As {@link step}; returns undefined where nothing follows from the event: no output, and neither
   * {@link nextWakeMicros} nor {@link isQuiet} can have changed. The event must be of the user
   * stream or a reply.
   */
  stepAnswer(atMicros: number, event: EngineEvent): Step | undefined {
    const timersBefore = this.#context.timers.changes;
    this.#moveTo(atMicros);
    this.#dispatch(event);
    return this.#isSilent(timersBefore) ? undefined : this.#finishStep();
  }

  /** As {@link step}, with recorded order flow, which `tell` hands to the market data handler. */
  stepRecorded(atMicros: number, pair: string, tell: MarketAction): Step {
    this.#moveTo(atMicros);
    const market = this.markets.get(pair);
    assert(market !== undefined, `order flow of ${pair} came, which has no market`);
    tell(this.#marketData, market);
    this.#noteMarketMessage();
    return this.#finishStep();
  }

  /**
   * As {@link step}, with the next message of recorded order flow, whose last row is of
   * `lastMicros`. Returns undefined for most: no timer was due, and nothing that anybody waits for.
   */
  stepFlow(atMicros: number, market: EngineMarket, row: FlowCursor, lastMicros: number) {
    const context = this.#context;
    const timersBefore = context.timers.changes;
    this.#moveTo(atMicros);
    this.#marketData.applyFlow(market, row, lastMicros);
    this.#noteMarketMessage();
    return this.#isSilent(timersBefore) ? undefined : this.#finishStep();
  }

  /** Whether nothing follows from the event that was dispatched. */
  #isSilent(timersBefore: number): boolean {
    const context = this.#context;
    return (
      context.timers.changes === timersBefore &&
      !context.hasOutputs &&
      !this.#calls.isWaiting &&
      this.#readiness.isReconciled &&
      this.strategies.isIdleAt(context.nowMs)
    );
  }

  /**
   * Whether messages of recorded order flow that leave the book usable mean nothing to anybody, and
   * will not before the engine is stepped again: {@link fastForward} may take them then.
   */
  isQuiet(market: EngineMarket): boolean {
    const isIdle = this.#readiness.isReconciled && !this.#calls.isWaiting && this.strategies.isIdle;
    return isIdle && !this.#risk.isWaitingForMarket && this.#marketData.hasNoListeners(market);
  }

  /**
   * As {@link stepFlow}, for the messages that are due before `limitMicros`, of which there must be
   * one: the engine wants not to be woken before, and nobody waits for them. They move the book and
   * the clock, and nothing follows. Returns when the last one came.
   */
  fastForward(market: EngineMarket, flow: DelayedMessages, limitMicros: number): number {
    this.#marketData.fastForward(market, flow, limitMicros);
    return this.#context.nowMicros;
  }

  #moveTo(atMicros: number): void {
    const context = this.#context;
    if (atMicros < context.nowMicros) assert(false, `time went back to ${atMicros}`);
    context.nowMicros = atMicros;
    context.timers.runDue(atMicros);
  }

  #finishStep(): Step {
    this.#noteReconciled();
    // An attempt that leaves changes its order, of which a strategy must hear before the step ends.
    do this.strategies.settle();
    while (this.#calls.send() > 0);
    if (this.#start.reconcile) {
      this.waits.announce();
      this.coverage.note(this.#context.nowMs);
    }
    if (this.#unbegun === undefined) this.#parts.watch?.look();
    return this.#context.takeOutputs();
  }

  #dispatch(event: EngineEvent): void {
    switch (event.kind) {
      case 'start':
        this.#begin();
        return;
      case 'market-frame':
        this.#withMarket(event.pair, (market) => this.#marketData.apply(market, event.message));
        this.#noteMarketMessage();
        return;
      case 'market-opened':
        this.#announce('stream', `market stream of ${event.pair} is open`);
        return;
      case 'market-closed':
        noteStreamEnd(this.#context, `market stream of ${event.pair}`, event);
        this.#withMarket(event.pair, (market) => this.#marketData.lose(market, event.reason));
        this.reconciler.request();
        return;
      case 'user-opened':
        this.#announce('stream', 'user stream is open');
        // What was missed while it was away is found by reading, whether it is sent again or not.
        this.reconciler.request();
        return;
      case 'user-closed':
        noteStreamEnd(this.#context, 'user stream', event);
        return;
      case 'user-frame':
        this.#parts.userStream.apply(event.message);
        return;
      case 'user-malformed':
        this.#announce('stream', `user stream sent what cannot be read: ${event.reason}`, 'warn');
        this.reconciler.request();
        return;
      case 'reply':
        if (isBlocked(event.reply))
          this.#operator.obey({ command: 'halt', reason: 'the egress guard blocked an order' });
        this.#calls.answer(event.request, event.reply);
        return;
      case 'operator':
        this.#operator.obey(event);
        this.#risk.watch();
        return;
      case 'store-trouble':
        this.#context.incident(event.code, event.text);
        if (event.mustStop) this.#operator.obey({ command: 'stop', reason: event.text });
        return;
      case 'loop-delay':
        this.#context.facts.health.loopDelayMs = event.delayMs;
        return;
      case 'paused':
        this.#notePause(event.forMs);
        return;
      case 'tick':
        return;
    }
  }

  #noteMarketMessage(): void {
    if (this.#risk.isWaitingForMarket) this.#risk.watch();
  }

  /** No stamp of before a pause may date an order; after a long one everything is in doubt. */
  #notePause(forMs: number): void {
    this.#context.forgetStamps();
    this.#calls.noteGap(forMs);
    if (forMs < doubtfulMsMin) return;
    const reason = `stood still for ${(forMs / 1000).toFixed(1)} s`;
    this.#announce('state', `${reason}: everything is compared with the exchange first`, 'warn');
    this.orders.expireIntents();
    this.#marketData.reconnectAll(this.markets.values(), reason);
    if (this.#start.reconcile) this.reconciler.doubt();
    this.#parts.trading.noteStandstill(forMs);
  }

  #begin(): void {
    const start = this.#unbegun;
    assert(start !== undefined, 'an engine is started once');
    // What a day has left is much, and the tracker keeps of it what it needs.
    this.#unbegun = undefined;
    const { settings, restored, reconcile } = start;
    const { earlierCallsMs = [] } = start;
    this.#calls.noteOthers(earlierCallsMs.map((timeMs) => timeMs * 1000));
    if (earlierCallsMs.length >= earlierCallsMin)
      this.#announce(
        'state',
        `${earlierCallsMs.length} calls of the last minute count still: others wait so that the exchange's limit holds, for a minute at most`,
      );
    const { executor, readers, risk } = this.#parts;
    const context = this.#context;
    restoreState(start, context, executor, this.fills);
    risk.begin();
    for (const row of restored.looseRows) readers.ledger.explain(row);
    for (const trades of readers.trades.values()) context.spawn(trades.run());
    // The ledger also tells what there is to spend, so it is read where nothing is reconciled.
    context.spawn(readers.ledger.run());
    if (reconcile) {
      context.spawn(this.reconciler.run());
      context.spawn(readers.marketWatch.run());
      context.spawn(pollOpenOrders(this.orders));
    } else readers.ledger.request();
    if (this.#start.observes === true) return;
    for (const strategy of settings.strategies)
      if (strategy.onRestart === 'cancel')
        this.orders.cancelAll(
          'restart: leftovers are cancelled',
          (order) => order.strategyId === strategy.id,
        );
    this.orders.cancelAll(
      'restart: no strategy of the settings owns it',
      ({ strategyId, pair }) =>
        !settings.strategies.some((one) => one.id === strategyId && one.pairs.includes(pair)),
    );
    this.strategies.start();
    // A book that never comes must not keep the last run's quotes alive.
    for (const market of this.markets.values()) this.#marketData.armWithdrawal(market);
  }

  #withMarket(pair: string, apply: (market: EngineMarket) => void): void {
    const market = this.markets.get(pair);
    if (market !== undefined) apply(market);
  }

  /** Quotes that waited for the first reconciliation are judged as soon as it is done. */
  #noteReconciled(): void {
    const isReconciled = !this.#start.reconcile || this.reconciler.isBalanced;
    if (this.#readiness.note(isReconciled)) this.#parts.inbox.planAll();
  }

  #announce(topic: Notice['topic'], text: string, level: Notice['level'] = 'info'): void {
    this.#context.notice({ level, topic, text });
  }
}
