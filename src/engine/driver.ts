/**
 * The driver: the loop around the engine.
 *
 *     queued events ─▶ step each ─▶ one durable commit ─▶ release orders ─▶ the rest, and journal
 *
 * A batch that only has records and notices waits 50 ms for others, to share their commit.
 * Records that only explain wait up to a second for more of them.
 *
 * Invariants: no effect is released before the records that a restart needs are committed; a commit
 * or a step that fails ends the run before any effect of that batch is released; events are stepped
 * in the order in which they arrived; a halt starts a commit of its own, so that no effect decided
 * before the halt is released after it; after a suspension of the process, the engine learns of it
 * before any other event, and orders decided before it are not sent; the engine knows when events
 * wait too long for the loop.
 */
import { InvariantError, StoreError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import type { Store, StoreRecord } from '../domain/records.ts';
import type { SeriesPoint } from '../domain/strategy-output.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import { PauseWatch } from './clock-watch.ts';
import type { Engine } from './engine.ts';
import type { Effect, EngineEvent, Step } from './event.ts';
import type { ExchangePort } from './exchange-port.ts';
import { encodeBatch, lineSizeOf, type StampedEvent } from './journal.ts';
import { Explanations, holdMs, isHalt, isOrder, SteppedBatch } from './stepped-batch.ts';

const batchMax = 256;
/** With more queued events the process cannot keep up, and must not trade on old data. */
const queuedMax = 200_000;
/** A commit that takes longer is reported as an incident, at most once a minute. */
const commitMsMax = 1_000;
const slowReportEveryMs = 60_000;
/** Longer delays of events are reported to the engine, for the gate's health check. */
const loopDelayMsMax = 500;
/** How often the clock is looked at, and what only explains is stored. */
const timeCheckEveryMs = 1_000;
/** An order released later than this after its event might reach the exchange too late. */
const orderAgeMsMax = 1_000;

export type DriverOptions = {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly exchange: ExchangePort;
  readonly journal: { append(line: () => string, size?: number): void };
  /**
   * Called before any effect of a batch is released, with its records, which are now durable,
   * except that what only explains may still wait.
   */
  readonly onCommitted?: (records: readonly StoreRecord[]) => void;
  /** Called when events were stepped and their orders have been released. */
  readonly onStepped?: () => void;
  /** Returns what only explains and is not of the engine; it is stored with what else explains. */
  readonly takeNotes?: () => readonly StoreRecord[];
  readonly onNotice: (notice: Notice) => void;
  readonly onPoint?: (point: SeriesPoint) => void;
  readonly onStopped: (openOrders: number) => void;
  /** Called when no strategy runs any more, with the reason. */
  readonly onEnded?: (reason: string) => void;
  /** Called with the result of an operator's command, after its records are stored. */
  readonly onOperated?: (answer: Extract<Effect, { kind: 'operated' }>) => void;
  /** Called once, with the error that ended the run. The process must exit. */
  readonly onFatal: (error: unknown) => void;
};

/** Events whose records are stored. */
type Finished = {
  readonly commit: number;
  readonly events: readonly StampedEvent[];
  readonly effects: readonly Effect[];
  readonly records: readonly StoreRecord[];
};

export class Driver {
  readonly #options: DriverOptions;
  #queued: StampedEvent[] = [];
  #commit = 0;
  /** Batches that wait to share the next commit. */
  #held: SteppedBatch | undefined;
  #cancelHold: Cancel = () => {};
  /** The batch whose effects other than orders are still to be released. */
  #unreleased: Finished | undefined;
  #isScheduled = false;
  #isClosed = false;
  #isDelayed = false;
  #wakeAtMicros = Infinity;
  #slowReportedMs = Number.NEGATIVE_INFINITY;
  #cancelWake: Cancel = () => {};
  #cancelTimeCheck: Cancel = () => {};
  readonly #pauses: PauseWatch;
  readonly #explanations = new Explanations();
  readonly #drainInTurn = (): void => this.#drain();
  readonly #finishInTime = (): void => this.#attempt(() => this.#finishHeld());

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#pauses = new PauseWatch(options.clock, options.onNotice);
  }

  /** When the oldest queued event arrived; undefined if the queue is empty. */
  get waitingSinceMicros(): number | undefined {
    return this.#queued[0]?.atMicros;
  }

  /** Opens the exchange and starts the engine. */
  start(): void {
    this.accept({ kind: 'start' });
    this.#cancelTimeCheck = this.#options.timers.every(timeCheckEveryMs, () => {
      this.#checkTime();
      this.explain();
    });
    this.#options.exchange.open((event) => this.accept(event));
  }

  /** Queues an event; it is stepped once the input available now has been read. */
  accept(event: EngineEvent): void {
    if (this.#isClosed) return;
    this.#checkTime();
    this.#queue(event);
  }

  /** Detects that the process was suspended or the clock moved, and queues an event first if so. */
  #checkTime(): void {
    if (this.#isClosed) return;
    const forMs = this.#pauses.look();
    if (forMs !== undefined) this.#queue({ kind: 'paused', forMs });
  }

  #queue(event: EngineEvent): void {
    const { clock, timers } = this.#options;
    this.#queued.push({ atMicros: clock.nowMicros(), event });
    if (this.#queued.length > queuedMax) {
      const text = `more than ${queuedMax} events are queued: the process cannot keep up`;
      this.#fail(new InvariantError(text));
      return;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    timers.soon(this.#drainInTurn);
  }

  /** Stores what only explains and waits, after the requests that wait to be released. */
  explain(): void {
    if (!this.#isClosed) this.#attempt(() => this.#releaseRest());
    if (!this.#isClosed) this.#attempt(() => this.#explain());
  }

  /** Stores and releases what is held, accepts no more events, and cancels the timers. */
  close(): void {
    if (!this.#isClosed) this.#attempt(() => this.#finishHeld());
    this.explain();
    this.#stop();
  }

  #stop(): void {
    this.#isClosed = true;
    this.#cancelWake();
    this.#cancelHold();
    this.#cancelTimeCheck();
  }

  #drain(): void {
    this.#isScheduled = false;
    if (this.#isClosed) return;
    this.#attempt(() => {
      this.#releaseRest();
      const batch = this.#queued;
      this.#queued = batch.splice(batchMax);
      this.#step(this.#withDelay(batch));
      this.#options.onStepped?.();
    });
    if (this.#isClosed) return;
    if (this.#queued.length > 0 && !this.#isScheduled) {
      this.#isScheduled = true;
      this.#options.timers.soon(this.#drainInTurn);
    }
    this.#scheduleWake();
  }

  /**
   * Adds an event with the delay of the batch's oldest event, if this delay or the last reported
   * one is too long. It comes first, except after a `paused` event: until then, the engine's
   * estimate of the exchange's clock is from before the pause.
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

  /** Steps a batch and finishes or holds it, in two parts if an event halts after others. */
  #step(events: readonly StampedEvent[]): void {
    let batch = new SteppedBatch();
    for (let index = 0; index < events.length; index++) {
      const stamped = events[index] as StampedEvent;
      const step = this.#stepOne(stamped, events, index - batch.events.length);
      // Effects of earlier events are released before the halt is stored, not after it.
      if (step.records.some(isHalt)) {
        this.#hold(batch);
        this.#finishHeld();
        this.#releaseRest();
        if (this.#isClosed) return;
        batch = new SteppedBatch();
      }
      batch.add(stamped, step);
    }
    this.#hold(batch);
  }

  /**
   * Steps one event. If that throws, journals `events` from index `first` on, so that a replay can
   * reproduce it.
   */
  #stepOne(stamped: StampedEvent, events: readonly StampedEvent[], first: number): Step {
    const { engine, journal } = this.#options;
    try {
      return engine.step(stamped.atMicros, stamped.event);
    } catch (error) {
      this.#finishHeld();
      const failure = error instanceof Error ? error.message : String(error);
      const batch = { commit: this.#commit, events: events.slice(first), effects: [], records: [] };
      journal.append(() => encodeBatch({ ...batch, failure }));
      throw error;
    }
  }

  /** Adds a batch to what is held, and finishes that at once or a little later. */
  #hold(batch: SteppedBatch): void {
    if (batch.events.length === 0) return;
    const isFirst = this.#held === undefined;
    this.#held?.append(batch);
    this.#held ??= batch;
    const { isUrgent, events } = this.#held;
    if (isUrgent || events.length >= batchMax) this.#finishHeld();
    else if (isFirst) this.#cancelHold = this.#options.timers.after(holdMs, this.#finishInTime);
  }

  /** Commits what is held and releases it, orders first. */
  #finishHeld(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#cancelHold();
    this.#releaseRest();
    this.#held = undefined;
    this.#commitAndOrder(held);
    if (!held.hasOrder) this.#releaseRest();
    // The client writes an order in the next turn of the loop, which this work would delay.
    else this.#options.timers.soon(() => this.#attempt(() => this.#releaseRest()));
  }

  /**
   * Stores the records of stepped events and releases their orders; notes the rest as unreleased.
   * The gate has counted an order beside the orders that the same batch cancels, so the exchange
   * may receive it before their cancels.
   */
  #commitAndOrder({ events, records, effects: dated, hasOrder }: SteppedBatch): void {
    if (records.length > 0) this.#commit++;
    const effects = dated.map(({ effect }) => effect);
    const finished: Finished = { commit: this.#commit, events, effects, records };
    try {
      if (records.length > 0) this.#store(records, hasOrder);
    } catch (error) {
      this.#journal(finished);
      throw error;
    }
    for (const { atMicros, effect } of dated)
      if (isOrder(effect) && !this.#holdBackIfLate(atMicros, effect))
        this.#options.exchange.request(effect);
    this.#unreleased = finished;
  }

  /** Releases what is unreleased, and journals its batch: the journal only explains. */
  #releaseRest(): void {
    const finished = this.#unreleased;
    if (finished === undefined) return;
    this.#unreleased = undefined;
    for (const effect of finished.effects)
      if (effect.kind === 'request' && !isOrder(effect)) this.#options.exchange.request(effect);
    this.#journal(finished);
    for (const effect of finished.effects) this.#releaseOther(effect);
  }

  #journal(finished: Finished): void {
    this.#options.journal.append(() => encodeBatch(finished), lineSizeOf(finished.events));
  }

  #store(records: readonly StoreRecord[], hasOrder: boolean): void {
    const { store } = this.#options;
    const now = this.#explanations.withhold(records, hasOrder);
    this.#timed(now.length, () => store.commit(now, this.#commit));
    this.#options.onCommitted?.(records);
  }

  #explain(): void {
    const records = [...this.#explanations.take(), ...(this.#options.takeNotes?.() ?? [])];
    if (records.length > 0) this.#timed(records.length, () => this.#options.store.explain(records));
  }

  /** Makes a commit, and reports one that takes too long. */
  #timed(records: number, commit: () => void): void {
    const { clock } = this.#options;
    const beganMs = clock.monotonicMicros() / 1000;
    commit();
    const endedMs = clock.monotonicMicros() / 1000;
    const tookMs = Math.round(endedMs - beganMs);
    if (tookMs <= commitMsMax || endedMs - this.#slowReportedMs < slowReportEveryMs) return;
    this.#slowReportedMs = endedMs;
    const text = `a commit of ${records} records took ${tookMs} ms, more than ${commitMsMax} ms: the disk is slow or busy, or the process was suspended`;
    this.accept({ kind: 'store-trouble', code: 'STORE_SLOW', text, mustStop: false });
  }

  #releaseOther(effect: Effect): void {
    const { exchange, onNotice, onPoint, onStopped, onEnded, onOperated } = this.#options;
    if (effect.kind === 'reconnect') exchange.reconnect(effect);
    else if (effect.kind === 'notice') onNotice(effect.notice);
    else if (effect.kind === 'point') onPoint?.(effect.point);
    else if (effect.kind === 'stopped') onStopped(effect.openOrders);
    else if (effect.kind === 'ended') onEnded?.(effect.reason);
    else if (effect.kind === 'operated') onOperated?.(effect);
  }

  /**
   * Returns true, and answers `not-sent`, for an order whose timestamp is out of date because the
   * step, the commit or the whole process was slow. It is certain that the order was not sent.
   */
  #holdBackIfLate(atMicros: number, effect: Extract<Effect, { kind: 'request' }>): boolean {
    const ageMs = Math.round((this.#options.clock.nowMicros() - atMicros) / 1000);
    if (ageMs <= orderAgeMsMax) return false;
    const reason = `held back: it was decided ${ageMs} ms ago, but at most ${orderAgeMsMax} ms are allowed`;
    const { request } = effect;
    this.accept({ kind: 'reply', request, reply: { kind: 'not-sent', why: reason } });
    return true;
  }

  #scheduleWake(): void {
    const { engine, clock, timers } = this.#options;
    const nextMicros = engine.nextWakeMicros;
    if (nextMicros === this.#wakeAtMicros || this.#isClosed) return;
    this.#cancelWake();
    this.#wakeAtMicros = nextMicros;
    if (nextMicros === Infinity) return;
    const delayMs = Math.max(0, Math.ceil((nextMicros - clock.nowMicros()) / 1000));
    this.#cancelWake = timers.after(delayMs, () => {
      this.#wakeAtMicros = Infinity;
      this.accept({ kind: 'tick' });
    });
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#stop();
    if (!(error instanceof StoreError)) this.#keepHeld();
    this.#options.onFatal(error);
  }

  /** Stores and journals what waits after a failure elsewhere; nothing is released any more. */
  #keepHeld(): void {
    const held = this.#held;
    this.#held = undefined;
    try {
      // The requests of an urgent batch will never leave, so its records must not be stored.
      if (held?.isUrgent === false) {
        this.#commitAndOrder(held);
        this.#journal(this.#unreleased as Finished);
      }
      this.#explain();
    } catch {
      // The failure before this one ends the run, and is the one to report.
    }
  }
}
