/** Converts counts of a smallest unit to exact decimals, cached because most are needed again. */
import { amountOfScaled } from '../domain/amount.ts';
import { decimalOfAmount } from '../domain/amount-decimal.ts';
import { Decimal } from '../domain/money.ts';

const keptMax = 1_000;

export class ExactAmounts {
  readonly #scale: number;
  readonly #unitsPerOne: Decimal;
  readonly #kept = new Map<number, Decimal>();

  /** The amount 1 is 10^`scale` smallest units. */
  constructor(scale: number) {
    this.#scale = scale;
    this.#unitsPerOne = new Decimal(10).pow(scale);
  }

  /** Returns `count / 10^scale`; `count` is a safe integer. */
  of(count: number): Decimal {
    const kept = this.#kept.get(count);
    if (kept !== undefined) return kept;
    const amount = decimalOfAmount(amountOfScaled(count, this.#scale));
    if (this.#kept.size >= keptMax) this.#kept.clear();
    this.#kept.set(count, amount);
    return amount;
  }

  /** Returns `price × volume / 10^scale`, exact also beyond 2^53. */
  ofProduct(price: number, volume: number): Decimal {
    const product = price * volume;
    if (Number.isSafeInteger(product)) return this.of(product);
    return new Decimal(price).times(volume).div(this.#unitsPerOne);
  }
}
