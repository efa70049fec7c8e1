/**
 * When regular reads of a backtest can find nothing: nothing was called or asked for since the last
 * pass began, and every call takes the same known time. An order that rests may fill; the user
 * stream of a replay reports that, and asks.
 *
 * Invariant: calls that are left out count in the call budget as if they had been made. Their
 * answers' stamps of the exchange's clock are not missed: messages of the market have them, too.
 */
import { type Procedure, Signal, wait } from './procedure.ts';
import type { CycleTimes } from './read-cycle.ts';

/** The call budget forgets calls that left before. */
const budgetMicros = 60_000_000;

export type ReadPausesOptions = {
  /** From a call to its answer, always. */
  readonly roundTripMicros: number;
  readonly calls: {
    readonly nowMicros: number;
    readonly orderCalled: Signal;
    readonly hasRoomForReads: boolean;
    noteOthers(timesMicros: readonly number[]): void;
  };
};

export class ReadPauses {
  readonly roundTripMicros: number;
  readonly #options: ReadPausesOptions;
  readonly #ended = new Signal();
  #happenings = 0;

  constructor(options: ReadPausesOptions) {
    this.roundTripMicros = options.roundTripMicros;
    this.#options = options;
    this.#watchCalls();
  }

  /** How often something happened that may have changed what there is to read. */
  get happenings(): number {
    return this.#happenings;
  }

  /** Something happens: pauses end. */
  end(): void {
    this.#happenings++;
    this.#ended.raise();
  }

  /** Whether a reader may pause whose last pass began after so many happenings. */
  mayBegin(happenings: number | undefined): boolean {
    return happenings === this.#happenings && this.#options.calls.hasRoomForReads;
  }

  /** Waits until something happens; returns for how long the present cycle would have run then. */
  *pause(times: CycleTimes): Procedure<number> {
    const { calls } = this.#options;
    const startedMicros = calls.nowMicros;
    yield* wait(Number.POSITIVE_INFINITY, this.#ended);
    const pausedMicros = calls.nowMicros - startedMicros;
    const unmade = times.callsBetween(pausedMicros - budgetMicros, pausedMicros);
    calls.noteOthers(unmade.map((micros) => startedMicros + micros));
    return pausedMicros % times.endMicros;
  }

  #watchCalls(): void {
    this.#options.calls.orderCalled.subscribe(() => {
      this.#watchCalls();
      this.end();
    });
  }
}
