/**
 * Round trips: what was bought and sold again, or sold and bought back, oldest first. Profit is
 * after fees, exact, in atoms of the counter currency.
 */
import type { Side } from '../../domain/market.ts';
import type { Atoms } from '../../tape/atoms.ts';

/** A fill as far as round trips care. */
export type Leg = {
  readonly atMs: number;
  readonly side: Side;
  /** In lots. */
  readonly volume: number;
  /** What was paid or received for the volume, fees taken off, never negative. */
  readonly worth: Atoms;
};

export type RoundTrip = {
  readonly openedMs: number;
  readonly closedMs: number;
  /** The side that opened it. */
  readonly side: Side;
  readonly profit: Atoms;
};

/** Matches legs in the order of time, first in first out. */
export function roundTripsOf(legs: readonly Leg[]): readonly RoundTrip[] {
  const trips: RoundTrip[] = [];
  const open: { leg: Leg; volume: number; worth: Atoms }[] = [];
  for (const leg of legs) {
    let volume = leg.volume;
    let worth = leg.worth;
    while (volume > 0) {
      const first = open[0];
      if (first === undefined || first.leg.side === leg.side) {
        open.push({ leg, volume, worth });
        break;
      }
      const matched = Math.min(volume, first.volume);
      // Shares round towards zero; what is left keeps the rest, so nothing is lost over a leg.
      const paid = (first.worth * BigInt(matched)) / BigInt(first.volume);
      const got = (worth * BigInt(matched)) / BigInt(volume);
      trips.push({
        openedMs: first.leg.atMs,
        closedMs: leg.atMs,
        side: first.leg.side,
        profit: first.leg.side === 'BID' ? got - paid : paid - got,
      });
      first.volume -= matched;
      first.worth -= paid;
      volume -= matched;
      worth -= got;
      if (first.volume === 0) open.shift();
    }
  }
  return trips;
}
