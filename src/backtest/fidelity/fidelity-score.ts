/**
 * How well models of fills foretold what really became of ghosts.
 *
 * An order is right if it was filled and the model says so, or was not and the model says so. An
 * order that its owner took back, or that still rested at the end, is censored: all that is known
 * is that it was not filled until then, and only that is compared. Far orders are easy, because the
 * price never comes; the score of those whose price was traded stands beside that of all.
 */
import type { FillPredictor } from './fill-predictor.ts';
import { lateMicrosMax, type ShadowOrder } from './shadow-order.ts';

/** Distance from the touch when the order came, in ticks of the recording. */
export type Distance = 'improved' | 'touch' | 'near' | 'far';

export type ModelScore = {
  /** Share of all orders, 0 to 1. */
  readonly rightOutcome: number;
  /** Share of the orders at whose price, or beyond, something traded while they rested. */
  readonly rightOutcomeReached: number;
  /** Means over the orders that were really filled and that the model filled. */
  readonly fillTimeErrorMs: number;
  readonly fillTimeErrorMsMedian: number;
  /** Mean over all orders of the difference of the filled volume, as a share of the order's. */
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

/** One model's verdict on one ghost. */
type Verdict = {
  readonly distance: Distance;
  readonly isReached: boolean;
  readonly isRight: boolean;
  readonly timeErrorMs: number | undefined;
  readonly volumeError: number;
};

/** Collects ghosts of one or more recordings. */
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
    if (end === undefined) throw new RangeError(`shadow ${shadow.id} has not ended`);
    this.#ends[end === 'changed' ? 'cancelled' : end]++;
    for (const name of this.#names)
      this.#verdicts[name].push(verdictOf(shadow, shadow.models[name], name));
  }

  /** Takes over what another board has. */
  merge(other: Scoreboard<Name>): void {
    // One by one: a call takes about a hundred thousand arguments at most.
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
      reached: first.filter((one) => one.isReached).length,
      ordersByDistance: byDistance(first, (some) => some.length),
      models: Object.fromEntries(
        this.#names.map((name) => [name, scoreOf(this.#verdicts[name])]),
      ) as Record<Name, ModelScore>,
    };
  }
}

function verdictOf(shadow: ShadowOrder, model: FillPredictor, name: string): Verdict {
  const { order, endMicros = 0 } = shadow;
  const { progress } = model;
  const wasFilled = shadow.end === 'filled';
  const delayMicros = (progress.filledMicros ?? 0) - endMicros;
  const isLate = wasFilled && delayMicros > lateMicrosMax;
  const isFilled = progress.isFull && !isLate;
  if (progress.filled > order.volume) throw new RangeError(`${name} overfills shadow ${shadow.id}`);
  return {
    distance: distanceOf(shadow.distance),
    isReached: shadow.isReached,
    isRight: isFilled === wasFilled,
    timeErrorMs: isFilled && wasFilled ? Math.abs(delayMicros) / 1000 : undefined,
    volumeError: Math.abs((isLate ? 0 : progress.filled) - shadow.filled) / order.volume,
  };
}

function distanceOf(ticks: number | undefined): Distance {
  if (ticks === undefined || ticks < 0) return 'improved';
  if (ticks === 0) return 'touch';
  return ticks <= nearTicksMax ? 'near' : 'far';
}

function scoreOf(verdicts: readonly Verdict[]): ModelScore {
  const errors = verdicts
    .map((one) => one.timeErrorMs)
    .filter((error) => error !== undefined)
    .sort((a, b) => a - b);
  const isRight = (some: readonly Verdict[]): number => mean(some.map((one) => +one.isRight));
  return {
    rightOutcome: isRight(verdicts),
    rightOutcomeReached: isRight(verdicts.filter((one) => one.isReached)),
    fillTimeErrorMs: mean(errors),
    fillTimeErrorMsMedian: errors[errors.length >> 1] ?? 0,
    filledVolumeError: mean(verdicts.map((one) => one.volumeError)),
    rightByDistance: byDistance(verdicts, isRight),
  };
}

function byDistance(
  verdicts: readonly Verdict[],
  of: (some: readonly Verdict[]) => number,
): Partial<Record<Distance, number>> {
  const found: Partial<Record<Distance, number>> = {};
  for (const distance of ['improved', 'touch', 'near', 'far'] as const) {
    const some = verdicts.filter((one) => one.distance === distance);
    if (some.length > 0) found[distance] = of(some);
  }
  return found;
}

/** Rounded to a millionth, so that a sum's last bits do not differ between machines. */
function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sum = values.reduce((total, value) => total + value, 0);
  return Math.round((sum / values.length) * 1e6) / 1e6;
}
