/**
 * Times of events, to count how many there were within a span such as the last minute.
 *
 * Invariants: times are sorted, in whatever order they are added. A time is dropped only when it is
 * older than twice the longest span, so that a clock set back clears no count.
 */
export class TimeWindow {
  readonly #keptMs: number;
  #timesMs: number[] = [];
  #forgotten = 0;
  /** Index of the first time within the longest span, as of the last count. */
  #longestIndex = 0;

  /** `keptMs` is the longest span that will be counted. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** Adds the time of one event. */
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

  /** Returns whether at least `count` events are later than `nowMs - withinMs`; constant time. */
  hasAtLeast(count: number, nowMs: number, withinMs: number): boolean {
    if (count <= 0) return true;
    const at = this.#timesMs.length - count;
    return at >= this.#forgotten && !((this.#timesMs[at] as number) <= nowMs - withinMs);
  }

  /** Returns when fewer than `count` events are within the span, if none is added; may be past. */
  fewerThanAtMs(count: number, withinMs: number): number {
    const at = this.#timesMs.length - count;
    return at < this.#forgotten ? Number.NEGATIVE_INFINITY : (this.#timesMs[at] ?? 0) + withinMs;
  }

  /** Returns the number of events later than `nowMs - withinMs`. */
  count(nowMs: number, withinMs: number): number {
    const times = this.#timesMs;
    const afterMs = nowMs - withinMs;
    if (withinMs === this.#keptMs) return times.length - this.#longestStart(afterMs);
    let [low, high] = [this.#forgotten, times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] as number) <= afterMs) low = middle + 1;
      else high = middle;
    }
    return times.length - low;
  }

  // This span is counted at every order, and its start moves a little each time, back or forth.
  #longestStart(afterMs: number): number {
    const times = this.#timesMs;
    let at = Math.min(Math.max(this.#longestIndex, this.#forgotten), times.length);
    while (at < times.length && (times[at] as number) <= afterMs) at++;
    while (at > this.#forgotten && !((times[at - 1] as number) <= afterMs)) at--;
    this.#longestIndex = at;
    return at;
  }

  /** Returns the newest `count` times, oldest first. */
  newest(count: number): readonly number[] {
    return this.#timesMs.slice(Math.max(this.#forgotten, this.#timesMs.length - count));
  }

  /** Removes all times. */
  clear(): void {
    this.#timesMs = [];
    this.#forgotten = 0;
  }
}
