/**
 * Reads data of the exchange regularly: soon after a request, and otherwise after a while, because
 * a message may have been lost.
 *
 *     idle ──request or time──▶ debounce ──▶ calls, one after the other ──▶ spacing ──▶ idle
 */
import type { Demand } from './demand.ts';
import { type Procedure, wait } from './procedure.ts';

/** The durations of a cycle's parts, in milliseconds. */
export type ReadCycle = {
  readonly idleMs: number;
  readonly debounceMs: number;
  readonly spacingMs: number;
};

export type RegularReaderOptions = {
  /** Requests a pass soon. */
  readonly demand: Demand;
  readonly cycle: ReadCycle;
  /** Makes the calls; returns whether all succeeded. */
  readonly pass: () => Procedure<boolean>;
  /** Extra wait after a pass while {@link hasRoom} is false, in milliseconds. */
  readonly busyMs?: number;
  /** Whether few calls were sent within the last minute. */
  readonly hasRoom?: () => boolean;
};

export class RegularReader {
  readonly #options: RegularReaderOptions;

  constructor(options: RegularReaderOptions) {
    this.#options = options;
  }

  /** Runs for ever. */
  *run(): Procedure {
    const { demand, cycle, pass, busyMs = 0, hasRoom } = this.#options;
    for (;;) {
      yield* demand.next(cycle.idleMs);
      // Several requests often come together; one pass serves them all.
      if (cycle.debounceMs > 0) yield* wait(cycle.debounceMs);
      demand.clear();
      yield* pass();
      yield* wait(cycle.spacingMs);
      if (busyMs > 0 && hasRoom?.() === false) yield* wait(busyMs);
    }
  }
}
