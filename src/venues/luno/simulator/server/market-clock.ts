/**
 * The clock of the simulated exchange: it follows the machine's clock, unless an operator stops it
 * or moves it forward.
 *
 * Invariant: it never goes back, not even to before the time at which the stored exchange stopped.
 */
import type { Clock } from '../../../../runtime/clock.ts';

/**
 * After a crash the stored time can be up to a second ahead of the machine, because the exchange
 * continues at the end of what it may have published. Then the clock waits for the machine to catch
 * up: otherwise each crash would add to the lead. A lead greater than this limit comes from an
 * operator and is kept.
 */
const waitMicrosMax = 2_000_000;

export class MarketClock {
  readonly #clock: Pick<Clock, 'nowMicros'>;
  #minMicros: number;
  #aheadMicros: number;
  #stoppedMicros: number | undefined;

  constructor(clock: Pick<Clock, 'nowMicros'>, minMicros: number) {
    this.#clock = clock;
    this.#minMicros = minMicros;
    const aheadMicros = minMicros - clock.nowMicros();
    this.#aheadMicros = aheadMicros > waitMicrosMax ? aheadMicros : 0;
  }

  get isStopped(): boolean {
    return this.#stoppedMicros !== undefined;
  }

  nowMicros(): number {
    return (
      this.#stoppedMicros ?? Math.max(this.#minMicros, this.#clock.nowMicros() + this.#aheadMicros)
    );
  }

  stop(): void {
    this.#stoppedMicros ??= this.nowMicros();
  }

  /** Continues from the time at which it was stopped. */
  resume(): void {
    if (this.#stoppedMicros === undefined) return;
    this.#aheadMicros = this.#stoppedMicros - this.#clock.nowMicros();
    this.#stoppedMicros = undefined;
  }

  /** Moves the clock forward by `micros`, whether it is stopped or not. */
  moveForward(micros: number): void {
    if (this.#stoppedMicros === undefined) {
      this.#minMicros = this.nowMicros() + micros;
      this.#aheadMicros += micros;
    } else this.#stoppedMicros += micros;
  }
}
