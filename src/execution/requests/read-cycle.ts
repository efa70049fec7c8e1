/** The times of a reader's cycle, in microseconds since it began; see {@link RegularReader}. */

/** How long the parts of a cycle take, in milliseconds, and the calls of a pass without news. */
export type ReadCycle = {
  readonly idleMs: number;
  readonly debounceMs: number;
  readonly calls: number;
  readonly spacingMs: number;
};

export class CycleTimes {
  /** When the first call leaves. */
  readonly readMicros: number;
  /** When the last answer has come. */
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

  /** When a call leaves, the first being 0; one after the last would leave when all have ended. */
  callMicros(call: number): number {
    return this.readMicros + call * this.#roundTripMicros;
  }

  /** Returns when calls leave between two times, if cycles follow each other from 0 on. */
  callsBetween(fromMicros: number, untilMicros: number): readonly number[] {
    const calls: number[] = [];
    const cycles = Math.max(0, Math.floor(fromMicros / this.endMicros));
    for (let start = cycles * this.endMicros; start <= untilMicros; start += this.endMicros)
      for (let call = 0; call < this.callsLeft(untilMicros - start); call++) {
        const micros = start + this.callMicros(call);
        if (micros > fromMicros) calls.push(micros);
      }
    return calls;
  }

  /** How many calls have left at `atMicros`; the first has not at the very time that it leaves. */
  callsLeft(atMicros: number): number {
    if (atMicros <= this.readMicros) return 0;
    if (atMicros >= this.readEndMicros) return this.#calls;
    return Math.floor((atMicros - this.readMicros) / this.#roundTripMicros) + 1;
  }
}
