/** The figures of metrics and plots so far: the last, lowest and highest value of each series. */
import { type SeriesName, type SeriesPoint, seriesKeyOf } from '../../domain/strategy-output.ts';

export type SeriesFigures = SeriesName & {
  readonly last: number;
  /** When the last value was given. */
  readonly lastMs: number;
  readonly min: number;
  readonly max: number;
  /** The number of values, without those that were left out. */
  readonly count: number;
  readonly leftOut: number;
};

export class SeriesBook {
  readonly #series = new Map<string, SeriesFigures>();

  note({ value, atMs, leftOut, ...name }: SeriesPoint): void {
    const key = seriesKeyOf(name);
    const before = this.#series.get(key);
    this.#series.set(key, {
      ...name,
      last: value,
      lastMs: atMs,
      min: Math.min(before?.min ?? value, value),
      max: Math.max(before?.max ?? value, value),
      count: (before?.count ?? 0) + 1,
      leftOut,
    });
  }

  /** In the order of the first values. */
  get all(): readonly SeriesFigures[] {
    return [...this.#series.values()];
  }
}
