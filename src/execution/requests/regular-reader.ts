/**
 * Reads something of the exchange again and again: soon when something asks for it, else after a
 * while anyway, since a message may have been lost.
 *
 *     idle ──asked, or time──▶ debounce ──▶ one call after the other ──▶ spacing ──▶ idle
 *
 * Where pauses are given, it makes no calls while these can find nothing, and then goes on at the
 * place of its cycle where it would have been: a run is the same with pauses and without.
 */
import type { Demand } from './demand.ts';
import { type Procedure, wait } from './procedure.ts';
import { CycleTimes, type ReadCycle } from './read-cycle.ts';
import type { ReadPauses } from './read-pauses.ts';

export type RegularReaderOptions = {
  /** Asks for a pass soon. */
  readonly demand: Demand;
  readonly cycle: ReadCycle;
  /** Makes the calls, or those that come after the first `made`; returns whether all worked. */
  readonly pass: (made: number) => Procedure<boolean>;
  /** Whether the last pass has left nothing open; asked only where pauses are given. */
  readonly isSettled: () => boolean;
  readonly pauses: ReadPauses | undefined;
  /** Waits for so much longer after a pass, in milliseconds, where {@link hasRoom} is false. */
  readonly busyMs?: number;
  /** Whether few calls left within the last minute. */
  readonly hasRoom?: () => boolean;
};

export class RegularReader {
  readonly #options: RegularReaderOptions;
  readonly #demand: Demand;
  /** The number of happenings when the last whole pass began; undefined if it failed. */
  #passedAt: number | undefined = 0;

  constructor(options: RegularReaderOptions) {
    this.#options = options;
    this.#demand = options.demand;
    this.#demand.whenAsked(() => options.pauses?.end());
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
   * Runs what is left of a cycle `atMicros` after its beginning. The next pass finds what a call
   * under way would have found.
   */
  *#restOfCycle(atMicros: number, times: CycleTimes): Procedure {
    const { idleMs, debounceMs, spacingMs } = this.#options.cycle;
    const { readMicros, readEndMicros, endMicros } = times;
    if (atMicros <= readMicros) {
      const idleLeftMs = idleMs - atMicros / 1000;
      if (idleLeftMs > 0) yield* this.#demand.next(idleLeftMs);
      yield* this.#debouncedPass(Math.min(debounceMs, debounceMs + idleLeftMs));
    } else if (atMicros < readEndMicros) {
      const made = times.callsLeft(atMicros);
      this.#passedAt = undefined;
      yield* wait((times.callMicros(made) - atMicros) / 1000);
      yield* this.#options.pass(made);
    }
    yield* wait(atMicros > readEndMicros ? (endMicros - atMicros) / 1000 : spacingMs);
  }

  /** Several reasons often come together; one pass serves them all. */
  *#debouncedPass(debounceMs: number): Procedure {
    if (debounceMs > 0) yield* wait(debounceMs);
    this.#demand.meet();
    const happenings = this.#options.pauses?.happenings;
    const isRead = yield* this.#options.pass(0);
    this.#passedAt = isRead ? happenings : undefined;
  }
}
