/**
 * Round trips: what one order bought and another sold again, or sold and bought back, oldest first,
 * in however many fills. Profit is after fees, exact, in atoms of the counter currency.
 *
 * Invariant: memory is that of the fills whose volume is still held.
 */
import type { Amount } from '../../domain/amount.ts';
import type { Side } from '../../domain/market.ts';

/** A fill as far as round trips care. */
export type Leg = {
  /** The order that was filled. */
  readonly order: unknown;
  readonly atMs: number;
  readonly side: Side;
  /** In lots. */
  readonly volume: number;
  /** What was paid or received for the volume, fees taken off, never negative. */
  readonly worth: Amount;
};

export type RoundTrip = {
  readonly openedMs: number;
  readonly closedMs: number;
  /** The side that opened it. */
  readonly side: Side;
  readonly profit: Amount;
};

export class RoundTrips {
  readonly #onTrip: (trip: RoundTrip) => void;
  readonly #open: { readonly leg: Leg; volume: number; worth: Amount }[] = [];
  /** Of the last two orders that met; they may meet again. */
  #last: (RoundTrip & { readonly opener: unknown; readonly closer: unknown }) | undefined;

  constructor(onTrip: (trip: RoundTrip) => void) {
    this.#onTrip = onTrip;
  }

  /** Adds the next leg in the order of time; legs are matched first in, first out. */
  add(leg: Leg): void {
    let { volume, worth } = leg;
    let met = 0;
    for (const first of this.#open) {
      if (volume === 0 || first.leg.side === leg.side) break;
      const matched = Math.min(volume, first.volume);
      // Shares round towards zero; what is left keeps the rest, so nothing is lost over a leg.
      const paid = (first.worth * BigInt(matched)) / BigInt(first.volume);
      const got = (worth * BigInt(matched)) / BigInt(volume);
      this.#note(first.leg, leg, first.leg.side === 'BID' ? got - paid : paid - got);
      first.volume -= matched;
      first.worth -= paid;
      volume -= matched;
      worth -= got;
      if (first.volume === 0) met++;
    }
    this.#open.splice(0, met);
    if (volume > 0) this.#open.push({ leg, volume, worth });
  }

  /** No leg comes any more. */
  end(): void {
    if (this.#last === undefined) return;
    const { opener: _opener, closer: _closer, ...trip } = this.#last;
    this.#last = undefined;
    this.#onTrip(trip);
  }

  #note({ order: opener, atMs: openedMs, side }: Leg, leg: Leg, profit: Amount): void {
    const { order: closer, atMs: closedMs } = leg;
    const last = this.#last;
    if (last !== undefined && last.opener === opener && last.closer === closer) {
      this.#last = { ...last, closedMs, profit: last.profit + profit };
      return;
    }
    this.end();
    this.#last = { opener, closer, openedMs, closedMs, side, profit };
  }
}
