/** Time that a test moves: one clock, and timers that fire when the test says so. */
import type { Clock } from '../../src/runtime/clock.ts';
import type { Timers } from '../../src/runtime/timers.ts';
import { startMicros } from './simulated-exchange.ts';

export class ManualTime {
  nowMicros = startMicros;
  readonly #callbacks = new Set<() => void>();

  readonly clock: Clock = {
    nowMicros: () => this.nowMicros,
    monotonicMicros: () => this.nowMicros,
  };

  readonly timers: Timers = {
    after: (_, callback) => this.#add(callback),
    every: (_, callback) => this.#add(callback),
    // Not a matter of time: the answers of a turn wait for its end.
    soon: (callback) => {
      const handle = setImmediate(callback);
      return () => clearImmediate(handle);
    },
  };

  /** Fires every timer, whatever its time. */
  fire(): void {
    for (const callback of this.#callbacks) callback();
  }

  #add(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }
}
