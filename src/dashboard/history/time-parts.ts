/**
 * Rows of the past in order of time, read part by part, so that a long history holds up neither
 * events nor other requests.
 */
import type { Timers } from '../../runtime/timers.ts';
import type { DrawnFill, DrawnTop, FillPlace, StoreHistory } from '../../store/store-history.ts';

const partMax = 4_000;

export type TimeRange = { readonly pair: string; readonly fromMs: number; readonly toMs: number };

/** Reads the next part; undefined after the last one. */
type Next<Row> = () => readonly Row[] | undefined;

/** Rows that are taken one by one, with the next one in view. */
class TimeParts<Row> {
  readonly #next: Next<Row>;
  readonly #timers: Timers;
  #part: readonly Row[] = [];
  #index = 0;
  #isEnd = false;

  constructor(next: Next<Row>, timers: Timers) {
    this.#next = next;
    this.#timers = timers;
  }

  /** The next row, which stays; undefined if a part must be read first, or after the last one. */
  get first(): Row | undefined {
    return this.#part[this.#index];
  }

  /** Reads on if needed; returns whether there is another row. */
  async fill(): Promise<boolean> {
    while (this.first === undefined && !this.#isEnd) {
      await new Promise<void>((resolve) => this.#timers.soon(resolve));
      const part = this.#next();
      this.#isEnd = part === undefined;
      this.#part = part ?? [];
      this.#index = 0;
    }
    return this.first !== undefined;
  }

  take(): void {
    this.#index++;
  }
}

/** The fills of a range; of one strategy, if it is given. */
export function fillParts(
  history: Pick<StoreHistory, 'placeBefore' | 'fillsAfter'>,
  { pair, fromMs, toMs, strategy }: TimeRange & { readonly strategy: string | undefined },
  timers: Timers,
): TimeParts<DrawnFill> {
  let place: FillPlace | undefined = history.placeBefore(pair, fromMs);
  return new TimeParts(() => {
    if (place === undefined) return undefined;
    const { fills, next } = history.fillsAfter(pair, place, toMs, partMax);
    place = next;
    return strategy === undefined
      ? fills
      : fills.filter(({ strategyId }) => strategyId === strategy);
  }, timers);
}

/** The samples of the best prices of a range. */
export function topParts(
  history: Pick<StoreHistory, 'topsAfter'>,
  { pair, fromMs, toMs }: TimeRange,
  timers: Timers,
): TimeParts<DrawnTop> {
  let afterMs: number | undefined = fromMs - 1;
  return new TimeParts(() => {
    if (afterMs === undefined) return undefined;
    const tops = history.topsAfter(pair, afterMs, toMs, partMax);
    afterMs = tops.length < partMax ? undefined : tops.at(-1)?.atMs;
    return tops;
  }, timers);
}
