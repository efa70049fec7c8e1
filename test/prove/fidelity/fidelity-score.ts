/**
 * How well fill models predicted what really happened to shadow orders.
 *
 * A prediction is right if both the model and history filled the order, or neither did. An order
 * that its owner cancelled, or that still rested at the end, is censored: it is known only that it
 * was not filled until then, and only that is compared. Orders far from the touch are easy to
 * predict, because the price never reaches them; so orders whose price was traded are also scored
 * separately.
 */
import type { FillPredictor } from './fill-predictor.ts';
import { lateMicrosMax, type ShadowOrder } from './shadow-order.ts';

/** Distance from the touch when the order arrived, in ticks of the recording. */
export type Distance = 'improved' | 'touch' | 'near' | 'far';

export type ModelScore = {
  /** Share of all orders, 0 to 1. */
  readonly rightOutcome: number;
  /** The same for orders at whose price, or beyond it, something traded while they rested. */
  readonly rightOutcomeReached: number;
  /** Mean and median over the orders that both history and the model filled. */
  readonly fillTimeErrorMs: number;
  readonly fillTimeErrorMsMedian: number;
  /** Mean error of the filled volume over all orders, as a share of the order's volume. */
  readonly filledVolumeError: number;
  readonly rightByDistance: Readonly<Partial<Record<Distance, number>>>;
};

export type FidelityScore<Name extends string> = {
  readonly orders: number;
  readonly filled: number;
  readonly cancelled: number;
  readonly stillOpen: number;
  readonly reached: number;
  readonly ordersByDistance: Readonly<Partial<Record<Distance, number>>>;
  readonly models: Readonly<Record<Name, ModelScore>>;
};

const nearTicksMax = 100;

/** How one model did on one shadow order. */
type Verdict = {
  readonly distance: Distance;
  readonly isReached: boolean;
  readonly isRight: boolean;
  readonly timeErrorMs: number | undefined;
  readonly volumeError: number;
};

/** Collects shadow orders of one or more recordings. */
export class Scoreboard<Name extends string> {
  readonly #names: readonly Name[];
  readonly #verdicts: Record<Name, Verdict[]>;
  readonly #ends = { filled: 0, cancelled: 0, 'still open': 0 };

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#verdicts = Object.fromEntries(
      names.map((name): [Name, Verdict[]] => [name, []]),
    ) as Record<Name, Verdict[]>;
  }

  add(shadow: ShadowOrder<Name>): void {
    const { end } = shadow;
    if (end === undefined) throw new RangeError(`shadow order ${shadow.id} has not ended`);
    this.#ends[end === 'changed' ? 'cancelled' : end]++;
    for (const name of this.#names)
      this.#verdicts[name].push(verdictOf(shadow, shadow.models[name], name));
  }

  /** Adds the orders of another scoreboard. */
  merge(other: Scoreboard<Name>): void {
    // One at a time: a call with more than about a hundred thousand arguments fails.
    for (const name of this.#names)
      for (const verdict of other.#verdicts[name]) this.#verdicts[name].push(verdict);
    for (const end of ['filled', 'cancelled', 'still open'] as const)
      this.#ends[end] += other.#ends[end];
  }

  score(): FidelityScore<Name> {
    const first = this.#verdicts[this.#names[0] as Name];
    return {
      orders: first.length,
      filled: this.#ends.filled,
      cancelled: this.#ends.cancelled,
      stillOpen: this.#ends['still open'],
      reached: first.filter((verdict) => verdict.isReached).length,
      ordersByDistance: byDistance(first, (orders) => orders.length),
      models: Object.fromEntries(
        this.#names.map((name) => [name, scoreOf(this.#verdicts[name])]),
      ) as Record<Name, ModelScore>,
    };
  }
}

function verdictOf(shadow: ShadowOrder, model: FillPredictor, name: string): Verdict {
  const { terms, endMicros = 0 } = shadow;
  const { progress } = model;
  const wasFilled = shadow.end === 'filled';
  const delayMicros = (progress.filledMicros ?? 0) - endMicros;
  const isLate = wasFilled && delayMicros > lateMicrosMax;
  const isFilled = progress.isFull && !isLate;
  if (progress.filled > terms.volume)
    throw new RangeError(`${name} overfills shadow order ${shadow.id}`);
  return {
    distance: distanceOf(shadow.distance),
    isReached: shadow.isReached,
    isRight: isFilled === wasFilled,
    timeErrorMs: isFilled && wasFilled ? Math.abs(delayMicros) / 1000 : undefined,
    volumeError: Math.abs((isLate ? 0 : progress.filled) - shadow.filled) / terms.volume,
  };
}

function distanceOf(ticks: number | undefined): Distance {
  if (ticks === undefined || ticks < 0) return 'improved';
  if (ticks === 0) return 'touch';
  return ticks <= nearTicksMax ? 'near' : 'far';
}

function scoreOf(verdicts: readonly Verdict[]): ModelScore {
  const errors = verdicts
    .map((verdict) => verdict.timeErrorMs)
    .filter((error) => error !== undefined)
    .sort((a, b) => a - b);
  const rightShare = (orders: readonly Verdict[]): number =>
    mean(orders.map((verdict) => +verdict.isRight));
  return {
    rightOutcome: rightShare(verdicts),
    rightOutcomeReached: rightShare(verdicts.filter((verdict) => verdict.isReached)),
    fillTimeErrorMs: mean(errors),
    fillTimeErrorMsMedian: errors[errors.length >> 1] ?? 0,
    filledVolumeError: mean(verdicts.map((verdict) => verdict.volumeError)),
    rightByDistance: byDistance(verdicts, rightShare),
  };
}

function byDistance(
  verdicts: readonly Verdict[],
  figureOf: (orders: readonly Verdict[]) => number,
): Partial<Record<Distance, number>> {
  const figures: Partial<Record<Distance, number>> = {};
  for (const distance of ['improved', 'touch', 'near', 'far'] as const) {
    const orders = verdicts.filter((verdict) => verdict.distance === distance);
    if (orders.length > 0) figures[distance] = figureOf(orders);
  }
  return figures;
}

/** Returns the mean, rounded to a millionth so that it is the same on every machine. */
function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sum = values.reduce((total, value) => total + value, 0);
  return Math.round((sum / values.length) * 1e6) / 1e6;
}
