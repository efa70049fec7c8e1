/**
 * The exchange's clock, never ahead of it: the highest lower bound that its recent answers allow.
 *
 * Every stamp was written before it arrived, so `stamp + time since arrival` is at most the
 * exchange's now. Only the last stamps count, so that one absurd stamp cannot hold the estimate for
 * ever.
 */
const stampsMax = 64;

export class ExchangeClock {
  /** Differences `stamp − our time of arrival`, in milliseconds; a ring. */
  readonly #offsetsMs: number[] = [];
  #next = 0;
  #offsetMs: number | undefined;

  /** Takes a stamp of the exchange that arrived at `arrivedMs` of our clock. */
  observe(stampMs: number, arrivedMs: number): void {
    const offsetMs = stampMs - arrivedMs;
    const leaving = this.#offsetsMs[this.#next];
    this.#offsetsMs[this.#next] = offsetMs;
    this.#next = (this.#next + 1) % stampsMax;
    if (this.#offsetMs === undefined || offsetMs >= this.#offsetMs) this.#offsetMs = offsetMs;
    else if (leaving === this.#offsetMs) this.#offsetMs = Math.max(...this.#offsetsMs);
  }

  /** Drops every stamp: our own clock has moved, so that they say nothing of the present. */
  forget(): void {
    this.#offsetsMs.length = 0;
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
