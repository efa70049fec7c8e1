/**
 * The engine: a synchronous, deterministic state machine. `step(event)` returns what to store and
 * what to do.
 *
 *     timers that are due ─▶ the event, views first ─▶ strategies, gate, executor ─▶ calls
 *
 * Invariants: no promise, clock, timer, randomness or I/O; the time comes with each event; the same
 * start and the same events give the same records and effects, byte for byte.
 */
import { assert } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import type { TradingBlock } from '../domain/trading-block.ts';
import type { FillBook } from '../execution/fills/fill-book.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { RunResults } from '../execution/orders/run-results.ts';
import { pollOpenOrders } from '../execution/reconcile/check-open-orders.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { DelayedMessages } from '../market/feed/delayed-messages.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import { type EngineContext, nothing } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import { createEngineParts, type EngineParts } from './engine-parts.ts';
import { type EngineStart, withoutRows } from './engine-start.ts';
import type { Step } from './event.ts';
import type { MarketDataHandler } from './market-data-handler.ts';
import type { OperatorCommands } from './operator-commands.ts';
import type { CallWaits } from './quoting/call-waits.ts';
import type { QuoteCoverage } from './quoting/quote-coverage.ts';
import { skipComparisons } from './readers.ts';
import type { Readiness } from './readiness.ts';
import { isBlocked, type RequestQueue } from './request-queue.ts';
import { cancelAtRestart, restoreState } from './restore-state.ts';
import type { RiskEngine } from './risk-engine.ts';
import type { ReplyEvent, StepInput } from './stepping/step-input.ts';
import type { StepObserver } from './stepping/step-observer.ts';
import type { StrategyRunner } from './strategy-runner.ts';
import { noteStreamEnd } from './stream-ends.ts';

/** After a longer pause, books, intents and comparisons from before it are not trusted. */
const longPauseMsMin = 5_000;
/** After this many earlier calls, too few are left to compare everything without waiting. */
const earlierCallsMin = 120;

export class Engine {
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly reconciler: Reconciler;
  readonly strategies: StrategyRunner;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  /** Orders that wait for the call budget. */
  readonly waits: CallWaits;
  /** Not updated in a backtest. */
  readonly coverage: QuoteCoverage;
  /** The start without the rows that are restored once. */
  readonly #start: EngineStart;
  /** Whether everything is compared with the venue before the first order, and again later. */
  readonly #comparesFirst: boolean;
  /** Whether a step without output may still change what people see; then it runs to its end. */
  readonly #isWatched: boolean;
  /** The start with all rows; undefined once the engine has started. */
  #pendingStart: EngineStart | undefined;
  /** For whoever describes the bot: they are read between steps, and change only in a step. */
  readonly parts: EngineParts;
  readonly #context: EngineContext;
  readonly #calls: RequestQueue;
  readonly #marketData: MarketDataHandler;
  readonly #operator: OperatorCommands;
  readonly #readiness: Readiness;
  readonly #risk: RiskEngine;

