/**
 * The simulated exchange's own clock: the machine's, unless an operator stops it or moves it on.
 *
 * Invariant: it never goes back, also not behind the time at which the stored exchange stopped.
 */
import type { Clock } from '../runtime/clock.ts';

export class MarketClock {
  readonly #clock: Pick<Clock, 'nowMicros'>;
  #aheadMicros: number;
  #stoppedMicros: number | undefined;

  constructor(clock: Pick<Clock, 'nowMicros'>, leastMicros: number) {
    this.#clock = clock;
    this.#aheadMicros = Math.max(0, leastMicros - clock.nowMicros());
  }

  get isStopped(): boolean {
    return this.#stoppedMicros !== undefined;
  }

  nowMicros(): number {
    return this.#stoppedMicros ?? this.#clock.nowMicros() + this.#aheadMicros;
  }

  stop(): void {
    this.#stoppedMicros ??= this.nowMicros();
  }

  /** Goes on from where it was stopped. */
  resume(): void {
    if (this.#stoppedMicros === undefined) return;
    this.#aheadMicros = this.#stoppedMicros - this.#clock.nowMicros();
    this.#stoppedMicros = undefined;
  }

  /** Skips `micros`, whether stopped or not. */
  moveOn(micros: number): void {
    if (this.#stoppedMicros === undefined) this.#aheadMicros += micros;
    else this.#stoppedMicros += micros;
  }
}
