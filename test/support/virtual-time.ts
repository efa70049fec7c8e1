/**
 * Time that a test moves: a queue of callbacks, and the clock and timers of a process that lives
 * in it.
 *
 * Invariant: callbacks run in order of (time, insertion), so that a seed gives one run only.
 */
import type { SystemClock } from '../../src/runtime/clock.ts';
import type { Timers } from '../../src/runtime/timers.ts';

type Entry = { readonly micros: number; readonly order: number; run: (() => void) | undefined };

export class VirtualTime {
  nowMicros: number;
  readonly #entries: Entry[] = [];
  #order = 0;

  constructor(startMicros: number) {
    this.nowMicros = startMicros;
  }

  /** Calls `run` at `micros`, or now if that is past; the returned function takes it back. */
  at(micros: number, run: () => void): () => void {
    const due = Math.max(this.nowMicros, Math.round(micros));
    const entry: Entry = { micros: due, order: this.#order++, run };
    let low = 0;
    let high = this.#entries.length;
    // Latest first, so that the next one is taken off the end; a new one goes before its equals.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle] as Entry).micros > due) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, entry);
    return () => {
      entry.run = undefined;
    };
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.at(this.nowMicros + milliseconds * 1000, run);
  }

  /** Runs everything that is due until `micros`, unless `isDone` says earlier that it is enough. */
  runUntil(micros: number, isDone: () => boolean = () => false): void {
    for (;;) {
      const next = this.#entries.at(-1);
      if (next === undefined || next.micros > micros) break;
      this.#entries.pop();
      this.nowMicros = next.micros;
      next.run?.();
      if (isDone()) return;
    }
    this.nowMicros = Math.max(this.nowMicros, micros);
  }
}

/**
 * The clock and timers of one process; nothing of it runs once `isAlive` says no, and what falls
 * due while it stands still runs when it goes on.
 */
export function processTime(options: {
  readonly time: VirtualTime;
  /** How far its clock is ahead of true time. */
  readonly skewMicros: number;
  /** How far the machine's clock was set forward since the beginning. */
  readonly steppedMicros: () => number;
  readonly isAlive: () => boolean;
  /** Until when it stands still, in true time; a past time if it runs. */
  readonly stillUntilMicros: () => number;
  /** How long the process takes until it looks at what has come in. */
  readonly soonMicros: () => number;
}): {
  readonly clock: SystemClock;
  readonly timers: Timers;
  /** Runs what comes in from outside, now or when the process goes on. */
  readonly receive: (run: () => void) => void;
} {
  const { time, skewMicros, steppedMicros, isAlive, stillUntilMicros, soonMicros } = options;
  let followedMicros = steppedMicros();
  const aheadMicros = (): number => steppedMicros() - followedMicros;
  const guarded = (run: () => void) => (): void => {
    if (!isAlive()) return;
    const untilMicros = stillUntilMicros();
    if (time.nowMicros < untilMicros) time.at(untilMicros, guarded(run));
    else run();
  };
  const nowMicros = (): number => time.nowMicros + skewMicros + followedMicros;
  const after: Timers['after'] = (delayMs, callback) => time.after(delayMs, guarded(callback));
  return {
    clock: {
      nowMicros,
      monotonicMicros: nowMicros,
      driftMs: () => aheadMicros() / 1000,
      catchUp: () => {
        const movedMicros = aheadMicros();
        followedMicros += movedMicros;
        return movedMicros;
      },
    },
    timers: {
      after,
      every: (intervalMs, callback) => {
        let cancel = (): void => {};
        const again = (): void => {
          callback();
          cancel = after(intervalMs, again);
        };
        cancel = after(intervalMs, again);
        return () => cancel();
      },
      soon: (callback) => time.at(time.nowMicros + soonMicros(), guarded(callback)),
    },
    receive: (run) => guarded(run)(),
  };
}
