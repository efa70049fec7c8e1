/**
 * Fills as points of a chart. More fills than points are combined: of each stretch of time and side
 * the fills with the lowest and the highest price stand for all.
 *
 * Invariant: memory depends on the number of points, not on the number of fills.
 */
import { type DrawnFill, markoutsAfterMs } from '../../store/store-history.ts';
import type { FillsAnswer } from '../api/history-answers.ts';

/** Fills of one stretch and side. */
type Group = {
  low: DrawnFill;
  high: DrawnFill;
  count: number;
  volume: number;
  /** By horizon: sum and number of the known ones. */
  readonly markouts: { sum: number; known: number }[];
};

type Point = {
  readonly fill: DrawnFill;
  readonly count: number;
  readonly volume: number;
  readonly markouts: readonly (number | null)[];
};

const groupsPerStretch = 2;
const pointsPerGroup = 2;

export class FillPoints {
  readonly #fromMs: number;
  readonly #widthMs: number;
  readonly #pointsMax: number;
  readonly #groups: (Group | undefined)[];
  /** Every fill, as long as they are not too many. */
  #fills: DrawnFill[] = [];
  #total = 0;

  constructor(
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    pointsMax: number,
  ) {
    const stretches = Math.max(1, Math.floor(pointsMax / groupsPerStretch / pointsPerGroup));
    this.#fromMs = fromMs;
    this.#widthMs = Math.max(1, (toMs - fromMs) / stretches);
    this.#pointsMax = pointsMax;
    this.#groups = Array.from({ length: stretches * groupsPerStretch }, () => undefined);
  }

  add(fill: DrawnFill): void {
    this.#total++;
    if (this.#fills.length <= this.#pointsMax) this.#fills.push(fill);
    const stretch = Math.floor((fill.tradedMs - this.#fromMs) / this.#widthMs);
    const last = this.#groups.length / groupsPerStretch - 1;
    const place = Math.min(Math.max(stretch, 0), last) * groupsPerStretch + (fill.isBid ? 0 : 1);
    const group = this.#groups[place];
    if (group === undefined) this.#groups[place] = groupOf(fill);
    else extend(group, fill);
  }

  read(): Pick<FillsAnswer, 'total' | 'columns'> {
    const points =
      this.#total <= this.#pointsMax
        ? this.#fills.flatMap((fill) => pointsOf(groupOf(fill)))
        : this.#groups.flatMap((group) => (group === undefined ? [] : pointsOf(group)));
    points.sort((a, b) => a.fill.tradedMs - b.fill.tradedMs);
    const markout = (index: number) => points.map(({ markouts }) => markouts[index] ?? null);
    return {
      total: this.#total,
      columns: {
        timesMs: points.map(({ fill }) => fill.tradedMs),
        price: points.map(({ fill }) => fill.price),
        volume: points.map(({ volume }) => volume),
        isBid: points.map(({ fill }) => fill.isBid),
        isMaker: points.map(({ fill }) => fill.isMaker),
        intentId: points.map(({ fill }) => fill.intentId),
        count: points.map(({ count }) => count),
        markout1s: markout(0),
        markout10s: markout(1),
        markout60s: markout(2),
        markout300s: markout(3),
      },
    };
  }
}

function groupOf(fill: DrawnFill): Group {
  const group: Group = {
    ...{ low: fill, high: fill, count: 0, volume: 0 },
    markouts: markoutsAfterMs.map(() => ({ sum: 0, known: 0 })),
  };
  extend(group, fill);
  return group;
}

function extend(group: Group, fill: DrawnFill): void {
  group.count++;
  group.volume += fill.base;
  if (fill.price < group.low.price) group.low = fill;
  if (fill.price > group.high.price) group.high = fill;
  group.markouts.forEach((one, index) => {
    const bps = markoutBps(fill, fill.midsAfter[index]);
    if (bps === undefined) return;
    one.sum += bps;
    one.known++;
  });
}

/** The move of the mid since the fill, in our favour. */
function markoutBps({ mid, isBid }: DrawnFill, after: number | undefined): number | undefined {
  if (mid === undefined || after === undefined) return undefined;
  return ((isBid ? 1 : -1) * (after - mid) * 10_000) / mid;
}

/** The points of a group share its fills and its volume evenly. */
function pointsOf({ low, high, count, volume, markouts }: Group): Point[] {
  const means = markouts.map(({ sum, known }) => (known === 0 ? null : sum / known));
  if (low === high) return [{ fill: low, count, volume, markouts: means }];
  const half = Math.floor(count / 2);
  return [
    { fill: low, count: count - half, volume: volume / 2, markouts: means },
    { fill: high, count: half, volume: volume / 2, markouts: means },
  ];
}
