/** The figures of metrics and plots so far: the last, lowest and highest value of each series. */
import { type SeriesFigures, type SeriesPoint, seriesKeyOf } from '../../domain/strategy-output.ts';

type Changing<Figures> = { -readonly [Key in keyof Figures]: Figures[Key] };

export class SeriesBook {
  readonly #series = new Map<string, Changing<SeriesFigures>>();

  /** Returns the series of the point; it is the same object each time. */
  note(point: SeriesPoint): SeriesFigures {
    const { value, atMs, leftOut } = point;
    const key = seriesKeyOf(point);
    const series = this.#series.get(key);
    if (series === undefined) {
      const { strategyId, kind, name, pair, pane } = point;
      const first = {
        ...{ strategyId, kind, name, pair, pane },
        ...{ last: value, lastMs: atMs, min: value, max: value, count: 1, leftOut },
      };
      this.#series.set(key, first);
      return first;
    }
    series.last = value;
    series.lastMs = atMs;
    if (value < series.min) series.min = value;
    if (value > series.max) series.max = value;
    series.count++;
    series.leftOut = leftOut;
    return series;
  }

  /** In the order of the first values; a copy. */
  get all(): readonly SeriesFigures[] {
    return [...this.#series.values()].map((series) => ({ ...series }));
  }
}
