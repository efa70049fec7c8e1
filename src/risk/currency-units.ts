/**
 * The unit of each currency for fast comparisons: the finest step of volumes (one lot) and of
 * values (one tick × one lot) that any market has in the currency. Order volumes and values are
 * whole numbers of units.
 */
import { amountScale, powerOfTen } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';

export class CurrencyUnits {
  readonly #scales = new Map<string, number>();

  constructor(markets: readonly Market[]) {
    for (const { base, counter, volumeScale, priceScale } of markets) {
      this.#raise(base, volumeScale);
      this.#raise(counter, priceScale + volumeScale);
    }
  }

  /** Returns how many decimals one unit of `currency` has. */
  scaleOf(currency: string): number {
    return this.#scales.get(currency) ?? amountScale;
  }

  /** Returns one unit of `currency` as an amount. */
  amountPerUnit(currency: string): bigint {
    return powerOfTen(amountScale - this.scaleOf(currency));
  }

  /** Returns the units of the base currency in one lot of `market`. */
  unitsPerLot({ base, volumeScale }: Market): number {
    return numberOfTen(this.scaleOf(base) - volumeScale);
  }

  /** Returns the units of the counter currency in one tick × one lot of `market`. */
  unitsPerValue({ counter, priceScale, volumeScale }: Market): number {
    return numberOfTen(this.scaleOf(counter) - priceScale - volumeScale);
  }

  #raise(currency: string, scale: number): void {
    this.#scales.set(currency, Math.max(scale, this.#scales.get(currency) ?? 0));
  }
}

/** Powers of ten as numbers, since computing one for each order takes longer than the rest. */
const powers: readonly number[] = Array.from(
  { length: amountScale + 1 },
  (_, power) => 10 ** power,
);

function numberOfTen(power: number): number {
  return powers[power] ?? 10 ** power;
}
