/**
 * The latency in one direction: fixed, drawn between two bounds, or drawn from measurements. Draws
 * are seeded, and messages never overtake each other.
 */
import type { Latency } from '../../domain/trading-conditions.ts';
import type { Random } from '../../runtime/random.ts';
import { createSeededRandom } from '../../runtime/seeded-random.ts';

export class LatencyModel {
  readonly #latency: Latency;
  readonly #random: Random;
  #lastDueMicros = Number.NEGATIVE_INFINITY;
  #draws = 0;

  /**
   * Throws RangeError if a latency is not an integer of 0 or more microseconds, if bounds are in
   * the wrong order, or if there are no measurements.
   */
  constructor(name: string, latency: Latency, seed: number) {
    const all =
      latency.kind === 'fixed'
        ? [latency.us]
        : latency.kind === 'between'
          ? [latency.fromUs, latency.toUs]
          : latency.samplesUs;
    for (const us of all)
      if (!Number.isSafeInteger(us) || us < 0)
        throw new RangeError(`${name} latency must be an integer of at least 0 µs, was ${us}`);
    if (latency.kind === 'between' && latency.fromUs > latency.toUs)
      throw new RangeError(
        `${name} latency: the lower bound ${latency.fromUs} is above the upper bound ${latency.toUs}`,
      );
    if (all.length === 0)
      throw new RangeError(`${name} latency must have at least one measurement`);
    this.#latency = latency;
    this.#random = createSeededRandom(`${name} ${seed}`);
  }

  /** Returns the arrival time of something that is sent at `nowMicros`. */
  dueMicros(nowMicros: number): number {
    const due = Math.max(this.#lastDueMicros, nowMicros + this.#draw());
    this.#lastDueMicros = due;
    return due;
  }

  #draw(): number {
    const latency = this.#latency;
    if (latency.kind === 'fixed') return latency.us;
    if (latency.kind === 'between') return this.#random.integer(latency.fromUs, latency.toUs);
    const last = latency.samplesUs.length - 1;
    const index =
      latency.kind === 'in-order' ? Math.min(this.#draws++, last) : this.#random.integer(0, last);
    return latency.samplesUs[index] as number;
  }
}
