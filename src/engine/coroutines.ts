/**
 * Runs tasks inside the engine's step: a call waits for its reply event, a wait for the engine's
 * time or a signal.
 *
 * Invariants: a task is resumed at most once per wait; tasks are resumed in the order of the events
 * that resume them; a task that throws is a bug and ends the step.
 */

import type { Procedure, QueuedCall, Resumed } from '../execution/requests/procedure.ts';
import { ShortQueue } from '../execution/requests/short-queue.ts';
import { Task, type TaskRunner, type Timed } from '../execution/requests/task.ts';
import type { TimerQueue } from './timer-queue.ts';

export type CoroutinesOptions = {
  readonly timers: TimerQueue;
  readonly nowMicros: () => number;
  readonly calls: {
    enqueue(call: QueuedCall): void;
    withdraw(call: QueuedCall): void;
  };
};

export class Coroutines implements TaskRunner {
  readonly #options: CoroutinesOptions;
  /** The tasks to resume after the one that runs. */
  readonly #ready = new ShortQueue<Task>();
  #running = false;

  constructor(options: CoroutinesOptions) {
    this.#options = options;
  }

  /** Starts `procedure`; it runs up to its first yield before the current step ends. */
  spawn(procedure: Procedure): void {
    this.resume(new Task(this, procedure), undefined);
  }

  // A queue instead of recursion: a signal raised by one task must not run another inside it.
  resume(task: Task, value: Resumed | undefined): void {
    if (this.#running) {
      task.resumedWith = value;
      this.#ready.push(task);
      return;
    }
    this.#running = true;
    try {
      task.run(value);
      if (this.#ready.size > 0) this.#runReady();
    } finally {
      this.#running = false;
    }
  }

  #runReady(): void {
    for (let next = this.#ready.shift(); next !== undefined; next = this.#ready.shift()) {
      const value = next.resumedWith;
      next.resumedWith = undefined;
      next.run(value);
    }
  }

  enqueue(call: QueuedCall): void {
    this.#options.calls.enqueue(call);
  }

  withdraw(call: QueuedCall): void {
    this.#options.calls.withdraw(call);
  }

  startTimer(timed: Timed, milliseconds: number): number {
    const dueMicros = this.#options.nowMicros() + Math.round(milliseconds * 1000);
    return this.#options.timers.at(dueMicros, timed);
  }

  cancelTimer(timer: number): void {
    this.#options.timers.cancel(timer);
  }
}
