/**
 * The metrics and plots of a run's strategies: figures, and values over time.
 *
 * Invariant: memory is bounded, however long the run is: a series of more than {@link groupsMax}
 * values is thinned, see {@link ExtremeSample}.
 */
import type { SeriesFigures, SeriesPoint } from '../../domain/strategy-output.ts';
import { SeriesBook } from '../../strategy/outputs/series-book.ts';
import { ExtremeSample } from './extreme-sample.ts';

/** Up to as many values all are kept; of more, up to three times as many. */
const groupsMax = 1_024;

export type RunSeriesResult = SeriesFigures & {
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
};

type Kept = { readonly atMs: number; readonly value: number };

export class RunSeries {
  readonly #figures = new SeriesBook();
  readonly #samples = new Map<SeriesFigures, { last: Kept; readonly kept: ExtremeSample<Kept> }>();

  note(point: SeriesPoint): void {
    const series = this.#figures.note(point);
    const { atMs, value } = point;
    const last = { atMs, value };
    let sample = this.#samples.get(series);
    if (sample === undefined) {
      sample = { last, kept: new ExtremeSample<Kept>(groupsMax) };
      this.#samples.set(series, sample);
    }
    sample.last = last;
    sample.kept.add(last, value);
  }

  /** In the order of their first values. */
  get results(): readonly RunSeriesResult[] {
    return [...this.#samples].map(([figures, { kept, last }]) => {
      const items = withLast(kept.items, last);
      return {
        ...figures,
        timesMs: items.map(({ atMs }) => atMs),
        values: items.map(({ value }) => value),
      };
    });
  }
}

/** The last value of a thinned series is where its line ends. */
function withLast(items: readonly Kept[], last: Kept): readonly Kept[] {
  return items.at(-1) === last ? items : [...items, last];
}
