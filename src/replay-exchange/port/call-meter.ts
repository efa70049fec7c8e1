/** Counts the calls that reach an exchange, which refuses more than its profile allows. */
const windowMicros = 60_000_000;

export class CallMeter {
  /** When the last calls were taken, as many as a minute may have; a ring. */
  readonly #takenMicros: Float64Array;
  #next = 0;

  constructor(perMinute: number) {
    this.#takenMicros = new Float64Array(perMinute).fill(Number.NEGATIVE_INFINITY);
  }

  /** Takes a call; returns the microseconds to wait if it is one too many, and 0 otherwise. */
  take(atMicros: number): number {
    const waitMicros = (this.#takenMicros[this.#next] as number) + windowMicros - atMicros;
    if (waitMicros > 0) return waitMicros;
    this.#takenMicros[this.#next] = atMicros;
    this.#next = (this.#next + 1) % this.#takenMicros.length;
    return 0;
  }
}
