/**
 * One engine over one recording: the loop that a driver is for a live bot.
 *
 *     what is due first: a row of history, something on its way, a wake-up of the engine
 *       ─▶ step ─▶ records into the store and the hash ─▶ effects to the tape
 *
 * Everything runs in the recording's time, in order of (time, source, sequence): at equal times
 * history comes first, then what is on its way, then wake-ups. No clock is read in here.
 *
 * Invariant: the same scenario and recording give the same records in the same order.
 */
import { createHash } from 'node:crypto';
import { assert } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import type { StoreRecord } from '../domain/records.ts';
import { Engine } from '../engine/engine.ts';
import type { EngineMarket } from '../engine/engine-market.ts';
import type { EngineStart } from '../engine/engine-start.ts';
import type { EngineEvent, Step } from '../engine/event.ts';
import type { TellMarket } from '../engine/market-desk.ts';
import type { FlowBlock, RestingBlock } from '../market/flow-block.ts';
import { FlowCursor } from '../market/flow-cursor.ts';
import type { OrderFlowRow } from '../market/order-flow-row.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import type { TapeStart } from '../tape/tape-options.ts';
import { type FlowListener, TapePort, type TapePortOptions } from '../tape/tape-port.ts';

/** Stopping cancels and looks; what takes longer than this never ends. */
const stopMicrosMax = 600_000_000;

export type BacktestRunOptions = {
  readonly start: EngineStart;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly tape: Omit<TapePortOptions, 'nowMicros' | 'onRow'>;
  /** History when it begins: with ids, or in columns. */
  readonly book: TapeStart | RestingBlock;
  readonly onNotice: (notice: Notice, nowMs: number) => void;
  /** Hears everything that was done, when it was done, in the recording's time. */
  readonly onRecords?: ((records: readonly StoreRecord[], atMicros: number) => void) | undefined;
  /** Called after each row of history, at the exchange's side. */
  readonly onRow?: (row: Pick<OrderFlowRow, 'atMicros' | 'endsMessage'>) => void;
};

export class BacktestRun {
  readonly engine: Engine;
  readonly store = new MemoryStore();
  readonly port: TapePort;
  readonly #pair: string;
  readonly #market: EngineMarket;
  readonly #onNotice: BacktestRunOptions['onNotice'];
  readonly #onRow: BacktestRunOptions['onRow'];
  readonly #onRecords: BacktestRunOptions['onRecords'];
  readonly #hash = createHash('sha256');
  readonly #cursor = new FlowCursor();
  #nowMicros: number;
  #lastRowMicros: number;
  #wakeMicros = Infinity;
  #commits = 0;
  #rows = 0;
  #openOrders: number | undefined;

