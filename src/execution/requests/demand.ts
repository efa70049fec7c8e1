/** A request for work that may come while the work is being done; it is then done once more. */
import { type Procedure, Signal, wait } from './procedure.ts';

export class Demand {
  readonly #signal = new Signal();
  #asked = false;
  #whenAsked: () => void = () => {};

  ask(): void {
    this.#asked = true;
    this.#signal.raise();
    this.#whenAsked();
  }

  /** Has `run` called at each {@link ask}. */
  whenAsked(run: () => void): void {
    this.#whenAsked = run;
  }

  /** Whether something asked since the last {@link next}. */
  get isPending(): boolean {
    return this.#asked;
  }

  /** Waits until asked, or at most `withinMs`. */
  *next(withinMs: number): Procedure {
    if (!this.#asked) yield* wait(withinMs, this.#signal);
    this.meet();
  }

  /** The work that begins now serves all that asked. */
  meet(): void {
    this.#asked = false;
  }
}
