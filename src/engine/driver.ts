/**
 * The driver: the loop around the engine.
 *
 *     waiting events ─▶ step each ─▶ journal ─▶ one durable commit ─▶ effects leave
 *
 * Invariants: nothing leaves before its records are committed; a commit or a step that fails ends
 * the run before anything of that batch leaves; events are stepped in the order in which they came;
 * a halt begins a commit of its own, so that nothing that was decided before it leaves after it;
 * after a standstill the engine hears of it before anything else, and no order leaves that was
 * decided on before; while events wait too long for the loop, the engine knows.
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
/** As much as the gate takes for a difference of the clocks: from here on it may matter. */
const behindMsMax = 2_000;
/** A commit that takes longer is worth an incident, and one a minute is enough. */
const commitMsMax = 1_000;
const slowEveryMs = 60_000;
/** Events that wait longer are told of, for the gate's check of health. */
const loopDelayMsMax = 500;
/** A process that did nothing for longer than this stood still. */
const pauseMsMax = 5_000;
const beatMs = 1_000;
/** An order that takes longer from its event to its leaving would come too late, or nearly so. */
const orderAgeMsMax = 1_000;

export type DriverOptions = {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly exchange: ExchangePort;
  readonly journal: { append(line: string): void };
  /** Hears what has become durable, before any effect of the same batch leaves. */
  readonly onCommitted?: (records: readonly StoreRecord[]) => void;
  readonly onNotice: (notice: Notice) => void;
  readonly onStopped: (openOrders: number) => void;
  /** Hears what became of an operator's command, after its records are stored. */
  readonly onOperated?: (answer: Extract<Effect, { kind: 'operated' }>) => void;
  /** Called once, with what ended the run. The process must end. */
  readonly onFatal: (error: unknown) => void;
};

/** An effect with the time of the event that it follows from. */
type DatedEffect = { readonly atMicros: number; readonly effect: Effect };

export class Driver {
  readonly #options: DriverOptions;
  #waiting: StampedEvent[] = [];
  #commit = 0;
  #isScheduled = false;
  #isDead = false;
  #isDelayed = false;
  #isSetBackTold = false;
  #wakeAtMicros: number | undefined;
  #slowToldMs = Number.NEGATIVE_INFINITY;
  #cancelWake: Cancel = () => {};
  #cancelBeat: Cancel = () => {};
  /** When this process was last seen to run; undefined before it starts. */
  #aliveMicros: number | undefined;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** Number of batches that had something to store. */
  get commits(): number {
    return this.#commit;
  }

  /** When the oldest event came that is not stepped yet; undefined if none waits. */
  get waitingSinceMicros(): number | undefined {
    return this.#waiting[0]?.atMicros;
  }

  /** Opens the exchange and starts the engine. */
  start(): void {
    this.accept({ kind: 'start' });
    this.#cancelBeat = this.#options.timers.every(beatMs, () => this.#noteTime());
    this.#options.exchange.open((event) => this.accept(event));
  }

  /** Queues an event; it is stepped when the input that waits now has been read. */
  accept(event: EngineEvent): void {
    if (this.#isDead) return;
    this.#noteTime();
    this.#queue(event);
  }

  /** Looks whether time has passed without us; if so, the engine hears of that first. */
  #noteTime(): void {
    if (this.#isDead) return;
    const { clock } = this.#options;
    const driftMs = clock.driftMs();
    this.#tellSetBack(-driftMs);
    const movedMicros = driftMs > driftMsMax ? clock.catchUp() : 0;
    const nowMicros = clock.nowMicros();
    const awayMs = (nowMicros - (this.#aliveMicros ?? nowMicros)) / 1000;
    const isFirst = this.#aliveMicros === undefined;
    this.#aliveMicros = nowMicros;
    if (isFirst || (movedMicros === 0 && awayMs <= pauseMsMax)) return;
    this.#queue({ kind: 'paused', forMs: Math.round(awayMs) });
  }

  /** Our clock never goes back, so that one which was ahead stays so until another start. */
  #tellSetBack(behindMs: number): void {
    if (behindMs < behindMsMax) {
      this.#isSetBackTold = false;
      return;
    }
    if (this.#isSetBackTold) return;
    this.#isSetBackTold = true;
    const seconds = (behindMs / 1000).toFixed(1);
    this.#options.onNotice({
      level: 'warn',
      topic: 'state',
      text:
        `this machine's clock was set back by ${seconds} s, and the bot's own does not follow it; ` +
        'if it was wrong before, orders are refused for CLOCK_SKEW until the bot is started again',
    });
  }

  #queue(event: EngineEvent): void {
    const { clock, timers } = this.#options;
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
    this.#cancelBeat();
  }

