/**
 * One engine over a market stream as it was received: the stream goes into the pretended exchange
 * of paper mode, in the time of the recording and as fast as it goes. The order of things is that
 * of {@link PaperCore} and of a driver that is never late.
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

/** Stopping cancels and looks; what takes longer than this never ends. */
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

  /** Starts the engine; nothing of the market is known yet. */
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
   * Lets an event of the market or the operator happen at its time, after all that is due before
   * it. Times do not go back.
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
   * Lets everything end that is under way: up to `untilMicros`, or until the bot has stopped if it
   * was told to.
   */
  finish(untilMicros: number): void {
    if (!this.#isStopping) {
      while (this.#runOne(untilMicros));
      return;
    }
    const deadlineMicros = this.#nowMicros + stopMicrosMax;
    while (this.#openOrders === undefined && this.#runOne(deadlineMicros));
  }

  /** Does the first thing that is due before `limitMicros`; returns whether there was one. */
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

  /** As the driver: what waits is stepped, then what follows from it leaves. */
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
    this.#wakeMicros = this.engine.nextWakeMicros ?? Infinity;
  }
}
