/**
 * The unit in which amounts of each currency are counted where speed matters: the finest of the
 * lots and of the products of ticks and lots that the markets have in it. Order volumes and values
 * are whole numbers of it.
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

  /** The amount in a unit of `currency`. */
  amountPerUnit(currency: string): bigint {
    return powerOfTen(amountScale - this.#scaleOf(currency));
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
    return this.#scales.get(currency) ?? amountScale;
  }

  #raise(currency: string, scale: number): void {
    this.#scales.set(currency, Math.max(scale, this.#scales.get(currency) ?? 0));
  }
}
