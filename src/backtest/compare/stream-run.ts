/**
 * Runs one engine over a market stream as it was received, which also feeds a paper account: in the
 * time of the recording, as fast as possible. Events are processed in the same order as by
 * {@link PaperCore} and a driver without delays.
 *
 * Invariant: the same start and the same events give the same records in the same order.
 */
import type { Notice } from '../../domain/notice.ts';
import { Engine } from '../../engine/engine.ts';
import type { EngineStart } from '../../engine/engine-start.ts';
import type { Effect, EngineEvent } from '../../engine/event.ts';
import { PaperCore, type PaperCoreOptions } from '../../paper/paper-core.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import { RunBook } from './run-book.ts';

/** A stop that takes longer than this never ends. */
const stopMicrosMax = 600_000_000;

export type StreamRunOptions = {
  readonly start: EngineStart;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly paper: Omit<PaperCoreOptions, 'nowMicros' | 'onWarning'>;
  readonly onNotice?: (notice: Notice) => void;
};

export class StreamRun {
  readonly engine: Engine;
  readonly core: PaperCore;
  readonly book = new RunBook();
  readonly #onNotice: (notice: Notice) => void;
  readonly #waiting: EngineEvent[] = [];
  #nowMicros: number;
  #wakeMicros = Infinity;
  #isStopping = false;
  #openOrders: number | undefined;

  /** Starts the engine, without any market data yet. */
  constructor(options: StreamRunOptions) {
    const { start, plugins } = options;
    this.#nowMicros = start.startedMicros;
    this.#onNotice = options.onNotice ?? (() => {});
    this.engine = new Engine(start, plugins);
    this.core = new PaperCore({
      ...options.paper,
      nowMicros: () => this.#nowMicros,
      onWarning: (text) => this.#onNotice({ level: 'warn', topic: 'stream', text }),
    });
    this.#waiting.push({ kind: 'start' });
    this.core.open((event) => this.#waiting.push(event));
    this.#drain();
  }

  /**
   * Passes an event of the market or the operator to the engine at its time, after everything that
   * is due earlier. Times do not go back.
   */
  play(atMicros: number, event: EngineEvent): void {
    while (this.#runOne(atMicros));
    this.#nowMicros = Math.max(this.#nowMicros, atMicros);
    if (event.kind === 'operator' && event.command === 'stop') this.#isStopping = true;
    if (event.kind === 'market-closed') this.core.lost(event.pair);
    const isBook = event.kind === 'market-frame';
    if (isBook && (event.message.kind === 'snapshot' || event.message.kind === 'update'))
      this.core.message(event.pair, event.message);
    this.#waiting.push(event);
    this.#drain();
  }

  /**
   * Completes what has begun: up to `untilMicros`, or until the bot has stopped if a stop was
   * requested.
   */
  finish(untilMicros: number): void {
    if (!this.#isStopping) {
      while (this.#runOne(untilMicros));
      return;
    }
    const deadlineMicros = this.#nowMicros + stopMicrosMax;
    while (this.#openOrders === undefined && this.#runOne(deadlineMicros));
  }

  /** Processes the first event that is due before `limitMicros`; returns whether there was one. */
  #runOne(limitMicros: number): boolean {
    const dueMicros = this.core.nextDueMicros;
    const nextMicros = Math.min(dueMicros, this.#wakeMicros);
    if (nextMicros >= limitMicros) return false;
    this.#nowMicros = Math.max(this.#nowMicros, nextMicros);
    if (dueMicros <= this.#wakeMicros) this.core.runDue();
    else this.#waiting.push({ kind: 'tick' });
    this.#drain();
    return true;
  }

  /** Steps the engine for each waiting event, then carries out the effects, as the driver does. */
  #drain(): void {
    const effects: Effect[] = [];
    for (const event of this.#waiting.splice(0)) {
      const step = this.engine.step(this.#nowMicros, event);
      this.book.note(step.records);
      effects.push(...step.effects);
    }
    for (const effect of effects) {
      if (effect.kind === 'request') this.core.request(effect);
      else if (effect.kind === 'notice') this.#onNotice(effect.notice);
      else if (effect.kind === 'stopped') this.#openOrders = effect.openOrders;
    }
    this.#wakeMicros = this.engine.nextWakeMicros;
  }
}
