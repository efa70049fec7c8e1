/**
 * The exact sum of volumes times half ticks. It is added up as a number and becomes an amount when
 * it is read, because most products are small.
 */
import { type Amount, amountOfScaled } from '../../domain/amount.ts';
import type { Scales } from '../../domain/market.ts';

export class ValueSum {
  readonly #decimals: number;
  /** In lots times half ticks. */
  #small = 0;
  /** What no longer fits, twice. */
  #twice: Amount = 0n;

  constructor({ priceScale, volumeScale }: Scales) {
    this.#decimals = priceScale + volumeScale;
  }

  /** Adds `volume` lots times `half` half ticks. */
  add(half: number, volume: number): void {
    const sum = this.#small + half * volume;
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(half * volume)) {
      this.#small = sum;
      return;
    }
    this.#twice += amountOfScaled(BigInt(half) * BigInt(volume), this.#decimals);
  }

  /** Twice the sum in the counter currency; exact. */
  get twice(): Amount {
    return this.#twice + amountOfScaled(this.#small, this.#decimals);
  }

  /** The sum in the counter currency, rounded towards zero. */
  get amount(): Amount {
    return this.twice / 2n;
  }
}
