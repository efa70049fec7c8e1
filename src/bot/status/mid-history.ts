/** The mids of a market over the last minutes, by the exchange's clock. */

/** Entries that are older than this are forgotten. */
const keptMs = 120_000;
/** With more changes than these the oldest are forgotten earlier. */
const entriesMax = 16_384;

export class MidHistory {
  /** Ring buffers: when each mid began, and bid + ask in ticks (NaN without a mid). */
  readonly #timesMs = new Float64Array(entriesMax);
  readonly #mids2 = new Float64Array(entriesMax);
  /** How many entries there were, and how many of them are forgotten. */
  #end = 0;
  #first = 0;

  /** Notes the mid from `timeMs` on, as bid + ask in ticks; undefined while there is none. */
  note(timeMs: number, mid2: number | undefined): void {
    const given = mid2 ?? Number.NaN;
    const last = this.#end - 1;
    if (last >= this.#first && Object.is(this.#mids2[last % entriesMax], given)) return;
    // A later entry for the same time is the one that was in force afterwards.
    const at = this.#end++ % entriesMax;
    this.#timesMs[at] = timeMs;
    this.#mids2[at] = given;
    if (this.#end - this.#first > entriesMax) this.#first++;
    // The newest old one is kept: it was in force when the kept time began.
    while (this.#end - this.#first > 1 && this.#timeOf(this.#first + 1) <= timeMs - keptMs)
      this.#first++;
  }

  /** Returns bid + ask in ticks just before `timeMs`; undefined if it is not known. */
  before(timeMs: number): number | undefined {
    return this.#find((entryMs) => entryMs < timeMs);
  }

  /** As {@link before}, at `timeMs`. */
  at(timeMs: number): number | undefined {
    return this.#find((entryMs) => entryMs <= timeMs);
  }

  #find(isInForce: (entryMs: number) => boolean): number | undefined {
    let entry = this.#end - 1;
    while (entry >= this.#first && !isInForce(this.#timeOf(entry))) entry--;
    if (entry < this.#first) return undefined;
    const mid2 = this.#mids2[entry % entriesMax] as number;
    return Number.isNaN(mid2) ? undefined : mid2;
  }

  #timeOf(entry: number): number {
    return this.#timesMs[entry % entriesMax] as number;
  }
}
