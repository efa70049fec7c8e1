/** A request for work. If it arrives while the work is in progress, the work is done once more. */
import { type Procedure, Signal, wait } from './procedure.ts';

export class Demand {
  /** Raised by each request. */
  readonly asked = new Signal();
  #isPending = false;

  get isPending(): boolean {
    return this.#isPending;
  }

  /** Requests the work. */
  ask(): void {
    this.#isPending = true;
    this.asked.raise();
  }

  /** Waits until the work is requested, at most `withinMs`. */
  *next(withinMs: number): Procedure {
    if (!this.#isPending) yield* wait(withinMs, this.asked);
    this.clear();
  }

  /** Call when the work begins, which serves all requests so far. */
  clear(): void {
    this.#isPending = false;
  }
}
