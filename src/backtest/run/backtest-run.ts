/**
 * Runs one engine over the recordings of its markets: the main loop, like a live bot's driver.
 *
 *     the next event: a row of history, a delayed message or reply, a wake-up of the engine
 *       ─▶ step ─▶ results into the store and the digest ─▶ effects to the replay exchange
 *
 * Everything happens in the time of the recordings. At equal times history comes first, then
 * delayed messages and replies, then wake-ups. No clock is read.
 *
 * Invariant: the same scenario and recordings give the same records in the same order.
 */
import { assert } from '../../domain/errors.ts';
import { Engine } from '../../engine/engine.ts';
import type { EngineMarket } from '../../engine/engine-market.ts';
import type { Effect, Step } from '../../engine/event.ts';
import type { StepInput } from '../../engine/stepping/step-input.ts';
import { tradesOverlapMs } from '../../execution/fills/trades-sync.ts';
import type { FlowBlock } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import { type FlowListener, ReplayExchange } from '../../replay-exchange/port/replay-exchange.ts';
import { runCodeOf } from '../../runtime/running-code.ts';
import type { BacktestRunOptions, RunMarket } from './backtest-run-options.ts';
import { BacktestStore } from './backtest-store.ts';
import { firstDue, MarketRun, othersDueMicros } from './market-run.ts';
import { RecordedFeeds } from './recorded-feeds.ts';
import { RunDigest } from './run-digest.ts';

/** A stop that takes longer than this never ends. */
const stopMicrosMax = 600_000_000;
/**
 * How long the exchange keeps finished orders and ledger rows: the engine reads them within a
 * minute. What outlives the garbage collector's young generation costs time and memory.
 */
const accountKeptMs = 300_000;
/** How long the exchange keeps trades: the engine asks for those of the whole overlap again. */
const tradesKeptMs = tradesOverlapMs + 60_000;
/** How many messages without listeners may wait to be applied; more would only cost memory. */
const deferredMessagesMax = 1_024;
const tick = { kind: 'tick' } as const;

export class BacktestRun {
  readonly engine: Engine;
  readonly store = new BacktestStore();
  readonly port: ReplayExchange;
  /** In the given order. */
  readonly marketRuns: readonly MarketRun[];
  /** The market, if there is only one. */
  readonly #only: MarketRun | undefined;
  readonly #onNotice: BacktestRunOptions['onNotice'];
  readonly #onRow: BacktestRunOptions['onRow'];
  readonly #onRecords: BacktestRunOptions['onRecords'];
  readonly #onStep: BacktestRunOptions['onStep'];
  readonly #feeds: RecordedFeeds;
  readonly #digest = new RunDigest();
  // No integers at first, so that V8 stores mutable doubles: else each write allocates a number.
  #nowMicros = 0.5;
  #lastRowMicros = 0.5;
  #wakeMicros = Infinity;
  #openOrders: number | undefined;

