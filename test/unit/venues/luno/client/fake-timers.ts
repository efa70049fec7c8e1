/** Timers that a test advances by hand; they fire in the order of their times. */
import type { Cancel, Timers } from '../../../../../src/runtime/timers.ts';

type Waiting = { readonly dueMs: number; readonly delayMs: number; readonly callback: () => void };

export class FakeTimers implements Timers {
  #nowMs = 0;
  #waiting = new Set<Waiting>();
  /** How often {@link clock} was read. */
  readings = 0;

  /** A clock on the time of these timers. */
  readonly clock = {
    monotonicMicros: (): number => {
      this.readings++;
      return this.#nowMs * 1000;
    },
  };

  after(delayMs: number, callback: () => void): Cancel {
    const waiting = { dueMs: this.#nowMs + delayMs, delayMs, callback };
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  }

  every(intervalMs: number, callback: () => void): Cancel {
    let cancel: Cancel = () => {};
    const arm = (): void => {
      cancel = this.after(intervalMs, () => {
        arm();
        callback();
      });
    };
    arm();
    return () => cancel();
  }

  soon(callback: () => void): Cancel {
    return this.after(0, callback);
  }

  /** The pending delays, shortest first. */
  get delaysMs(): readonly number[] {
    return [...this.#waiting].map((one) => one.delayMs).sort((a, b) => a - b);
  }

  /** Lets `spanMs` pass and fires the timers that are due. */
  advance(spanMs: number): void {
    const untilMs = this.#nowMs + spanMs;
    for (;;) {
      const due = [...this.#waiting]
        .filter((one) => one.dueMs <= untilMs)
        .sort((a, b) => a.dueMs - b.dueMs)[0];
      if (due === undefined) break;
      this.#waiting.delete(due);
      this.#nowMs = due.dueMs;
      due.callback();
    }
    this.#nowMs = untilMs;
  }
}
