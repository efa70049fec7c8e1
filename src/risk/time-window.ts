/**
 * Instants of something that happens, for questions like "how often within the last minute".
 *
 * Invariants: instants are kept in order, whatever order they come in; what is older than twice the
 * span that is kept is forgotten, so that a clock that goes back clears nothing.
 */
export class TimeWindow {
  readonly #keptMs: number;
  #timesMs: number[] = [];
  #forgotten = 0;
  /** Where the last question about the longest span found its first instant. */
  #longestFrom = 0;

  /** `keptMs` is the longest span that will be asked for. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** Adds one instant. */
  add(timeMs: number): void {
    const times = this.#timesMs;
    let at = times.length;
    while (at > this.#forgotten && (times[at - 1] as number) > timeMs) at--;
    if (at === times.length) times.push(timeMs);
    else times.splice(at, 0, timeMs);
    const oldMs = timeMs - 2 * this.#keptMs;
    while (this.#forgotten < times.length && (times[this.#forgotten] as number) <= oldMs)
      this.#forgotten++;
    if (this.#forgotten < 1_024) return;
    this.#timesMs = times.slice(this.#forgotten);
    this.#forgotten = 0;
  }

  /**
   * Returns whether there were at least `count` after `nowMs` less `withinMs`; in constant time.
   */
  hasAtLeast(count: number, nowMs: number, withinMs: number): boolean {
    if (count <= 0) return true;
    const at = this.#timesMs.length - count;
    return at >= this.#forgotten && !((this.#timesMs[at] as number) <= nowMs - withinMs);
  }

  /** Returns how many there were after `nowMs` less `withinMs`. */
  count(nowMs: number, withinMs: number): number {
    const times = this.#timesMs;
    const afterMs = nowMs - withinMs;
    if (withinMs === this.#keptMs) return times.length - this.#moveLongest(afterMs);
    let [low, high] = [this.#forgotten, times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] as number) <= afterMs) low = middle + 1;
      else high = middle;
    }
    return times.length - low;
  }

  // The span is asked for at every order and moves a little each time, to either side.
  #moveLongest(afterMs: number): number {
    const times = this.#timesMs;
    let at = Math.min(Math.max(this.#longestFrom, this.#forgotten), times.length);
    while (at < times.length && (times[at] as number) <= afterMs) at++;
    while (at > this.#forgotten && !((times[at - 1] as number) <= afterMs)) at--;
    this.#longestFrom = at;
    return at;
  }

  /** Returns the newest `count` instants, oldest first. */
  newest(count: number): readonly number[] {
    return this.#timesMs.slice(Math.max(this.#forgotten, this.#timesMs.length - count));
  }

  /** Forgets everything. */
  clear(): void {
    this.#timesMs = [];
    this.#forgotten = 0;
  }
}
