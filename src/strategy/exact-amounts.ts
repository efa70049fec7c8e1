/** Counts of a smallest unit as exact decimals, which are kept: most are asked for again. */
import { Decimal } from '../domain/money.ts';

const keptMax = 1_000;

export class ExactAmounts {
  readonly #unitsPerOne: Decimal;
  readonly #kept = new Map<number, Decimal>();

  /** One is 10^`scale` of the smallest unit. */
  constructor(scale: number) {
    this.#unitsPerOne = new Decimal(10).pow(scale);
  }

  /** Returns `count / 10^scale`; of any number, also one that is no count. */
  of(count: number): Decimal {
    const kept = this.#kept.get(count);
    if (kept !== undefined) return kept;
    const amount = new Decimal(count).div(this.#unitsPerOne);
    if (this.#kept.size >= keptMax) this.#kept.clear();
    this.#kept.set(count, amount);
    return amount;
  }

  /** Returns `price × volume / 10^scale`, also where the product has more than 53 bits. */
  ofProduct(price: number, volume: number): Decimal {
    const product = price * volume;
    if (Number.isSafeInteger(product)) return this.of(product);
    return new Decimal(price).times(volume).div(this.#unitsPerOne);
  }
}
