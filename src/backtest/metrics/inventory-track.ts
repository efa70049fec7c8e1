/**
 * The position of a market over time: how long it was long or short, and what it was worth. Means
 * are floats, because only their size matters; the extremes are exact.
 */
import type { Amount } from '../../domain/amount.ts';

/** A position, and twice the mid in ticks at which it was worth most. */
export type WorthiestPosition = { readonly base: Amount; readonly mid2: number };

export class InventoryTrack {
  #base: Amount = 0n;
  // The initial values are not integers, so that V8 stores the fields as mutable doubles.
  /** The position in units of 10^-18. */
  #size = 0.5;
  #sinceMicros = 0.5;
  #longMicros = 0.5;
  #shortMicros = 0.5;
  /** The absolute position times twice the mid in ticks times microseconds. */
  #worthTimesMicros = 0.5;
  #longWorthMax = 0.5;
  #shortWorthMax = 0.5;
  #longest: WorthiestPosition | undefined;
  #shortest: WorthiestPosition | undefined;

  /** `startMicros`: on the clock of {@link pass}, which stands still while nobody records. */
  constructor(startMicros: number) {
    this.#size = 0;
    this.#sinceMicros = startMicros;
    this.#longMicros = 0;
    this.#shortMicros = 0;
    this.#worthTimesMicros = 0;
    this.#longWorthMax = 0;
    this.#shortWorthMax = 0;
  }

  /** How long the position was above and below zero, up to the last {@link pass}. */
  get longMicros(): number {
    return this.#longMicros;
  }

  get shortMicros(): number {
    return this.#shortMicros;
  }

  get worthTimesMicros(): number {
    return this.#worthTimesMicros;
  }

  /** The long and the short position that was worth most; undefined if there was none. */
  get longest(): WorthiestPosition | undefined {
    return this.#longest;
  }

  get shortest(): WorthiestPosition | undefined {
    return this.#shortest;
  }

  /** Takes the position after a trade. */
  hold(base: Amount): void {
    this.#base = base;
    this.#size = Number(base); // not money: only for means and comparisons
  }

  /** Notes that twice the mid was `mid2`, and the position the same, up to this time. */
  pass(watchedMicros: number, mid2: number): void {
    const micros = watchedMicros - this.#sinceMicros;
    this.#sinceMicros = watchedMicros;
    if (this.#size === 0) return;
    const worth = this.#size * mid2;
    if (worth > 0) {
      this.#longMicros += micros;
      this.#worthTimesMicros += worth * micros;
      if (worth <= this.#longWorthMax) return;
      this.#longWorthMax = worth;
      this.#longest = { base: this.#base, mid2 };
    } else {
      this.#shortMicros += micros;
      this.#worthTimesMicros -= worth * micros;
      if (-worth <= this.#shortWorthMax) return;
      this.#shortWorthMax = -worth;
      this.#shortest = { base: this.#base, mid2 };
    }
  }
}
