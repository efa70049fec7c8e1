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
import type { OrderState } from '../domain/order.ts';
import { FillBook } from '../execution/fills/fill-book.ts';
import { Executor } from '../execution/orders/executor.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { pollOpenOrders } from '../execution/reconcile/check-open-orders.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { DelayedMessages } from '../market/feed/delayed-messages.ts';
import type { FlowCursor } from '../market/flow/flow-cursor.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import { Coroutines } from './coroutines.ts';
import { EngineContext } from './engine-context.ts';
import { EngineMarket } from './engine-market.ts';
import { type EngineStart, withoutRows } from './engine-start.ts';
import type { EngineEvent, Step } from './event.ts';
import { createHosts } from './hosts.ts';
import { type MarketAction, MarketDataHandler } from './market-data-handler.ts';
import { reopenMarket } from './market-reopening.ts';
import { OperatorCommands } from './operator-commands.ts';
import { describeOrder, isAnnounced } from './order-notice.ts';
import { createReaders, type Readers } from './readers.ts';
import { isBlocked, RequestQueue } from './request-queue.ts';
import { restoreState } from './restore-state.ts';
import { RiskEngine } from './risk-engine.ts';
import { type RunnerStrategy, StrategyRunner } from './strategy-runner.ts';
import { noteStreamEnd } from './stream-ends.ts';
import { UserStreamHandler } from './user-stream-handler.ts';

/** Books, intents and comparisons of before a pause that was longer are not trusted. */
const doubtfulMsMin = 5_000;

export class Engine {
  readonly executor: Executor;
  readonly fills: FillBook;
  readonly reconciler: Reconciler;
  readonly strategies: StrategyRunner;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  /** Without the rows that are restored once. */
  readonly #start: EngineStart;
  /** The whole start, until it has begun. */
  #unbegun: EngineStart | undefined;
  readonly #context: EngineContext;
  readonly #coroutines: Coroutines;
  readonly #calls: RequestQueue;
  readonly #risk: RiskEngine;
  readonly #hosts: readonly RunnerStrategy[];
  readonly #marketDesk: MarketDataHandler;
  readonly #operator: OperatorCommands;
  readonly #readers: Readers;
  readonly #user: UserStreamHandler;
  #wasReconciled = false;
  /** The start's comparison with the exchange is done. */
  #isReady = false;

