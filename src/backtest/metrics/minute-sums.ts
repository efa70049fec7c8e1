/** Mean and spread of what changes from minute to minute, without keeping the minutes. */
import type { Amount } from '../../domain/amount.ts';

export class MinuteSums {
  count = 0;
  /** In units of the counter currency; not money: these go into ratios. */
  mean = 0;
  #last: Amount = 0n;
  #squaresAroundMean = 0;
  #squaresOfLosses = 0;

  /** Takes the level at the end of the next minute; before the first it was zero. */
  add(level: Amount): void {
    const change = Number(level - this.#last) / 1e18; // not money: it goes into a ratio
    this.#last = level;
    this.count++;
    // Welford's way: subtracting the squares of large sums would lose the digits that count.
    const distance = change - this.mean;
    this.mean += distance / this.count;
    this.#squaresAroundMean += distance * (change - this.mean);
    this.#squaresOfLosses += Math.min(0, change) ** 2;
  }

  /** Mean square of the distance from the mean. */
  get variance(): number {
    return this.count === 0 ? 0 : this.#squaresAroundMean / this.count;
  }

  /** Mean square of the changes below zero, with zero for the others. */
  get downside(): number {
    return this.count === 0 ? 0 : this.#squaresOfLosses / this.count;
  }
}
