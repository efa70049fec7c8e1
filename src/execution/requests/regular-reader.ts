/**
 * Reads data of the exchange regularly: soon after a request, and otherwise after a while, because
 * a message may have been lost.
 *
 *     idle ──request or time──▶ debounce ──▶ calls, one after the other ──▶ spacing ──▶ idle
 */
import type { Demand } from './demand.ts';
import { type Procedure, wait } from './procedure.ts';
import type { ReadPlan, SafetyRead } from './read-plan.ts';

export type RegularReaderOptions = {
  readonly plan: ReadPlan;
  /** Requests a pass soon. */
  readonly demand: Demand;
  /** Its `spacingMs` follow each pass, and its `busyMs` too while {@link hasRoom} is false. */
  readonly read: SafetyRead;
  /** How long after a request a pass begins. */
  readonly debounceMs: number;
  /** Makes the calls; returns whether all succeeded. */
  readonly pass: () => Procedure<boolean>;
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
    const { plan, demand, read, debounceMs, pass, hasRoom } = this.#options;
    for (;;) {
      yield* plan.next(demand, read);
      // Several requests often come together; one pass serves them all.
      if (debounceMs > 0) yield* wait(debounceMs);
      demand.clear();
      yield* pass();
      yield* wait(read.spacingMs);
      if (read.busyMs > 0 && hasRoom?.() === false) yield* wait(read.busyMs);
    }
  }
}
