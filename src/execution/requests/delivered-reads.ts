/**
 * Waits as long as a read would take that a run need not make, because its exchange is in the same
 * process and delivers what the read would find. Counts the read in the call budget.
 *
 * While calls are scarce, reads come last and may wait long. So in that case one call is made,
 * which waits for its turn as any read does; its answer is not used.
 */
import { call, type Procedure, wait, type Yielded } from './procedure.ts';

export type DeliveredReadsOptions = {
  readonly calls: {
    readonly nowMicros: number;
    readonly hasRoomForReads: boolean;
    countOtherCalls(timesMicros: readonly number[]): void;
  };
  /** Whether the exchange limits calls. */
  readonly isLimited: boolean;
  /** The time from a call to its answer. */
  readonly roundTripMicros: number;
};

export class DeliveredReads {
  readonly #options: DeliveredReadsOptions;

  constructor(options: DeliveredReadsOptions) {
    this.#options = options;
  }

  /** Our time, in microseconds. */
  get nowMicros(): number {
    return this.#options.calls.nowMicros;
  }

  /** Whether {@link limitedAnswers} takes the place of {@link answers}. */
  get isLimited(): boolean {
    return this.#options.isLimited;
  }

  /**
   * What a procedure yields to wait until the answers to `count` calls that are sent from
   * `atMicros` on. A procedure of its own would cost more than what follows each wait.
   */
  answers(atMicros: number, count: number): Yielded {
    const { calls, roundTripMicros } = this.#options;
    const answeredMicros = atMicros - calls.nowMicros + count * roundTripMicros;
    return { kind: 'wait', milliseconds: answeredMicros / 1000, signal: undefined };
  }

  /** As {@link answers}, where the exchange limits calls: counts them, or waits for their turn. */
  *limitedAnswers(atMicros: number, count: number): Procedure {
    const { calls, roundTripMicros } = this.#options;
    const delayMicros = atMicros - calls.nowMicros;
    if (delayMicros > 0) yield* wait(delayMicros / 1000);
    if (calls.hasRoomForReads) {
      calls.countOtherCalls(Array.from({ length: count }, (_, sent) => atMicros + sent));
      yield* wait((count * roundTripMicros) / 1000);
    } else
      for (let sent = 0; sent < count; sent++)
        yield* call({ priority: 'read', operation: 'balance', parameters: () => ({}) });
  }
}
