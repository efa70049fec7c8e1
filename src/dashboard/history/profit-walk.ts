/**
 * Position and profit along the fills of a pair, as numbers that are only drawn; the exact figures
 * are the engine's.
 */
import type { DrawnFill } from '../../store/store-history.ts';

export type DrawnProfit = {
  readonly position: number;
  readonly profit: number | undefined;
  readonly spread: number;
  readonly fees: number;
  readonly inventory: number | undefined;
};

export class ProfitWalk {
  #position = 0;
  #counter = 0;
  #fees = 0;
  /** Of the fills whose mid is known; the distance of the others is in the inventory. */
  #spread = 0;

  add(fill: DrawnFill): void {
    const { mid, isBid, price, base, counter, feeBase, feeCounter } = fill;
    const sign = isBid ? 1 : -1;
    this.#position += sign * base - feeBase;
    this.#counter -= sign * counter + feeCounter;
    this.#fees += feeCounter + feeBase * price;
    if (mid !== undefined) this.#spread += sign * (mid - price) * base;
  }

  /** Returns the figures with the position valued at `mid`. */
  at(mid: number | undefined): DrawnProfit {
    const [position, fees, spread] = [this.#position, this.#fees, this.#spread];
    if (mid === undefined) {
      const profit = position === 0 ? this.#counter : undefined;
      return { position, profit, spread, fees, inventory: undefined };
    }
    const profit = this.#counter + position * mid;
    return { position, profit, spread, fees, inventory: profit + fees - spread };
  }
}