  constructor(options: BacktestRunOptions) {
    const { start, plugins, exchange, markets, observer } = options;
    this.#nowMicros = start.startedMicros;
    this.#lastRowMicros = start.startedMicros;
    this.#feeds = new RecordedFeeds(options.feeds ?? [], start.startedMicros);
    this.#onNotice = options.onNotice;
    this.#onRow = options.onRow;
    this.#onRecords = options.onRecords;
    this.#onStep = options.onStep;
    this.engine = new Engine(start, plugins, this.store, observer);
    this.port = new ReplayExchange({
      ...exchange,
      profile: start.venue,
      keptMs: accountKeptMs,
      tradesKeptMs,
      announcesOrders: false,
      nowMicros: () => this.#nowMicros,
      onReplies: (replies) => this.#step({ kind: 'replies', replies }),
      markets: markets.map((market) => ({ ...market, flow: this.#flowListener(market) })),
    });
    this.marketRuns = this.port.feeds.map((feed, index) => {
      const { resting } = markets[index] as RunMarket;
      const { history } = feed.accountMarket.replay;
      if (history.kind === 'orders') history.start(resting);
      const market = this.#marketOf(feed.pair);
      return new MarketRun(index, feed, this.engine, market);
    });
    this.#only = this.marketRuns.length === 1 ? this.marketRuns[0] : undefined;
  }

  /** The current time of the run, in the time of the recordings. */
  get nowMicros(): number {
    return this.#nowMicros;
  }

  /** The time of the last row of history. */
  get lastRowMicros(): number {
    return this.#lastRowMicros;
  }

  /** The number of rows of history so far, in all markets. */
  get rows(): number {
    return this.marketRuns.reduce((total, { rows }) => total + rows, 0);
  }

  /** Starts the engine and its streams. */
  start(): void {
    this.#step({ kind: 'start' });
    this.port.open((event) => this.#step(event));
  }

  /** Moves a market's cursor to the first row of its next block. */
  load(marketRun: MarketRun, block: FlowBlock): void {
    marketRun.cursor.load(block);
    marketRun.feed.begin(block);
    const hasRow = marketRun.cursor.next();
    assert(hasRow, `a block of ${marketRun.feed.pair} must have rows`);
  }

  /**
   * Plays the rows of a market's block up to `limitMicros`. Returns whether more rows follow; if
   * so, the cursor is at the next one.
   */
  playUntil(marketRun: MarketRun, limitMicros: number): boolean {
    return runCodeOf('millrace', () => this.#playRows(marketRun, limitMicros));
  }

  #playRows(marketRun: MarketRun, limitMicros: number): boolean {
    const { cursor } = marketRun;
    let hasMore = true;
    let rows = 0;
    while (hasMore && cursor.atMicros <= limitMicros) {
      rows += this.#playMessage(marketRun, cursor);
      hasMore = cursor.next();
    }
    marketRun.rows += rows;
    if (!hasMore) this.#fastForward(this.#lastRowMicros);
    return hasMore;
  }

  /**
   * Plays the row at the cursor and the rows of its message that follow at the same time: nothing
   * is due between them. Leaves the cursor at the last of them; returns their number.
   */
  // A method of its own, which V8 optimizes once; it would recompile a loop again and again.
  #playMessage(marketRun: MarketRun, row: FlowCursor): number {
    const { atMicros } = row;
    // Quiet messages wait until something is due after them: applying many at once costs less.
    while (this.#mustRunBefore(atMicros) && this.#runOne(atMicros));
    const rows = this.port.offer(marketRun.feed, row);
    this.#lastRowMicros = atMicros;
    this.#onRow?.(row, marketRun);
    return rows;
  }

  /** Whether something that is due before `atMicros` must be processed now. */
  #mustRunBefore(atMicros: number): boolean {
    if (this.port.queuesDueMicros < atMicros || this.#wakeMicros < atMicros) return true;
    for (let index = 0; index < this.marketRuns.length; index++) {
      const marketRun = this.marketRuns[index] as MarketRun;
      const { flow, mustNotify } = marketRun.feed;
      if (flow.dueMicros >= atMicros) continue;
      if (mustNotify || flow.count >= deferredMessagesMax || !marketRun.isQuiet) return true;
    }
    return false;
  }

  /**
   * Applies the messages that are due before `limitMicros`, each at its own time, as long as they
   * have no listeners: they only change books.
   */
  #fastForward(limitMicros: number): void {
    const only = this.#only;
    if (only !== undefined) {
      if (this.#mayFastForward(only, limitMicros)) this.#passMessages(only, limitMicros);
      return;
    }
    for (;;) {
      const first = firstDue(this.marketRuns);
      if (!this.#mayFastForward(first, limitMicros)) return;
      this.#passMessages(first, Math.min(limitMicros, othersDueMicros(this.marketRuns, first)));
    }
  }

  #mayFastForward(marketRun: MarketRun, limitMicros: number): boolean {
    const { feed } = marketRun;
    return feed.flow.dueMicros < limitMicros && !feed.mustNotify && marketRun.isQuiet;
  }

  #passMessages({ market, feed }: MarketRun, limitMicros: number): void {
    this.#nowMicros = this.engine.fastForward(market, feed.flow, limitMicros);
  }

  #flowListener({ market: { pair }, resting, data }: RunMarket): FlowListener {
    const market = this.#marketOf(pair);
    return {
      started: () => this.#step({ kind: 'flow-start', market, resting, data }),
      message: (flow) => this.#step({ kind: 'flow', market, flow }),
    };
  }

  #marketOf(pair: string): EngineMarket {
    const market = this.engine.markets.get(pair);
    assert(market !== undefined, `the engine must know ${pair}, which is recorded`);
    return market;
  }

  /**
   * Processes what is due up to `endMicros`, at or after the last row, and closes the markets:
   * without further history, later requests could not be matched.
   */
  endAt(endMicros: number): void {
    runCodeOf('millrace', () => this.#runUntil(endMicros + 1));
    this.#feeds.end();
    this.#nowMicros = Math.max(this.#nowMicros, endMicros);
    this.port.endFlow(this.#nowMicros);
  }

  /** Stops the bot as an operator would; returns its open orders. */
  stop(): number {
    this.#step({ kind: 'operator', command: 'stop', reason: 'the recording is over' });
    const deadlineMicros = this.#nowMicros + stopMicrosMax;
    while (this.#openOrders === undefined) {
      assert(
        this.#nowMicros < deadlineMicros && this.#runOne(Infinity),
        'the bot must stop after the recording',
      );
    }
    // The engine counts an unreadable list as an order; it cannot have more than it created.
    return Math.min(this.#openOrders, this.store.orderCount);
  }

  /** Returns the digest of the run and `result`, in hexadecimal. May be called once. */
  digest(result: object): string {
    const rows = this.store.finish(this.engine.orders.tracker.live);
    return this.#digest.finish(rows, result);
  }

  #runUntil(limitMicros: number): void {
    while (this.#runOne(limitMicros));
  }

  /** Processes the first event that is due before `limitMicros`; returns whether there was one. */
  #runOne(limitMicros: number): boolean {
    this.#fastForward(Math.min(limitMicros, this.port.queuesDueMicros, this.#wakeMicros));
    const dueMicros = this.port.nextDueMicros;
    const nextMicros = Math.min(dueMicros, this.#wakeMicros);
    if (nextMicros >= limitMicros) return false;
    if (nextMicros > this.#nowMicros) this.#nowMicros = nextMicros;
    if (dueMicros <= this.#wakeMicros) this.port.deliverDue(dueMicros);
    else this.#wake();
    return true;
  }

  /** Gives the engine what a feed said, or wakes it, and with it strategies with due timers. */
  #wake(): void {
    if (this.#feeds.dueMicros > this.#nowMicros) this.#step(tick);
    else this.#step({ kind: 'feed', reading: this.#feeds.take() });
  }

  #step(input: StepInput): void {
    this.#take(this.engine.step(this.#nowMicros, input));
  }

  #take({ records, effects }: Step): void {
    this.#onStep?.(this.#nowMicros);
    if (records.length > 0) {
      this.#digest.add(records);
      this.store.commit(records);
      this.#onRecords?.(records, this.#nowMicros);
    }
    for (let index = 0; index < effects.length; index++) {
      const effect = effects[index] as Effect;
      if (effect.kind === 'request') this.port.request(effect);
      else if (effect.kind === 'notice')
        this.#onNotice(effect.notice, Math.floor(this.#nowMicros / 1000));
      else if (effect.kind === 'point') this.store.notePoint(effect.point);
      else if (effect.kind === 'stopped') this.#openOrders = effect.openOrders;
      else this.port.reconnect();
    }
    this.#noteWake();
  }

  /** Takes from the engine when it must be stepped next. Which messages it waits for may change. */
  #noteWake(): void {
    this.#wakeMicros = Math.min(this.engine.nextWakeMicros, this.#feeds.dueMicros);
    if (this.#only !== undefined) this.#only.noteStep();
    else for (const marketRun of this.marketRuns) marketRun.noteStep();
  }
}