  /** `plugins` holds the prepared plugin of each strategy, by strategy id. */
  constructor(start: EngineStart, plugins: ReadonlyMap<string, PreparedStrategy>) {
    const { settings, restored } = start;
    this.#start = withoutRows(start);
    this.#unbegun = start;
    const startedMs = Math.floor(start.startedMicros / 1000);
    this.markets = new Map(
      start.markets.map((market) => {
        const { pair } = market.market;
        const limits = settings.limits.pairs[pair];
        const silenceMsMax = limits?.bookAgeMsMax ?? Number.POSITIVE_INFINITY;
        return [pair, new EngineMarket(market, startedMs, silenceMsMax)];
      }),
    );
    this.#context = new EngineContext(this.#start, {
      spawn: (procedure) => this.#coroutines.spawn(procedure),
      orderChanged: (order, before) => this.#noteOrder(order, before),
      orderFilled: (order, fill) => {
        this.strategies.noteFill(order, fill);
        if (fill.booked) this.#risk.noteBooked(order);
      },
      halted: (scope, reason) => this.#risk.withdrawUnsent(scope, reason),
      refusalsAgain: (order) => this.#refusalsAgain(order),
      marketClosed: (pair, reason) => this.#closeMarket(pair, reason),
    });
    this.#calls = new RequestQueue(this.#context, start.callLimit);
    this.#coroutines = new Coroutines({
      timers: this.#context.timers,
      nowMicros: () => this.#context.nowMicros,
      handleCall: (call, resume) => this.#calls.enqueue({ call, resume }),
    });
    this.executor = new Executor({
      namespace: settings.namespace,
      intentIdNext: restored.intentIdNext,
      desk: this.#context,
      requestTrades: (pair) => this.#readers.trades.get(pair)?.request(),
      measuresReadLag: start.reconcile,
    });
    this.fills = new FillBook(this.executor, settings.namespace);
    this.#readers = createReaders({
      start: this.#start,
      executor: this.executor,
      fills: this.fills,
      markets: this.markets,
      calls: this.#calls,
    });
    this.reconciler = this.#readers.reconciler;
    this.#user = new UserStreamHandler({
      context: this.#context,
      executor: this.executor,
      fills: this.fills,
      readers: this.#readers,
    });
    for (const [id, { hash }] of plugins) this.#context.facts.strategyHashes.set(id, hash);
    this.#risk = new RiskEngine({
      context: this.#context,
      executor: this.executor,
      settings,
      markets: this.markets,
      isReconciled: () => this.#wasReconciled,
      tell: (strategyId, event) => this.strategies.tell(strategyId, event),
    });
    this.#hosts = createHosts({
      start: this.#start,
      plugins,
      markets: this.markets,
      executor: this.executor,
      exposure: this.#context.exposure,
    });
    this.strategies = new StrategyRunner({
      desk: this.#context,
      executor: this.executor,
      markets: this.markets,
      strategies: this.#hosts,
      orders: this.#risk.orders,
      usedKeys: restored.usedKeys,
      isReady: () => this.#isReady,
    });
    this.#marketDesk = new MarketDataHandler({
      context: this.#context,
      fills: this.fills,
      strategies: this.strategies,
      settings: settings.strategies,
    });
    this.#operator = new OperatorCommands({
      start: this.#start,
      context: this.#context,
      calls: this.#calls,
      executor: this.executor,
      fills: this.fills,
      reconciler: this.reconciler,
      strategies: this.strategies,
      approve: (token, reason) => {
        const approved = this.#risk.approve(token, reason);
        if (approved !== undefined) this.strategies.approved(token);
        return approved;
      },
    });
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

  /** As {@link step}, with recorded order flow, which `tell` hands to the market desk. */
  stepRecorded(atMicros: number, pair: string, tell: MarketAction): Step {
    this.#moveTo(atMicros);
    const market = this.markets.get(pair);
    assert(market !== undefined, `order flow of ${pair} came, which has no market`);
    tell(this.#marketDesk, market);
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
    this.#marketDesk.applyFlow(market, row, lastMicros);
    const isQuiet =
      context.timers.changes === timersBefore &&
      !context.hasOutputs &&
      !this.#calls.isWaiting &&
      this.#wasReconciled &&
      this.strategies.isIdleAt(context.nowMs);
    return isQuiet ? undefined : this.#finishStep();
  }

  /**
   * Whether messages of recorded order flow that leave the book usable mean nothing to anybody, and
   * will not before the engine is stepped again: {@link hearFlow} may take them then.
   */
  isQuiet(market: EngineMarket): boolean {
    const isIdle = this.#wasReconciled && !this.#calls.isWaiting && this.strategies.isIdle;
    return isIdle && this.#marketDesk.isUnheard(market);
  }

  /**
   * As {@link stepFlow}, for the messages that are due before `limitMicros`, of which there must be
   * one: the engine wants not to be woken before, and nobody waits for them. They move the book and
   * the clock, and nothing follows. Returns when the last one came.
   */
  hearFlow(market: EngineMarket, flow: DelayedMessages, limitMicros: number): number {
    this.#marketDesk.hearFlow(market, flow, limitMicros);
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
    return this.#context.takeOutputs();
  }

  #dispatch(event: EngineEvent): void {
    switch (event.kind) {
      case 'start':
        this.#begin();
        return;
      case 'market-frame':
        this.#withMarket(event.pair, (market) => this.#marketDesk.apply(market, event.message));
        return;
      case 'market-opened':
        this.#announce('stream', `market stream of ${event.pair} is open`);
        return;
      case 'market-closed':
        noteStreamEnd(this.#context, `market stream of ${event.pair}`, event);
        this.#withMarket(event.pair, (market) => this.#marketDesk.lose(market, event.reason));
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
        this.#user.apply(event.message);
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

  /** No stamp of before a pause may date an order; after a long one everything is in doubt. */
  #notePause(forMs: number): void {
    this.#context.forgetStamps();
    this.#calls.noteGap(forMs);
    if (forMs < doubtfulMsMin) return;
    const reason = `stood still for ${(forMs / 1000).toFixed(1)} s`;
    this.#announce('state', `${reason}: everything is compared with the exchange first`, 'warn');
    this.executor.expireIntents();
    this.#marketDesk.doubtAll(this.markets.values(), reason);
    if (this.#start.reconcile) this.reconciler.doubt();
  }

  #begin(): void {
    const start = this.#unbegun;
    assert(start !== undefined, 'an engine is started once');
    // What a day has left is much, and the tracker keeps of it what it needs.
    this.#unbegun = undefined;
    const { settings, restored, reconcile } = start;
    const recentStarts = this.#start.recentStarts ?? 0;
    if (reconcile && restored.intentIdNext > 1) this.#calls.assumeUsedBefore(recentStarts);
    if (recentStarts > 1)
      this.#announce(
        'state',
        `${recentStarts} starts within the last minute: calls wait so that the exchange's limit holds; it may take a minute until all is compared`,
      );
    restoreState(start, this.#context, this.executor, this.fills);
    this.#risk.begin();
    for (const row of restored.looseRows) this.#readers.ledger.explain(row);
    for (const trades of this.#readers.trades.values()) this.#coroutines.spawn(trades.run());
    // The ledger also tells what there is to spend, so it is read where nothing is reconciled.
    this.#coroutines.spawn(this.#readers.ledger.run());
    if (reconcile) {
      this.#coroutines.spawn(this.reconciler.run());
      this.#coroutines.spawn(this.#readers.marketWatch.run());
      this.#coroutines.spawn(pollOpenOrders(this.executor));
    } else this.#readers.ledger.request();
    if (this.#start.observes === true) return;
    for (const strategy of settings.strategies)
      if (strategy.onRestart === 'cancel')
        this.executor.cancelAll(
          'restart: leftovers are cancelled',
          (order) => order.strategyId === strategy.id,
        );
    this.executor.cancelAll(
      'restart: no strategy of the settings owns it',
      ({ strategyId, pair }) =>
        !settings.strategies.some((one) => one.id === strategyId && one.pairs.includes(pair)),
    );
    this.strategies.start();
    // A book that never comes must not keep the last run's quotes alive.
    for (const market of this.markets.values()) this.#marketDesk.armWithdrawal(market);
  }

  #withMarket(pair: string, apply: (market: EngineMarket) => void): void {
    const market = this.markets.get(pair);
    if (market !== undefined) apply(market);
  }

  #noteOrder(order: TrackedOrder, before: OrderState | undefined): void {
    this.strategies.noteOrder(order);
    if (order.state === 'rejected' && before !== 'rejected') this.#risk.noteRejected(order);
    if (this.#context.tellsInfo && before !== order.state && isAnnounced(order))
      this.#announce('order', describeOrder(order));
  }

  /** An order is sent again for a strategy that runs, by a bot that does not stop. */
  #refusalsAgain(order: TrackedOrder): readonly string[] {
    const isWanted = this.#hosts.some(
      ({ settings, host }) => settings.id === order.strategyId && host.status === 'running',
    );
    if (this.#operator.isStopping || !isWanted) return ['STOPPED'];
    return this.#risk.refusalsAgain(order);
  }

  #closeMarket(pair: string, reason: string): void {
    const market = this.markets.get(pair);
    if (market === undefined || market.isClosed) return;
    market.close();
    this.#announce('state', `${pair} takes no orders: ${reason}`, 'warn');
    const opened = (): void => {
      this.#announce('state', `${pair} takes orders again`);
      this.reconciler.request();
      this.strategies.planAll();
    };
    this.#coroutines.spawn(reopenMarket(market, opened));
  }

  /** Quotes that waited for the first reconciliation are judged as soon as it is done. */
  #noteReconciled(): void {
    const isReconciled = !this.#start.reconcile || this.reconciler.isBalanced;
    this.#isReady ||= isReconciled;
    if (isReconciled && !this.#wasReconciled) this.strategies.planAll();
    this.#wasReconciled = isReconciled;
  }

  #announce(topic: Notice['topic'], text: string, level: Notice['level'] = 'info'): void {
    this.#context.notice({ level, topic, text });
  }
}
