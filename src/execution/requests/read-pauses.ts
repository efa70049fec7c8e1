/**
 * Pauses the regular reads of a backtest while they can find nothing new: no call was made or
 * requested since the last pass began, and every call takes the same known time. A resting order
 * may fill, but the user stream of a replay reports that and requests a read.
 *
 * Invariant: skipped calls count in the call budget as if they had been made. The timestamps in
 * their answers are not needed for the exchange's clock: market messages have them, too.
 */
import { type Procedure, Signal, wait } from './procedure.ts';
import type { CycleTimes } from './read-cycle.ts';

/** The call budget forgets calls that were sent earlier than this. */
const budgetMicros = 60_000_000;

export type ReadPausesOptions = {
  /** The constant time from a call to its answer. */
  readonly roundTripMicros: number;
  readonly calls: {
    readonly nowMicros: number;
    readonly orderCalled: Signal;
    readonly hasRoomForReads: boolean;
    countOtherCalls(timesMicros: readonly number[]): void;
  };
};

export class ReadPauses {
  readonly roundTripMicros: number;
  readonly #options: ReadPausesOptions;
  readonly #ended = new Signal();
  #changes = 0;

  constructor(options: ReadPausesOptions) {
    this.roundTripMicros = options.roundTripMicros;
    this.#options = options;
    options.calls.orderCalled.subscribe(this.#noteCall);
  }

  /** How many times a read may have become necessary. */
  get changes(): number {
    return this.#changes;
  }

  /** Ends all pauses, because there may be something new to read. */
  end(): void {
    this.#changes++;
    this.#ended.raise();
  }

  /** Whether a reader may pause; `changes` is the value at which its last pass began. */
  mayBegin(changes: number | undefined): boolean {
    return changes === this.#changes && this.#options.calls.hasRoomForReads;
  }

  /** Waits until {@link end}; returns how long the cycle in progress would have run by then. */
  *pause(times: CycleTimes): Procedure<number> {
    const { calls } = this.#options;
    const startedMicros = calls.nowMicros;
    yield* wait(Number.POSITIVE_INFINITY, this.#ended);
    const pausedMicros = calls.nowMicros - startedMicros;
    const skipped = times.callsBetween(pausedMicros - budgetMicros, pausedMicros);
    calls.countOtherCalls(skipped.map((micros) => startedMicros + micros));
    return pausedMicros % times.endMicros;
  }

  /** Signals forget their subscribers when they are raised. */
  readonly #noteCall = {
    onSignal: (): void => {
      this.#options.calls.orderCalled.subscribe(this.#noteCall);
      this.end();
    },
  };
}
