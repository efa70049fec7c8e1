/**
 * Round trips: volume that one order bought and another sold again, or sold and bought back,
 * matched first in, first out, in any number of fills. Profit is exact, after fees, in the counter
 * currency.
 *
 * Invariant: only fills whose volume is still held take memory.
 */
import type { Amount } from '../../domain/amount.ts';
import type { Side } from '../../domain/market.ts';

/** The part of a fill that round trips need. */
export type Leg = {
  readonly order: unknown;
  readonly atMs: number;
  readonly side: Side;
  /** In lots. */
  readonly volume: number;
  /** The amount paid including fees, or received after fees; never negative. */
  readonly worth: Amount;
};

export type RoundTrip = {
  readonly openedMs: number;
  readonly closedMs: number;
  /** The side of the order that opened it. */
  readonly side: Side;
  readonly profit: Amount;
};

/** A round trip that further fills of the same orders may extend. */
type OpenTrip = Pick<RoundTrip, 'openedMs' | 'side'> & {
  readonly opener: unknown;
  readonly closer: unknown;
  closedMs: number;
  profit: Amount;
};

export class RoundTrips {
  readonly #onTrip: (trip: RoundTrip) => void;
  readonly #open: { readonly leg: Leg; volume: number; worth: Amount }[] = [];
  /** The round trip of the last pair of orders, which further fills of the same pair extend. */
  #last: OpenTrip | undefined;

  constructor(onTrip: (trip: RoundTrip) => void) {
    this.#onTrip = onTrip;
  }

  /** Adds the next leg in order of time; legs are matched first in, first out. */
  add(leg: Leg): void {
    let { volume, worth } = leg;
    let closed = 0;
    for (const first of this.#open) {
      if (volume === 0 || first.leg.side === leg.side) break;
      const matched = Math.min(volume, first.volume);
      // Shares are rounded towards zero; the remainder stays with the leg, so no amount is lost.
      const paid = shareOf(first.worth, matched, first.volume);
      const got = shareOf(worth, matched, volume);
      this.#note(first.leg, leg, first.leg.side === 'BID' ? got - paid : paid - got);
      first.volume -= matched;
      first.worth -= paid;
      volume -= matched;
      worth -= got;
      if (first.volume === 0) closed++;
    }
    if (closed > 0) this.#open.splice(0, closed);
    if (volume > 0) this.#open.push({ leg, volume, worth });
  }

  /** Reports the last round trip; no legs follow. */
  end(): void {
    if (this.#last === undefined) return;
    const { openedMs, closedMs, side, profit } = this.#last;
    this.#last = undefined;
    this.#onTrip({ openedMs, closedMs, side, profit });
  }

  #note({ order: opener, atMs: openedMs, side }: Leg, leg: Leg, profit: Amount): void {
    const { order: closer, atMs: closedMs } = leg;
    const last = this.#last;
    if (last !== undefined && last.opener === opener && last.closer === closer) {
      last.closedMs = closedMs;
      last.profit += profit;
      return;
    }
    this.end();
    this.#last = { opener, closer, openedMs, closedMs, side, profit };
  }
}

function shareOf(worth: Amount, part: number, volume: number): Amount {
  return part === volume ? worth : (worth * BigInt(part)) / BigInt(volume);
}