  #drain(): void {
    this.#isScheduled = false;
    if (this.#isDead) return;
    const batch = this.#withDelay(this.#waiting.splice(0, batchMax));
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

  /**
   * Puts before a batch how long its oldest event waited, if that is too long or was before. But a
   * pause goes first: until the engine knows of it, the exchange's clock counts from before it.
   */
  #withDelay(batch: StampedEvent[]): readonly StampedEvent[] {
    const [oldest] = batch;
    if (oldest === undefined) return batch;
    const { atMicros } = oldest;
    const delayMs = Math.round((this.#options.clock.nowMicros() - atMicros) / 1000);
    const isDelayed = delayMs > loopDelayMsMax;
    if (!isDelayed && !this.#isDelayed) return batch;
    this.#isDelayed = isDelayed;
    const delay: StampedEvent = { atMicros, event: { kind: 'loop-delay', delayMs } };
    const first = oldest.event.kind === 'paused' ? 1 : 0;
    return [...batch.slice(0, first), delay, ...batch.slice(first)];
  }

  /** Steps a batch, journals it and commits it; returns the effects that may leave now. */
  #step(batch: readonly StampedEvent[]): readonly DatedEffect[] {
    let kept = 0;
    let records: StoreRecord[] = [];
    let effects: DatedEffect[] = [];
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
      for (const effect of step.effects) effects.push({ atMicros, effect });
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
    dated: readonly DatedEffect[],
  ): void {
    const { journal } = this.#options;
    const effects = dated.map(({ effect }) => effect);
    if (records.length > 0) this.#commit++;
    journal.append(encodeBatch({ commit: this.#commit, events, effects, records }));
    if (records.length > 0) this.#store(records);
  }

  #store(records: readonly StoreRecord[]): void {
    const { store, clock } = this.#options;
    const beganMs = clock.monotonicMicros() / 1000;
    store.commit(records, this.#commit);
    this.#options.onCommitted?.(records);
    const endedMs = clock.monotonicMicros() / 1000;
    const tookMs = Math.round(endedMs - beganMs);
    if (tookMs <= commitMsMax || endedMs - this.#slowToldMs < slowEveryMs) return;
    this.#slowToldMs = endedMs;
    const text = `a commit of ${records.length} records took ${tookMs} ms: the disk is slow or busy, or the process stood still`;
    this.accept({ kind: 'store-trouble', code: 'STORE_SLOW', text, mustStop: false });
  }

  #release(effects: readonly DatedEffect[]): void {
    const { exchange, onNotice, onStopped, onOperated } = this.#options;
    for (const { atMicros, effect } of effects) {
      switch (effect.kind) {
        case 'request':
          if (!this.#isTooLate(atMicros, effect)) exchange.request(effect);
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
        case 'operated':
          onOperated?.(effect);
          break;
      }
    }
  }

  /**
   * Keeps an order back whose timestamp is out of date because the step, the commit or the whole
   * process took too long. That nothing left is certain, and the engine hears it as an answer.
   */
  #isTooLate(atMicros: number, effect: Extract<Effect, { kind: 'request' }>): boolean {
    if (effect.operation !== 'postorder') return false;
    const ageMs = Math.round((this.#options.clock.nowMicros() - atMicros) / 1000);
    if (ageMs <= orderAgeMsMax) return false;
    const reason = `kept back: it was decided on ${ageMs} ms ago`;
    const { request } = effect;
    this.accept({ kind: 'reply', request, reply: { kind: 'not-sent', reason } });
    return true;
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
    this.close();
    this.#options.onFatal(error);
  }
}

function isHalt(record: StoreRecord): boolean {
  return record.kind === 'trading-state' && record.state === 'HALTED';
}
