/** The headers that every answer of the simulated exchange has: its trace id and its date. */

/** The real exchange uses this header name; the value is ours. */
const traceHeader = 'x-luno-trace-id';

export class AnswerStamps {
  readonly #tracePrefix: string;
  #answerCount = 0;
  /** The date of the last answer, cached because it changes only once a second. */
  #date = { seconds: -1, text: '' };

  constructor(idSeed: bigint) {
    this.#tracePrefix = BigInt.asUintN(64, idSeed).toString(16).padStart(16, '0');
  }

  /**
   * Returns the headers of the next answer. Its trace id follows from the seed and the number of
   * answers since the start, so that every run has the same ids.
   */
  next(timeMs: number): Readonly<Record<string, string>> {
    this.#answerCount += 1;
    const seconds = Math.floor(timeMs / 1000);
    if (seconds !== this.#date.seconds)
      this.#date = { seconds, text: new Date(seconds * 1000).toUTCString() };
    const number = this.#answerCount.toString(16).padStart(16, '0');
    return { [traceHeader]: `${this.#tracePrefix}${number}`, date: this.#date.text };
  }
}
