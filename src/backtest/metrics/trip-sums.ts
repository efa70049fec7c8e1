/** Totals of round trips, which are not kept themselves. */
import type { Amount } from '../../domain/amount.ts';
import type { RoundTrip } from './round-trips.ts';

export class TripSums {
  count = 0;
  wins = 0;
  gained: Amount = 0n;
  /** The total of all losses, as a positive amount. */
  lost: Amount = 0n;
  best: Amount | undefined;
  worst: Amount | undefined;
  winsInRowMax = 0;
  lossesInRowMax = 0;
  /** The total over all round trips. */
  heldSeconds = 0;
  #winsInRow = 0;
  #lossesInRow = 0;

  add({ profit, openedMs, closedMs }: RoundTrip): void {
    this.count++;
    this.heldSeconds += (closedMs - openedMs) / 1000;
    if (this.best === undefined || profit > this.best) this.best = profit;
    if (this.worst === undefined || profit < this.worst) this.worst = profit;
    this.#winsInRow = profit > 0n ? this.#winsInRow + 1 : 0;
    this.#lossesInRow = profit < 0n ? this.#lossesInRow + 1 : 0;
    this.winsInRowMax = Math.max(this.winsInRowMax, this.#winsInRow);
    this.lossesInRowMax = Math.max(this.lossesInRowMax, this.#lossesInRow);
    if (profit > 0n) {
      this.wins++;
      this.gained += profit;
    } else this.lost -= profit;
  }
}
