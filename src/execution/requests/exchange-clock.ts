/**
 * An estimate of the exchange's clock that is never ahead of it: the highest lower bound that its
 * recent timestamps allow.
 *
 * Every stamp was written before it arrived, so `stamp + time since arrival` is at most the
 * exchange's current time. Only the most recent stamps count, so that stamps of a wrong clock do
 * not distort the estimate for long.
 */
const stampsMax = 64;
/** Older stamps count only while there are no newer ones: stamps of a wrong clock must end soon. */
const stampAgeMsMax = 15_000;
const none = Number.NEGATIVE_INFINITY;

export class ExchangeClock {
  /** Differences `stamp − our time of arrival`, in milliseconds; a ring. */
  readonly #offsetsMs: number[] = [];
  /** When each arrived, by our clock; a ring with the same indices. */
  readonly #arrivedMs: number[] = [];
  #next = 0;
  // Numbers from the start, and not integers, so that V8 stores them in place: a field that may be
  // undefined would allocate a new number with each stamp.
  /** The highest offset; {@link none} without stamps. */
  #offsetMs = none;
  /** When the stamp with the highest offset arrived. */
  #highestMs = 0.5;

  /** Takes a timestamp of the exchange that arrived when our clock said `arrivedMs`. */
  observe(stampMs: number, arrivedMs: number): void {
    const offsetMs = stampMs - arrivedMs;
    const leaving = this.#offsetsMs[this.#next];
    this.#offsetsMs[this.#next] = offsetMs;
    this.#arrivedMs[this.#next] = arrivedMs;
    this.#next = (this.#next + 1) % stampsMax;
    if (offsetMs >= this.#offsetMs) {
      this.#offsetMs = offsetMs;
      this.#highestMs = arrivedMs;
    } else if (leaving === this.#offsetMs || arrivedMs - this.#highestMs > stampAgeMsMax)
      this.#findHighest(arrivedMs);
  }

  #findHighest(nowMs: number): void {
    let highest = none;
    for (let place = 0; place < this.#offsetsMs.length; place++) {
      const arrivedMs = this.#arrivedMs[place] as number;
      const offsetMs = this.#offsetsMs[place] as number;
      if (nowMs - arrivedMs > stampAgeMsMax || offsetMs < highest) continue;
      highest = offsetMs;
      this.#highestMs = arrivedMs;
    }
    this.#offsetMs = highest;
  }

  /** Drops every stamp: our own clock has moved, so the offsets are no longer valid. */
  forget(): void {
    this.#offsetsMs.length = 0;
    this.#arrivedMs.length = 0;
    this.#next = 0;
    this.#offsetMs = none;
  }

  /** A lower bound of the exchange's time when our clock says `nowMs`; undefined without stamps. */
  nowMs(nowMs: number): number | undefined {
    return this.#offsetMs === none ? undefined : nowMs + this.#offsetMs;
  }

  /** By how much the exchange's clock is ahead of ours, at least; undefined without stamps. */
  get offsetMs(): number | undefined {
    return this.#offsetMs === none ? undefined : this.#offsetMs;
  }
}
