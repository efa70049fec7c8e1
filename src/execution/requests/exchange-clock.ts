/**
 * The exchange's clock, never ahead of it: the highest lower bound that its recent answers allow.
 *
 * Every stamp was written before it arrived, so `stamp + time since arrival` is at most the
 * exchange's now. Only the last stamps count, and those of the last seconds, so that a clock that
 * was wrong for a while does not hold the estimate for long after.
 */
const stampsMax = 64;
/** Older stamps count only while there is no other. */
const stampAgeMsMax = 15_000;

export class ExchangeClock {
  /** Differences `stamp − our time of arrival`, in milliseconds; a ring. */
  readonly #offsetsMs: number[] = [];
  /** When each arrived, by our clock; a ring beside it. */
  readonly #arrivedMs: number[] = [];
  #next = 0;
  #offsetMs: number | undefined;
  /** When the stamp of the highest offset arrived. */
  #highestMs = 0;

  /** Takes a stamp of the exchange that arrived at `arrivedMs` of our clock. */
  observe(stampMs: number, arrivedMs: number): void {
    const offsetMs = stampMs - arrivedMs;
    const leaving = this.#offsetsMs[this.#next];
    this.#offsetsMs[this.#next] = offsetMs;
    this.#arrivedMs[this.#next] = arrivedMs;
    this.#next = (this.#next + 1) % stampsMax;
    if (this.#offsetMs === undefined || offsetMs >= this.#offsetMs) {
      this.#offsetMs = offsetMs;
      this.#highestMs = arrivedMs;
    } else if (leaving === this.#offsetMs || arrivedMs - this.#highestMs > stampAgeMsMax)
      this.#findHighest(arrivedMs);
  }

  #findHighest(nowMs: number): void {
    let highest = Number.NEGATIVE_INFINITY;
    for (let place = 0; place < this.#offsetsMs.length; place++) {
      const arrivedMs = this.#arrivedMs[place] as number;
      const offsetMs = this.#offsetsMs[place] as number;
      if (nowMs - arrivedMs > stampAgeMsMax || offsetMs < highest) continue;
      highest = offsetMs;
      this.#highestMs = arrivedMs;
    }
    this.#offsetMs = highest;
  }

  /** Drops every stamp: our own clock has moved, so that they say nothing of the present. */
  forget(): void {
    this.#offsetsMs.length = 0;
    this.#arrivedMs.length = 0;
    this.#next = 0;
    this.#offsetMs = undefined;
  }

  /**
   * A lower bound of the exchange's time when our clock says `nowMs`; undefined before any stamp.
   */
  nowMs(nowMs: number): number | undefined {
    return this.#offsetMs === undefined ? undefined : nowMs + this.#offsetMs;
  }

  /** How far the exchange's clock is ahead of ours, at least; undefined before any stamp. */
  get offsetMs(): number | undefined {
    return this.#offsetMs;
  }
}
