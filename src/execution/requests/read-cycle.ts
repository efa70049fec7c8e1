/**
 * The times within a reader's cycle, in microseconds since its start; see {@link RegularReader}.
 */

/**
 * The durations of a cycle's parts, in milliseconds, and the calls of a pass that finds nothing.
 */
export type ReadCycle = {
  readonly idleMs: number;
  readonly debounceMs: number;
  readonly calls: number;
  readonly spacingMs: number;
};

export class CycleTimes {
  /** When the first call is sent. */
  readonly readMicros: number;
  /** When the last answer arrives. */
  readonly readEndMicros: number;
  readonly endMicros: number;
  readonly #calls: number;
  readonly #roundTripMicros: number;

  constructor({ idleMs, debounceMs, calls, spacingMs }: ReadCycle, roundTripMicros: number) {
    this.readMicros = (idleMs + debounceMs) * 1000;
    this.readEndMicros = this.readMicros + calls * roundTripMicros;
    this.endMicros = this.readEndMicros + spacingMs * 1000;
    this.#calls = calls;
    this.#roundTripMicros = roundTripMicros;
  }

  /**
   * When call number `call` is sent, from 0; for the number of calls, when the last is answered.
   */
  callMicros(call: number): number {
    return this.readMicros + call * this.#roundTripMicros;
  }

  /** Returns when calls are sent between two times, if cycles follow each other from time 0. */
  callsBetween(fromMicros: number, untilMicros: number): readonly number[] {
    const calls: number[] = [];
    const cycles = Math.max(0, Math.floor(fromMicros / this.endMicros));
    for (let start = cycles * this.endMicros; start <= untilMicros; start += this.endMicros)
      for (let call = 0; call < this.callsSent(untilMicros - start); call++) {
        const micros = start + this.callMicros(call);
        if (micros > fromMicros) calls.push(micros);
      }
    return calls;
  }

  /** How many calls have been sent before `atMicros`. */
  callsSent(atMicros: number): number {
    if (atMicros <= this.readMicros) return 0;
    if (atMicros >= this.readEndMicros) return this.#calls;
    return Math.floor((atMicros - this.readMicros) / this.#roundTripMicros) + 1;
  }
}
