/**
 * Reads data of the exchange regularly: soon after a request, and otherwise after a while, because
 * a message may have been lost.
 *
 *     idle ──request or time──▶ debounce ──▶ calls, one after the other ──▶ spacing ──▶ idle
 *
 * With pauses, it makes no calls while they can find nothing new, and then resumes where its cycle
 * would have been, so a run is the same with and without pauses.
 */
import type { Demand } from './demand.ts';
import { type Procedure, wait } from './procedure.ts';
import { CycleTimes, type ReadCycle } from './read-cycle.ts';
import type { ReadPauses } from './read-pauses.ts';

export type RegularReaderOptions = {
  /** Requests a pass soon. */
  readonly demand: Demand;
  readonly cycle: ReadCycle;
  /** Makes the calls after the first `made`; returns whether all succeeded. */
  readonly pass: (made: number) => Procedure<boolean>;
  /** Whether the last pass left nothing to find; used only with pauses. */
  readonly isSettled: () => boolean;
  readonly pauses: ReadPauses | undefined;
  /** Extra wait after a pass while {@link hasRoom} is false, in milliseconds. */
  readonly busyMs?: number;
  /** Whether few calls were sent within the last minute. */
  readonly hasRoom?: () => boolean;
};

export class RegularReader {
  readonly #options: RegularReaderOptions;
  readonly #demand: Demand;
  /**
   * The value of {@link ReadPauses.changes} when the last whole pass began; undefined if it failed.
   */
  #passedAt: number | undefined = 0;

  constructor(options: RegularReaderOptions) {
    this.#options = options;
    this.#demand = options.demand;
    this.#demand.setListener(() => options.pauses?.end());
  }

  /** Runs for ever. */
  *run(): Procedure {
    const { pauses, cycle } = this.#options;
    if (pauses === undefined) for (;;) yield* this.#wholeCycle();
    const times = new CycleTimes(cycle, pauses.roundTripMicros);
    for (;;) {
      if (!this.#mayPause(pauses)) yield* this.#wholeCycle();
      else yield* this.#restOfCycle(yield* pauses.pause(times), times);
    }
  }

  #mayPause(pauses: ReadPauses): boolean {
    const isAsked = this.#demand.isPending;
    return !isAsked && pauses.mayBegin(this.#passedAt) && this.#options.isSettled();
  }

  *#wholeCycle(): Procedure {
    const { cycle } = this.#options;
    yield* this.#demand.next(cycle.idleMs);
    yield* this.#debouncedPass(cycle.debounceMs);
    yield* wait(cycle.spacingMs);
    const { busyMs = 0, hasRoom } = this.#options;
    if (busyMs > 0 && hasRoom?.() === false) yield* wait(busyMs);
  }

  /**
   * Runs the rest of a cycle from `atMicros` after its start. The next pass finds what a call in
   * progress would have found.
   */
  *#restOfCycle(atMicros: number, times: CycleTimes): Procedure {
    const { idleMs, debounceMs, spacingMs } = this.#options.cycle;
    const { readMicros, readEndMicros, endMicros } = times;
    if (atMicros <= readMicros) {
      const idleLeftMs = idleMs - atMicros / 1000;
      if (idleLeftMs > 0) yield* this.#demand.next(idleLeftMs);
      yield* this.#debouncedPass(Math.min(debounceMs, debounceMs + idleLeftMs));
    } else if (atMicros < readEndMicros) {
      const made = times.callsSent(atMicros);
      this.#passedAt = undefined;
      yield* wait((times.callMicros(made) - atMicros) / 1000);
      yield* this.#options.pass(made);
    }
    yield* wait(atMicros > readEndMicros ? (endMicros - atMicros) / 1000 : spacingMs);
  }

  /** Several requests often come together; one pass serves them all. */
  *#debouncedPass(debounceMs: number): Procedure {
    if (debounceMs > 0) yield* wait(debounceMs);
    this.#demand.clear();
    const changes = this.#options.pauses?.changes;
    const isRead = yield* this.#options.pass(0);
    this.#passedAt = isRead ? changes : undefined;
  }
}
