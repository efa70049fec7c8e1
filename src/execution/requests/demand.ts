/** A request for work. If it arrives while the work is in progress, the work is done once more. */
import { type Procedure, Signal, wait } from './procedure.ts';

export class Demand {
  readonly #signal = new Signal();
  #isPending = false;

  /** Requests the work. */
  ask(): void {
    this.#isPending = true;
    this.#signal.raise();
  }

  /** Waits until the work is requested, at most `withinMs`. */
  *next(withinMs: number): Procedure {
    if (!this.#isPending) yield* wait(withinMs, this.#signal);
    this.clear();
  }

  /** Call when the work begins, which serves all requests so far. */
  clear(): void {
    this.#isPending = false;
  }
}
