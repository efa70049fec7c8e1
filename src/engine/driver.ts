/**
 * The driver: the loop around the engine.
 *
 *     waiting events ─▶ step each ─▶ journal ─▶ one durable commit ─▶ effects leave
 *
 * Invariants: nothing leaves before its records are committed; a commit or a step that fails ends
 * the run before anything of that batch leaves; events are stepped in the order in which they came.
 */
import { InvariantError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import type { Store, StoreRecord } from '../domain/records.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { Engine } from './engine.ts';
import type { Effect, EngineEvent, Step } from './event.ts';
import type { ExchangePort } from './exchange-port.ts';
import { encodeBatch, type StampedEvent } from './journal.ts';

const batchMax = 256;
/**
 * More waiting events than this means that the process cannot keep up; it must not go on blindly.
 */
const waitingMax = 200_000;
/** A wall clock this far ahead of ours means that the machine slept or its clock was set. */
const driftMsMax = 500;

export type DriverOptions = {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly exchange: ExchangePort;
  readonly journal: { append(line: string): void };
  readonly onNotice: (notice: Notice) => void;
  readonly onStopped: (openOrders: number) => void;
  /** Called once, with what ended the run. The process must end. */
  readonly onFatal: (error: unknown) => void;
};

export class Driver {
  readonly #options: DriverOptions;
  #waiting: StampedEvent[] = [];
  #commit = 0;
  #isScheduled = false;
  #isDead = false;
  #wakeAtMicros: number | undefined;
  #cancelWake: Cancel = () => {};

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** Number of batches that had something to store. */
  get commits(): number {
    return this.#commit;
  }

  /** Opens the exchange and starts the engine. */
  start(): void {
    this.accept({ kind: 'start' });
    this.#options.exchange.open((event) => this.accept(event));
  }

  /** Queues an event; it is stepped when the input that waits now has been read. */
  accept(event: EngineEvent): void {
    if (this.#isDead) return;
    const { clock, timers } = this.#options;
    if (clock.driftMs() > driftMsMax) clock.catchUp();
    this.#waiting.push({ atMicros: clock.nowMicros(), event });
    if (this.#waiting.length > waitingMax) {
      this.#die(new InvariantError(`${waitingMax} events wait: the process cannot keep up`));
      return;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    timers.soon(() => this.#drain());
  }

  /** Accepts no more events and takes the wake-up back. */
  close(): void {
    this.#isDead = true;
    this.#cancelWake();
  }

  #drain(): void {
    this.#isScheduled = false;
    if (this.#isDead) return;
    const batch = this.#waiting.splice(0, batchMax);
    try {
      this.#release(this.#step(batch));
    } catch (error) {
      this.#die(error);
      return;
    }
    if (this.#waiting.length > 0 && !this.#isScheduled) {
      this.#isScheduled = true;
      this.#options.timers.soon(() => this.#drain());
    }
    this.#armWake();
  }

  /** Steps a batch, journals it and commits it; returns the effects that may leave now. */
  #step(batch: readonly StampedEvent[]): readonly Effect[] {
    let kept = 0;
    let records: StoreRecord[] = [];
    let effects: Effect[] = [];
    for (const [index, { atMicros, event }] of batch.entries()) {
      const step = this.#stepOne(atMicros, event, batch.slice(kept));
      // What earlier events let go leaves before a halt is kept, so that after it nothing leaves.
      if (effects.length > 0 && step.records.some(isHalt)) {
        this.#keep(batch.slice(kept, index), records, effects);
        this.#release(effects);
        if (this.#isDead) return [];
        [kept, records, effects] = [index, [], []];
      }
      records.push(...step.records);
      effects.push(...step.effects);
    }
    this.#keep(batch.slice(kept), records, effects);
    return effects;
  }

  /** What breaks the engine is journaled with the events that led to it: a replay is wanted. */
  #stepOne(atMicros: number, event: EngineEvent, events: readonly StampedEvent[]): Step {
    const { engine, journal } = this.#options;
    try {
      return engine.step(atMicros, event);
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      const nothing = { effects: [], records: [] };
      journal.append(encodeBatch({ commit: this.#commit, events, ...nothing, failure }));
      throw error;
    }
  }

  #keep(
    events: readonly StampedEvent[],
    records: readonly StoreRecord[],
    effects: readonly Effect[],
  ): void {
    const { store, journal } = this.#options;
    if (records.length > 0) this.#commit++;
    journal.append(encodeBatch({ commit: this.#commit, events, effects, records }));
    if (records.length > 0) store.commit(records, this.#commit);
  }

  #release(effects: readonly Effect[]): void {
    const { exchange, onNotice, onStopped } = this.#options;
    for (const effect of effects) {
      switch (effect.kind) {
        case 'request':
          exchange.request(effect);
          break;
        case 'reconnect':
          exchange.reconnect(effect);
          break;
        case 'notice':
          onNotice(effect.notice);
          break;
        case 'stopped':
          onStopped(effect.openOrders);
          break;
      }
    }
  }

  #armWake(): void {
    const { engine, clock, timers } = this.#options;
    const nextMicros = engine.nextWakeMicros;
    if (nextMicros === this.#wakeAtMicros || this.#isDead) return;
    this.#cancelWake();
    this.#wakeAtMicros = nextMicros;
    if (nextMicros === undefined) return;
    const delayMs = Math.max(0, Math.ceil((nextMicros - clock.nowMicros()) / 1000));
    this.#cancelWake = timers.after(delayMs, () => {
      this.#wakeAtMicros = undefined;
      this.accept({ kind: 'tick' });
    });
  }

  #die(error: unknown): void {
    this.#isDead = true;
    this.#cancelWake();
    this.#options.onFatal(error);
  }
}

function isHalt(record: StoreRecord): boolean {
  return record.kind === 'trading-state' && record.state === 'HALTED';
}
