/**
 * The simulated exchange's own clock: the machine's, unless an operator stops it or moves it on.
 *
 * Invariant: it never goes back, also not behind the time at which the stored exchange stopped.
 */
import type { Clock } from '../../runtime/clock.ts';

/**
 * After a crash an exchange ends at the end of what it may have published, up to a second ahead of
 * the machine. Its clock waits for the machine's then; were it to go on from there, each crash
 * would bring it further ahead. More than this is what an operator has moved it on.
 */
const waitMicrosMax = 2_000_000;

export class MarketClock {
  readonly #clock: Pick<Clock, 'nowMicros'>;
  #leastMicros: number;
  #aheadMicros: number;
  #stoppedMicros: number | undefined;

  constructor(clock: Pick<Clock, 'nowMicros'>, leastMicros: number) {
    this.#clock = clock;
    this.#leastMicros = leastMicros;
    const aheadMicros = leastMicros - clock.nowMicros();
    this.#aheadMicros = aheadMicros > waitMicrosMax ? aheadMicros : 0;
  }

  get isStopped(): boolean {
    return this.#stoppedMicros !== undefined;
  }

  nowMicros(): number {
    return (
      this.#stoppedMicros ??
      Math.max(this.#leastMicros, this.#clock.nowMicros() + this.#aheadMicros)
    );
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
    if (this.#stoppedMicros === undefined) {
      this.#leastMicros = this.nowMicros() + micros;
      this.#aheadMicros += micros;
    } else this.#stoppedMicros += micros;
  }
}
