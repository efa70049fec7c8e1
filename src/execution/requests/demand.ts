/** A request for work. If it arrives while the work is in progress, the work is done once more. */
import { type Procedure, Signal, wait, type Yielded } from './procedure.ts';

export class Demand {
  readonly #signal = new Signal();
  /**
   * What a procedure yields to wait for a request, however long. Where a request comes with every
   * fill, {@link next} costs more than the work: it is two procedures of its own.
   */
  readonly awaited: Yielded = {
    kind: 'wait',
    milliseconds: Number.POSITIVE_INFINITY,
    signal: this.#signal,
  };
  #isPending = false;
  // Not an integer at first, so that V8 stores it in place.
  #askedMicros = 0.5;

  get isPending(): boolean {
    return this.#isPending;
  }

  /** Requests the work; {@link clearBefore} needs the time. */
  ask(atMicros = 0): void {
    this.#isPending = true;
    this.#askedMicros = atMicros;
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

  /** As {@link clear}, for work that began at `micros`: later requests stay. */
  clearBefore(micros: number): void {
    if (this.#askedMicros < micros) this.clear();
  }
}
