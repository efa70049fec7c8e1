/** The figures of metrics and plots so far: the last, lowest and highest value of each series. */
import { type SeriesFigures, type SeriesPoint, seriesKeyOf } from '../../domain/strategy-output.ts';

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