  constructor(options: BacktestRunOptions) {
    const { start, plugins, tape, book } = options;
    this.#nowMicros = start.startedMicros;
    this.#lastRowMicros = start.startedMicros;
    this.#pair = tape.market.pair;
    this.#onNotice = options.onNotice;
    this.#onRow = options.onRow;
    this.#onRecords = options.onRecords;
    this.engine = new Engine(start, plugins);
    const market = this.engine.markets.get(this.#pair);
    assert(market !== undefined, `the engine must know ${this.#pair}, which the recording is of`);
    this.#market = market;
    const resting = 'slots' in book ? book : undefined;
    this.port = new TapePort({
      ...tape,
      nowMicros: () => this.#nowMicros,
      onRow: (row) => this.#tell((desk, one) => desk.applyRow(one, row)),
      flow: resting && this.#flowListener(resting),
    });
    if ('slots' in book) this.port.desk.tape.startFlow(book);
    else this.port.desk.tape.start(book);
  }

  /** The time of the run, the recording's. */
  get nowMicros(): number {
    return this.#nowMicros;
  }

  /** The time of the last row of history. */
  get lastRowMicros(): number {
    return this.#lastRowMicros;
  }

  /** Rows of history so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Starts the engine and its streams. */
  start(): void {
    this.#step({ kind: 'start' });
    this.port.open((event) => this.#step(event));
  }

  /** Plays rows, which continue those before. */
  play(rows: readonly OrderFlowRow[]): void {
    for (const row of rows) {
      this.#runUntil(row.atMicros);
      this.port.offer(row);
      this.#onRow?.(row);
      this.#lastRowMicros = row.atMicros;
    }
    this.#rows += rows.length;
  }

  /** As {@link play}, with rows in columns. */
  playBlock(block: FlowBlock): void {
    const row = this.#cursor;
    row.load(block);
    this.port.begin(block);
    while (row.next()) this.#playRow(row);
    this.#lastRowMicros = row.atMicros;
    this.#rows += block.rows;
  }

  // A method of its own: the engine below compiles those whole, and loops again and again.
  #playRow(row: FlowCursor): void {
    const { port } = this;
    const { atMicros } = row;
    if (port.nextDueMicros < atMicros || this.#wakeMicros < atMicros) this.#runUntil(atMicros);
    port.offerFlow(row);
    this.#onRow?.(row);
  }

  #flowListener(resting: RestingBlock): FlowListener {
    return {
      started: () => this.#tell((desk, market) => desk.startFlow(market, resting)),
      message: (row, endMicros) => {
        const step = this.engine.stepFlow(this.#nowMicros, this.#market, row, endMicros);
        if (step !== undefined) this.#take(step);
      },
    };
  }

  /** Tells the engine of history. */
  #tell(what: TellMarket): void {
    this.#take(this.engine.stepRecorded(this.#nowMicros, this.#pair, what));
  }

  /** Lets the last rows arrive, and stops the bot as an operator would; returns its open orders. */
  finish(): number {
    const lastMicros = this.#lastRowMicros + this.port.feedMicrosMax;
    this.#runUntil(lastMicros + 1);
    this.#nowMicros = Math.max(this.#nowMicros, lastMicros);
    this.port.endFlow(this.#nowMicros);
    this.#step({ kind: 'operator', command: 'stop', reason: 'the recording is over' });
    const deadlineMicros = this.#nowMicros + stopMicrosMax;
    while (this.#openOrders === undefined) {
      assert(
        this.#nowMicros < deadlineMicros && this.#runOne(Infinity),
        'the bot must stop after the recording',
      );
    }
    return this.#openOrders;
  }

  /** SHA-256 over every record of the run so far and `result`, hexadecimal; once. */
  digest(result: object): string {
    return this.#hash.update(JSON.stringify(result)).digest('hex');
  }

  #runUntil(limitMicros: number): void {
    while (this.#runOne(limitMicros));
  }

  /** Does the first thing that is due before `limitMicros`; returns whether there was one. */
  #runOne(limitMicros: number): boolean {
    const dueMicros = this.port.nextDueMicros;
    const nextMicros = Math.min(dueMicros, this.#wakeMicros);
    if (nextMicros >= limitMicros) return false;
    if (nextMicros > this.#nowMicros) this.#nowMicros = nextMicros;
    if (dueMicros <= this.#wakeMicros) this.port.deliverNext();
    else this.#step({ kind: 'tick' });
    return true;
  }

  #step(event: EngineEvent): void {
    this.#take(this.engine.step(this.#nowMicros, event));
  }

  #take({ records, effects }: Step): void {
    if (records.length > 0) {
      this.store.commit(records, ++this.#commits);
      this.#hash.update(JSON.stringify(records));
      this.#onRecords?.(records, this.#nowMicros);
    }
    for (const effect of effects) {
      if (effect.kind === 'request') this.port.request(effect);
      else if (effect.kind === 'notice')
        this.#onNotice(effect.notice, Math.floor(this.#nowMicros / 1000));
      else if (effect.kind === 'stopped') this.#openOrders = effect.openOrders;
      else this.port.reconnect();
    }
    this.#wakeMicros = this.engine.nextWakeMicros ?? Infinity;
  }
}
