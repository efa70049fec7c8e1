/** Mean and variance of changes from minute to minute, computed without keeping the minutes. */
export class MinuteSums {
  count = 0;
  /** In units of the counter currency. A float: it is used only in ratios. */
  mean = 0;
  #squaresAroundMean = 0;
  #squaresOfLosses = 0;

  /** Adds the change of a minute, in units of the counter currency. */
  add(change: number): void {
    this.count++;
    // Welford's algorithm: subtracting squares of large sums would lose the significant digits.
    const distance = change - this.mean;
    this.mean += distance / this.count;
    this.#squaresAroundMean += distance * (change - this.mean);
    if (change < 0) this.#squaresOfLosses += change * change;
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
