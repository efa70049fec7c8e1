/**
 * The profit of one market at each mid, and its worst drawdown.
 *
 * Between two trades, profit is a constant plus the position times the mid, so it is followed as
 * one number, units of the position times half ticks, and compared with the two at which a new high
 * or a new worst drawdown begins. Amounts are computed only at trades and where they are read.
 *
 * Invariant: the results equal those of exact amounts, each rounded towards zero. A position that
 * is not in whole units, or too large for a number to be exact, is followed in amounts instead.
 */
import { type Amount, amountScale, powerOfTen } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';

/** Half of what is exact, so that the distance between two values is exact, too. */
const valueMax = 2 ** 52;

/** When the profit was highest before the worst drawdown, and lowest in it. */
export type Drawdown = { readonly worst: Amount; readonly peakMs: number; readonly lowMs: number };

type TrackedScales = Pick<Market, 'priceScale' | 'volumeScale' | 'feeScale'>;

export class ProfitTrack {
  /** Half ticks in one unit of the counter currency. */
  readonly #halfTicksPerUnit: bigint;
  /** The amount of one unit of the position: a lot, or less where fees have more decimals. */
  readonly #amountPerUnit: bigint;
  /** The amount of one unit times half a tick; 1 if it is not a whole number. */
  readonly #step: bigint;
  readonly #isStepWhole: boolean;
  readonly #stepNumber: number;
  #base: Amount = 0n;
  #counter: Amount = 0n;
  /** The position; not a number if it is not in whole units. */
  #units = 0.5;
  /** Profit is this plus {@link #value} steps. */
  #origin: Amount = 0n;
  /** Whether the origin is the profit at the last mid, where the value would not be exact. */
  #isAtMid = false;
  // The initial values are not integers, so that V8 stores the fields as mutable doubles.
  #value = 0.5;
  /** At this value or above it, profit is at a new high. */
  #highValue = 0.5;
  /** Below this value, the drawdown is a new worst one. */
  #lowValue = 0.5;
  /** Whether the high, or the worst drawdown, is at that value; else it is the amount below. */
  #isHighNew = false;
  #isLowNew = false;
  #high: Amount = 0n;
  #worst: Amount = 0n;
  /** Whole steps in the worst drawdown. */
  #worstSteps = 0.5;
  #highMs = 0.5;
  #peakMs = 0.5;
  #lowMs = 0.5;
  /** The last amount that was asked for, and its value. */
  #profit: Amount = 0n;
  #profitAt = Number.NaN;
  /** At the end of the last minute: the value, or the profit if the origin has changed since. */
  #minuteValue = 0.5;
  #minuteProfit: Amount = 0n;

  constructor({ priceScale, volumeScale, feeScale }: TrackedScales, startMs: number) {
    this.#halfTicksPerUnit = 2n * powerOfTen(priceScale);
    // A fee in the base currency leaves a position that is not in whole lots.
    const finest = Math.max(volumeScale, feeScale);
    const decimals = priceScale + finest < amountScale ? finest : volumeScale;
    this.#amountPerUnit = powerOfTen(amountScale - decimals);
    const exponent = amountScale - priceScale - decimals;
    this.#isStepWhole = exponent > 0;
    this.#step = this.#isStepWhole ? powerOfTen(exponent) / 2n : 1n;
    this.#stepNumber = Number(this.#step); // not money: used only in ratios
    this.#units = 0;
    this.#value = 0;
    this.#highValue = 0;
    this.#lowValue = 0;
    this.#worstSteps = 0;
    this.#highMs = startMs;
    this.#peakMs = 0;
    this.#lowMs = 0;
    this.#minuteValue = 0;
  }

  /** Profit at the last mid. */
  get profit(): Amount {
    if (this.#profitAt !== this.#value) {
      this.#profit = this.#amountAt(this.#value);
      this.#profitAt = this.#value;
    }
    return this.#profit;
  }

