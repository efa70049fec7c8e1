/** Mean and variance of changes from minute to minute, computed without keeping the minutes. */
import type { Amount } from '../../domain/amount.ts';

export class MinuteSums {
  count = 0;
  /** In units of the counter currency. A float: it is used only in ratios. */
  mean = 0;
  #last: Amount = 0n;
  #squaresAroundMean = 0;
  #squaresOfLosses = 0;

  /** Adds the level at the end of the next minute; before the first minute it was zero. */
  add(level: Amount): void {
    const change = Number(level - this.#last) / 1e18; // not money: used only in ratios
    this.#last = level;
    this.count++;
    // Welford's algorithm: subtracting squares of large sums would lose the significant digits.
    const distance = change - this.mean;
    this.mean += distance / this.count;
    this.#squaresAroundMean += distance * (change - this.mean);
    this.#squaresOfLosses += Math.min(0, change) ** 2;
  }

  /** Mean squared distance from the mean. */
  get variance(): number {
    return this.count === 0 ? 0 : this.#squaresAroundMean / this.count;
  }

  /** Mean square of the negative changes, counting the others as zero. */
  get downside(): number {
    return this.count === 0 ? 0 : this.#squaresOfLosses / this.count;
  }
}
