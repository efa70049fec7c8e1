/**
 * What strategies say for people: lines, and values over time. Nothing depends on it, and no order
 * changes because of it.
 */

/** What a line says besides its text; a Decimal has become decimal text. */
export type LineFields = Readonly<Record<string, string | number | boolean>>;

/** A series of values that a strategy gives out: a metric, or a plot on the chart of a pair. */
export type SeriesName = {
  readonly strategyId: string;
  readonly kind: 'metric' | 'plot';
  readonly name: string;
  /** The pair on whose chart a plot is drawn; null for a metric. */
  readonly pair: string | null;
  /** The title of the pane of a plot; null for a plot over the prices, and for a metric. */
  readonly pane: string | null;
};

/** One value of a series. Over prices it is a price in the counter currency, not in ticks. */
export type SeriesPoint = SeriesName & {
  readonly atMs: number;
  /** Finite. Not money: a figure to look at. */
  readonly value: number;
  /** How many values of the series were left out before it, because they came too fast. */
  readonly leftOut: number;
};

/** A series so far. */
export type SeriesFigures = SeriesName & {
  readonly last: number;
  /** When the last value was given. */
  readonly lastMs: number;
  readonly min: number;
  readonly max: number;
  /** The number of values, without those that were left out because they came too fast. */
  readonly count: number;
  readonly leftOut: number;
};

/** Returns a text that no other series has; no name has a line break. */
export function seriesKeyOf({ strategyId, kind, name, pair, pane }: SeriesName): string {
  return `${strategyId}\n${kind}\n${pair ?? ''}\n${pane ?? ''}\n${name}`;
}
