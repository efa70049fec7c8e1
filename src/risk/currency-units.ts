/**
 * The unit in which amounts of each currency are counted where speed matters: the finest of the
 * lots and of the products of ticks and lots that the markets have in it. Order volumes and values
 * are whole numbers of it.
 */
import type { Market } from '../domain/market.ts';
import { powerOfTen } from './amount.ts';

/** The finest scale there is: that of atoms. */
const atomScale = 18;

export class CurrencyUnits {
  readonly #scales = new Map<string, number>();

  constructor(markets: readonly Market[]) {
    for (const { base, counter, volumeScale, priceScale } of markets) {
      this.#raise(base, volumeScale);
      this.#raise(counter, priceScale + volumeScale);
    }
  }

  /** Atoms in a unit of `currency`. */
  atomsPerUnit(currency: string): bigint {
    return powerOfTen(atomScale - this.#scaleOf(currency));
  }

  /** Units of the base currency in a lot of `market`. */
  unitsPerLot({ base, volumeScale }: Market): number {
    return 10 ** (this.#scaleOf(base) - volumeScale);
  }

  /** Units of the counter currency in a product of one tick and one lot of `market`. */
  unitsPerValue({ counter, priceScale, volumeScale }: Market): number {
    return 10 ** (this.#scaleOf(counter) - priceScale - volumeScale);
  }

  #scaleOf(currency: string): number {
    return this.#scales.get(currency) ?? atomScale;
  }

  #raise(currency: string, scale: number): void {
    this.#scales.set(currency, Math.max(scale, this.#scales.get(currency) ?? 0));
  }
}
