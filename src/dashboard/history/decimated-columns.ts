/**
 * Columns over time, decimated while they are made: of each stretch of time and column the lowest
 * and the highest value are kept, in the order in which they came.
 *
 * The last point has the newest value of each column.
 *
 * Invariant: memory depends on the number of points, not on the number of values; a stretch with at
 * most two values keeps both exactly.
 */

export type Values = readonly (number | undefined)[];

/** A column of one stretch: its extremes, and which came first. */
type Extremes = { low: number; high: number; isLowFirst: boolean };

type Stretch = {
  firstMs: number;
  lastMs: number;
  readonly columns: (Extremes | undefined)[];
};

export class DecimatedColumns {
  readonly #fromMs: number;
  readonly #widthMs: number;
  readonly #stretches: (Stretch | undefined)[];
  /** The newest value of each column, and its time. */
  readonly #last: { readonly atMs: number; readonly value: number }[] = [];

  /** Each stretch gives up to two points. */
  constructor(fromMs: number, toMs: number, points: number) {
    const count = Math.max(1, Math.floor(points / 2));
    this.#fromMs = fromMs;
    this.#widthMs = Math.max(1, (toMs - fromMs) / count);
    this.#stretches = Array.from({ length: count }, () => undefined);
  }

  /** Adds the values of the columns at `atMs`; undefined where a column has none. */
  add(atMs: number, values: Values): void {
    const place = Math.floor((atMs - this.#fromMs) / this.#widthMs);
    const index = Math.min(Math.max(place, 0), this.#stretches.length - 1);
    let stretch = this.#stretches[index];
    if (stretch === undefined) {
      stretch = { firstMs: atMs, lastMs: atMs, columns: [] };
      this.#stretches[index] = stretch;
    }
    stretch.firstMs = Math.min(stretch.firstMs, atMs);
    stretch.lastMs = Math.max(stretch.lastMs, atMs);
    const { columns } = stretch;
    values.forEach((value, column) => {
      if (value === undefined || !Number.isFinite(value)) return;
      columns[column] = extended(columns[column], value);
      if (atMs >= (this.#last[column]?.atMs ?? 0)) this.#last[column] = { atMs, value };
    });
  }

  /** Returns the times, and `count` columns of as many values. */
  read(count: number): {
    readonly timesMs: number[];
    readonly columns: (number | null)[][];
  } {
    const timesMs: number[] = [];
    const columns: (number | null)[][] = Array.from({ length: count }, () => []);
    for (const stretch of this.#stretches) {
      if (stretch === undefined) continue;
      const { firstMs, lastMs } = stretch;
      const isOne = firstMs === lastMs;
      timesMs.push(firstMs);
      if (!isOne) timesMs.push(lastMs);
      columns.forEach((column, index) => {
        const found = stretch.columns[index];
        const [first, last] = inOrder(found);
        column.push(isOne ? last : first);
        if (!isOne) column.push(last);
      });
    }
    // A chart ends with what is true at its end, whatever the extremes before were.
    const endMs = timesMs.at(-1);
    const ends = columns.map((_, index) => this.#last[index]?.value ?? null);
    if (endMs !== undefined && columns.some((column, index) => column.at(-1) !== ends[index])) {
      timesMs.push(endMs);
      for (const [index, column] of columns.entries()) column.push(ends[index] ?? null);
    }
    return { timesMs, columns };
  }
}

function extended(known: Extremes | undefined, value: number): Extremes {
  if (known === undefined) return { low: value, high: value, isLowFirst: true };
  if (value < known.low) {
    known.low = value;
    known.isLowFirst = false;
  } else if (value > known.high) {
    known.high = value;
    known.isLowFirst = true;
  }
  return known;
}

function inOrder(found: Extremes | undefined): readonly [number | null, number | null] {
  if (found === undefined) return [null, null];
  const { low, high, isLowFirst } = found;
  return isLowFirst ? [low, high] : [high, low];
}
