/**
 * The metrics and plots of strategies since the start of the run, for the status: figures, and the
 * newest values, thinned.
 *
 * Invariant: memory and status are bounded: of a series at most {@link keptMax} values are kept,
 * and of all series together at most {@link keptOfAllMax} are shown.
 */
import type { SeriesState } from '../../domain/bot-status.ts';
import { type SeriesPoint, seriesKeyOf } from '../../domain/strategy-output.ts';
import { SeriesBook } from '../../strategy/outputs/series-book.ts';

const keptMax = 120;
const keptOfAllMax = 1_200;
/** At most one value is kept of as long a time, the newest of it. */
const everyMs = 10_000;

type Kept = { readonly atMs: number; readonly value: number };

export class SeriesHistory {
  readonly #figures = new SeriesBook();
  readonly #recent = new Map<string, Kept[]>();

  note(point: SeriesPoint): void {
    this.#figures.note(point);
    const key = seriesKeyOf(point);
    const recent = this.#recent.get(key) ?? [];
    this.#recent.set(key, recent);
    const { atMs, value } = point;
    const [before, last] = recent.slice(-2);
    // The last value is always there, and is given up for the next one if it came too soon.
    if (before !== undefined && last !== undefined && last.atMs - before.atMs < everyMs)
      recent.pop();
    recent.push({ atMs, value });
    if (recent.length > keptMax) recent.shift();
  }

  get states(): readonly SeriesState[] {
    const { all } = this.#figures;
    const shown = Math.min(keptMax, Math.floor(keptOfAllMax / Math.max(1, all.length)));
    return all.map((figures) => {
      const recent = (this.#recent.get(seriesKeyOf(figures)) ?? []).slice(-shown);
      return {
        ...figures,
        timesMs: recent.map(({ atMs }) => atMs),
        values: recent.map(({ value }) => value),
      };
    });
  }
}
