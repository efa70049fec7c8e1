/**
 * Times of events, to count how many there were within a span such as the last minute.
 *
 * Invariants: times are sorted, in whatever order they are added. A time is dropped only when it is
 * older than twice the longest span, so that a clock set back clears no count.
 */

const roomMin = 16;

export class TimeWindow {
  readonly #keptMs: number;
  /** Times from `#forgotten` to `#end`: room that is used again, since a list would be copied. */
  #timesMs = new Float64Array(roomMin);
  #forgotten = 0;
  #end = 0;
  /** Index of the first time within the longest span, as of the last count. */
  #longestIndex = 0;

  /** `keptMs` is the longest span that will be counted. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** Adds the time of one event. */
  add(timeMs: number): void {
    if (this.#end === this.#timesMs.length) this.#makeRoom();
    const times = this.#timesMs;
    let at = this.#end++;
    while (at > this.#forgotten && (times[at - 1] as number) > timeMs) {
      times[at] = times[at - 1] as number;
      at--;
    }
    times[at] = timeMs;
    const oldMs = timeMs - 2 * this.#keptMs;
    while (this.#forgotten < this.#end && (times[this.#forgotten] as number) <= oldMs)
      this.#forgotten++;
  }

  /** Moves the times to the front, into a longer array if more than half of it is in use. */
  #makeRoom(): void {
    const kept = this.#timesMs.subarray(this.#forgotten, this.#end);
    const isFull = kept.length * 2 > this.#timesMs.length;
    const times = isFull ? new Float64Array(this.#timesMs.length * 2) : this.#timesMs;
    times.set(kept);
    this.#timesMs = times;
    this.#end = kept.length;
    this.#forgotten = 0;
    this.#longestIndex = 0;
  }

  /** Returns whether at least `count` events are later than `nowMs - withinMs`; constant time. */
  hasAtLeast(count: number, nowMs: number, withinMs: number): boolean {
    if (count <= 0) return true;
    const at = this.#end - count;
    return at >= this.#forgotten && !((this.#timesMs[at] as number) <= nowMs - withinMs);
  }

  /**
   * Returns when fewer than `count` events are within the span, if none is added; may be past.
   * `count` is at least 1.
   */
  fewerThanAtMs(count: number, withinMs: number): number {
    const at = this.#end - count;
    if (at < this.#forgotten) return Number.NEGATIVE_INFINITY;
    return (this.#timesMs[at] as number) + withinMs;
  }

  /** Returns the number of events later than `nowMs - withinMs`. */
  count(nowMs: number, withinMs: number): number {
    const times = this.#timesMs;
    const afterMs = nowMs - withinMs;
    if (withinMs === this.#keptMs) return this.#end - this.#longestStart(afterMs);
    let low = this.#forgotten;
    let high = this.#end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] as number) <= afterMs) low = middle + 1;
      else high = middle;
    }
    return this.#end - low;
  }

  // This span is counted at every order, and its start moves a little each time, back or forth.
  #longestStart(afterMs: number): number {
    const times = this.#timesMs;
    let at = Math.min(Math.max(this.#longestIndex, this.#forgotten), this.#end);
    while (at < this.#end && (times[at] as number) <= afterMs) at++;
    while (at > this.#forgotten && !((times[at - 1] as number) <= afterMs)) at--;
    this.#longestIndex = at;
    return at;
  }

  /** Returns the newest `count` times, oldest first. */
  newest(count: number): readonly number[] {
    const from = Math.max(this.#forgotten, this.#end - count);
    return Array.from(this.#timesMs.subarray(from, this.#end));
  }

  /** Removes all times. */
  clear(): void {
    this.#end = 0;
    this.#forgotten = 0;
  }
}