  /** `plugins` are by strategy id; a backtest passes what takes its `results`. */
  constructor(
    start: EngineStart,
    plugins: ReadonlyMap<string, PreparedStrategy>,
    results?: RunResults,
    observer?: StepObserver,
  ) {
    this.#start = withoutRows(start);
    this.#comparesFirst = start.venue.reports.mayBeLost;
    this.#pendingStart = start;
    const { usedKeys } = start.restored;
    const parts = createEngineParts(this.#start, plugins, usedKeys, { results, observer });
    this.orders = parts.orders;
    this.fills = parts.fills;
    this.reconciler = parts.readers.reconciler;
    this.strategies = parts.strategies;
    this.markets = parts.seenMarkets;
    this.waits = parts.waits;
    this.coverage = parts.coverage;
    this.parts = parts;
    this.#isWatched = parts.context.reportsInfo || parts.watch !== undefined;
    this.#risk = parts.risk;
    this.#context = parts.context;
    this.#calls = parts.calls;
    this.#marketData = parts.marketData;
    this.#operator = parts.operator;
    this.#readiness = parts.readiness;
  }

  /** What keeps strategies from trading; empty without {@link EngineStart.watchesTrading}. */
  get tradingBlocks(): readonly TradingBlock[] {
    return this.parts.watch?.blocks ?? [];
  }

  /** When the engine must be stepped next, at the latest; Infinity if it only needs events. */
  get nextWakeMicros(): number {
    // Numbers throughout: V8 would allocate one for each value that may be undefined.
    let wakeMicros = this.#context.timers.nextMicros;
    // Strategies see whole milliseconds, so a timer between two of them runs at the next one.
    const strategiesMicros = Math.ceil(this.strategies.nextWakeMs) * 1000;
    if (strategiesMicros < wakeMicros) wakeMicros = strategiesMicros;
    if (this.#calls.isWaiting) wakeMicros = Math.min(wakeMicros, this.#callMicros());
    return Math.ceil(this.#marketData.silenceMicrosBefore(wakeMicros));
  }

  /** Calls that could be sent were sent in the step; the rest wait for the budget. */
  #callMicros(): number {
    const budgetMs = this.#calls.nextMs ?? Infinity;
    return Math.max(budgetMs * 1000, this.#context.nowMicros + 1000);
  }

  /**
   * Takes one event at `atMicros` (our clock, never earlier than the last) and returns the step,
   * which usually is empty.
   */
  step(atMicros: number, input: StepInput): Step {
    const { observer } = this.#context;
    observer?.began(atMicros, input);
    this.#moveTo(atMicros);
    this.#dispatch(input);
    const step = this.#finishStep();
    observer?.ended(step);
    return step;
  }

  /**
   * Whether recorded messages that leave the book usable have no consequences until the next step;
   * {@link fastForward} may then apply them.
   */
  isQuiet(market: EngineMarket): boolean {
    if (this.#context.observer !== undefined) return false;
    const isIdle = this.#readiness.isReconciled && !this.#calls.isWaiting && this.strategies.isIdle;
    return isIdle && !this.#risk.isWaitingForMarket && this.#marketData.hasNoListeners(market);
  }

  /**
   * Takes all messages that are due before `limitMicros`; there must be at least one. The engine
   * must have no earlier wake-up, and {@link isQuiet} must hold: the messages only move the book
   * and the clock. Returns the time of the last one.
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
    this.#marketData.watchSilence();
  }

  #finishStep(): Step {
    // Most messages, answers and timers of a backtest have no consequence.
    if (this.#isSettled()) return nothing;
    this.#noteReconciled();
    this.strategies.settle();
    // Sending an attempt changes its order, and the strategy must learn that in the same step.
    while (this.#calls.send() > 0) this.strategies.settle();
    const context = this.#context;
    if (context.reportsInfo) {
      this.waits.announce();
      this.coverage.note(context.nowMs);
    }
    if (this.#pendingStart === undefined) this.parts.watch?.check(this.strategies.ends.isOver);
    return context.takeOutputs();
  }

  /** Whether the step has no output and leaves nothing to do. */
  #isSettled(): boolean {
    const context = this.#context;
    return (
      !this.#isWatched &&
      !context.hasOutputs &&
      !this.#calls.isWaiting &&
      this.#readiness.isReconciled &&
      this.strategies.isIdleAt(context.nowMs)
    );
  }

  #dispatch(event: StepInput): void {
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
        if (this.parts.markets.has(event.pair)) this.reconciler.request();
        return;
      case 'user-opened':
        this.#announce('stream', 'user stream is open');
        // Messages missed meanwhile are found by reading, whether or not they are sent again.
        this.reconciler.request();
        return;
      case 'user-closed':
        noteStreamEnd(this.#context, 'user stream', event);
        return;
      case 'report':
        this.parts.userStream.apply(event.report);
        return;
      case 'user-malformed':
        this.#announce('stream', `user stream sent an unreadable message: ${event.reason}`, 'warn');
        this.reconciler.request();
        return;
      case 'flow':
        this.#marketData.applyFlow(event.market, event.flow);
        this.#noteMarketMessage();
        return;
      case 'flow-start':
        this.#marketData.startFlow(event.market, event.resting, event.data);
        this.#noteMarketMessage();
        return;
      case 'reply':
        this.#takeReply(event);
        return;
      case 'replies':
        for (const reply of event.replies) this.#takeReply(reply);
        return;
      case 'feed':
      case 'feed-trouble':
        this.parts.feeds.take(event);
        return;
      case 'operator':
        this.#operator.execute(event);
        this.#risk.watch();
        return;
      case 'store-trouble':
        this.#context.incident(event.code, event.text);
        if (event.mustStop) this.#operator.execute({ command: 'stop', reason: event.text });
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

  #takeReply({ request, reply }: ReplyEvent): void {
    if (isBlocked(reply))
      this.#operator.execute({ command: 'halt', reason: 'the egress guard blocked an order' });
    this.#calls.answer(request, reply);
  }

  #noteMarketMessage(): void {
    if (this.#risk.isWaitingForMarket) this.#risk.noteMessage();
  }

  /** Drops the timestamps from before a pause; after a long pause, compares everything again. */
  #notePause(forMs: number): void {
    this.#context.forgetStamps();
    this.#calls.noteGap(forMs);
    if (forMs < longPauseMsMin) return;
    const reason = `the process stood still for ${(forMs / 1000).toFixed(1)} s`;
    const text = `${reason}: it trades again when everything has been compared with the exchange`;
    this.#announce('state', text, 'warn');
    this.orders.expireIntents();
    this.#marketData.reconnectAll(this.markets.values(), reason);
    if (this.#comparesFirst) this.reconciler.invalidate();
    this.parts.trading.noteStandstill(forMs);
  }

  #begin(): void {
    const start = this.#pendingStart;
    assert(start !== undefined, 'the engine was started twice');
    // The rows may be many, and the parts keep what they need of them.
    this.#pendingStart = undefined;
    const { settings, restored, earlierCallsMs = [] } = start;
    this.#calls.countOtherCalls(earlierCallsMs);
    if (earlierCallsMs.length >= earlierCallsMin)
      this.#announce(
        'state',
        `the exchange still counts ${earlierCallsMs.length} calls of the last minute: some calls now wait, for up to a minute, to stay within its limit`,
      );
    const { readers, risk } = this.parts;
    const context = this.#context;
    restoreState(start, this.parts);
    risk.begin();
    for (const row of restored.looseRows) readers.ledger.explain(row);
    for (const trades of readers.trades.values()) context.spawn(trades.run());
    // The ledger also shows the available funds, so it is read even without reconciliation.
    context.spawn(readers.ledger.run());
    if (this.#comparesFirst) {
      context.spawn(this.reconciler.run());
      context.spawn(readers.marketWatch.run());
      context.spawn(pollOpenOrders(this.orders));
      context.spawn(readers.endChecks.run());
    } else skipComparisons(readers, this.orders.reads, start);
    if (this.#start.observes === true) return;
    this.parts.feeds.begin();
    this.parts.parameters.begin();
    cancelAtRestart(settings.strategies, this.orders);
    this.strategies.start();
    // The last run's quotes must be withdrawn even if a book never arrives.
    for (const market of this.markets.values()) this.#marketData.armWithdrawal(market);
  }

  #withMarket(pair: string, apply: (market: EngineMarket) => void): void {
    const market = this.markets.get(pair);
    if (market !== undefined) apply(market);
  }

  /** Quotes that waited for the first reconciliation are judged as soon as it is done. */
  #noteReconciled(): void {
    const isReconciled = !this.#comparesFirst || this.reconciler.isBalanced;
    if (this.#readiness.note(isReconciled)) this.parts.inbox.planAll();
  }

  #announce(topic: Notice['topic'], text: string, level: Notice['level'] = 'info'): void {
    this.#context.notice({ level, topic, text });
  }
}