  /** What has been gained in the base currency up to the last call of {@link hold}. */
  get position(): Amount {
    return this.#base;
  }

  get drawdown(): Drawdown {
    this.#settle();
    return { worst: this.#worst, peakMs: this.#peakMs, lowMs: this.#lowMs };
  }

  /** Returns `base` at twice the mid `mid2` in ticks, in the counter currency. */
  worthOf(base: Amount, mid2: number): Amount {
    return base === 0n ? 0n : (base * BigInt(mid2)) / this.#halfTicksPerUnit;
  }

  /** Takes what has been gained in both currencies after a trade; call {@link move} next. */
  hold(gained: { readonly base: Amount; readonly counter: Amount }): void {
    const { base, counter } = gained;
    this.#base = base;
    this.#counter = counter;
    const units = base / this.#amountPerUnit;
    const isWhole = this.#isStepWhole && units * this.#amountPerUnit === base;
    // A count of units, not money in a float.
    this.#units = isWhole ? Number(units) : Number.NaN;
    this.#isAtMid = false;
    this.#rebase(counter);
  }

  /** Notes twice the mid, in ticks, after a trade or when it has changed. */
  move(mid2: number, atMs: number): void {
    let value = this.#units * mid2;
    if (!(Math.abs(value) <= valueMax)) {
      this.#isAtMid = true;
      this.#rebase(this.#counter + this.worthOf(this.#base, mid2));
      value = 0;
    } else if (this.#isAtMid) {
      this.#isAtMid = false;
      this.#rebase(this.#counter);
    }
    this.#value = value;
    if (value >= this.#highValue) {
      if (this.#isLowNew) this.#settle();
      this.#isHighNew = true;
      this.#highValue = value;
      this.#highMs = atMs;
      this.#lowValue = value - this.#worstSteps;
    } else if (value < this.#lowValue) {
      this.#isLowNew = true;
      this.#lowValue = value;
      this.#peakMs = this.#highMs;
      this.#lowMs = atMs;
    }
  }

  /** Returns the change of profit since the last call, in units; a float, only for ratios. */
  takeChange(): number {
    const steps = this.#value - this.#minuteValue;
    this.#minuteValue = this.#value;
    if (!Number.isNaN(steps)) return (steps * this.#stepNumber) / 1e18;
    return Number(this.profit - this.#minuteProfit) / 1e18; // not money: used only in ratios
  }

  /** Changes the amount at which the value is 0. */
  #rebase(origin: Amount): void {
    this.#settle();
    if (!Number.isNaN(this.#minuteValue)) {
      this.#minuteProfit = this.#amountAt(this.#minuteValue);
      this.#minuteValue = Number.NaN;
    }
    this.#origin = origin;
    this.#value = 0;
    this.#profitAt = Number.NaN;
    this.#highValue = stepsUpTo(this.#high - origin, this.#step);
    this.#lowValue = stepsUpTo(this.#high - this.#worst - origin, this.#step);
  }

  /** Turns the values of a new high and a new worst drawdown into amounts. */
  #settle(): void {
    if (this.#isHighNew) this.#high = this.#amountAt(this.#highValue);
    if (this.#isLowNew) {
      this.#worst = this.#high - this.#amountAt(this.#lowValue);
      this.#worstSteps = wholeOf(this.#worst / this.#step);
    }
    this.#isHighNew = false;
    this.#isLowNew = false;
  }

  #amountAt(value: number): Amount {
    return this.#origin + BigInt(value) * this.#step;
  }
}

/** Returns the least number of steps that reach `amount`. */
function stepsUpTo(amount: Amount, step: bigint): number {
  const whole = amount / step;
  return wholeOf(amount > whole * step ? whole + 1n : whole);
}

/** Returns a number of steps; beyond 2^53 it is rounded, and beyond every value in use. */
function wholeOf(steps: bigint): number {
  return Number(steps); // not money: a count
}
