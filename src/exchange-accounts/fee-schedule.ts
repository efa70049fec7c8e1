/**
 * The exact fee of a fill.
 *
 * It is charged in the currency that the order receives: base for a buy, counter for a sale. It is
 * rounded to the market's fee scale, half away from zero. A negative rate is a rebate.
 */
import type { Market, Side } from '../domain/market.ts';
import { type Lots, parseScaled, type Ticks } from '../domain/money.ts';
import { feeDecimalsMax } from '../domain/unit-text.ts';

/** Fractions of the traded amount as decimal strings, for example "0.0010" for 0.1 %. */
export type FeeRates = { readonly maker: string; readonly taker: string };

/** Rates that apply from a date on. */
export type DatedRates = FeeRates & { readonly fromMs: number };

/** In units of 10^-feeScale of each currency. Only one of the two is not zero. */
export type Fee = { readonly feeBase: bigint; readonly feeCounter: bigint };

/** Returns the rates at a time: the last that have begun. `rates` are in order of time. */
export function ratesAt(rates: readonly DatedRates[], atMs: number): DatedRates {
  const found = rates.findLast(({ fromMs }) => fromMs <= atMs) ?? rates[0];
  if (found === undefined) throw new RangeError('there must be fee rates');
  return found;
}

type Period = {
  readonly fromMicros: number;
  readonly maker: { readonly ofBase: FeeRate; readonly ofValue: FeeRate };
  readonly taker: { readonly ofBase: FeeRate; readonly ofValue: FeeRate };
};

export class FeeSchedule {
  /** In order of time; the first also applies before its date. */
  readonly #periods: readonly Period[];

  /**
   * Throws RangeError unless the rates are decimals of at most 12 places strictly within ±1, and
   * dated rates are in order of time.
   */
  constructor(
    rates: FeeRates | readonly DatedRates[],
    market: Pick<Market, 'priceScale' | 'volumeScale' | 'feeScale'>,
  ) {
    const { priceScale, volumeScale, feeScale } = market;
    const dated = 'maker' in rates ? [{ ...rates, fromMs: 0 }] : rates;
    if (dated.length === 0) throw new RangeError('there must be fee rates');
    const rateOf = (text: string) => ({
      ofBase: new FeeRate(text, volumeScale - feeScale),
      ofValue: new FeeRate(text, priceScale + volumeScale - feeScale),
    });
    this.#periods = dated.map(({ fromMs, maker, taker }, index) => {
      const before = dated[index - 1];
      if (before !== undefined && fromMs <= before.fromMs)
        throw new RangeError(
          `fee rates must be in order of time, but ${fromMs} follows ${before.fromMs}`,
        );
      return { fromMicros: fromMs * 1_000, maker: rateOf(maker), taker: rateOf(taker) };
    });
  }

  feeOf(
    fill: {
      readonly side: Side;
      readonly price: Ticks;
      readonly volume: Lots;
      readonly atMicros: number;
    },
    isMaker: boolean,
  ): Fee {
    const { price, volume } = fill;
    const period = this.#periodAt(fill.atMicros);
    const rate = isMaker ? period.maker : period.taker;
    return fill.side === 'BID'
      ? { feeBase: rate.ofBase.feeOf(1, volume), feeCounter: 0n }
      : { feeBase: 0n, feeCounter: rate.ofValue.feeOf(price, volume) };
  }

  #periodAt(atMicros: number): Period {
    const periods = this.#periods;
    let index = periods.length - 1;
    while (index > 0 && (periods[index] as Period).fromMicros > atMicros) index--;
    return periods[index] as Period;
  }
}

/** Returns the exact product of two integers. */
export function productOf(price: number, volume: number): bigint {
  const product = price * volume;
  return Number.isSafeInteger(product) ? BigInt(product) : BigInt(price) * BigInt(volume);
}

/** Up to this size, a quotient of integers as a float never rounds up to the next integer. */
const floorable = 2 ** 52;

/** Computes fees in the smallest units of a currency's fees. */
class FeeRate {
  /** The fee is `(amount × factor + half) ÷ divisor`, rounded down, and has the sign of the rate. */
  readonly #factor: bigint;
  readonly #divisor: bigint;
  readonly #half: bigint;
  readonly #isNegative: boolean;
  // The same as floats, for amounts that are small enough to be exact: ten times as fast.
  readonly #smallFactor: number;
  readonly #smallDivisor: number;
  readonly #smallHalf: number;

  /** `excess`: how many more decimals the amount has than the fee. */
  constructor(text: string, excess: number) {
    const rate = parseRate(text);
    const decimals = BigInt(excess + feeDecimalsMax);
    const size = rate < 0n ? -rate : rate;
    // Both are doubled, so that half of the divisor is an integer.
    const factor = 2n * size * 10n ** (decimals < 0n ? -decimals : 0n);
    const divisor = 2n * 10n ** (decimals > 0n ? decimals : 0n);
    const common = greatestCommonDivisor(factor, divisor / 2n);
    this.#isNegative = rate < 0n;
    this.#factor = factor / common;
    this.#divisor = divisor / common;
    this.#half = this.#divisor / 2n;
    this.#smallFactor = Number(this.#factor); // not money: a ratio, like the next two
    this.#smallDivisor = Number(this.#divisor); // not money
    this.#smallHalf = Number(this.#half); // not money
  }

  /** Returns the fee for `price × volume`, both positive integers. */
  feeOf(price: number, volume: number): bigint {
    const dividend = price * volume * this.#smallFactor + this.#smallHalf;
    const fee =
      dividend <= floorable && this.#smallDivisor <= floorable
        ? BigInt(Math.floor(dividend / this.#smallDivisor))
        : (productOf(price, volume) * this.#factor + this.#half) / this.#divisor;
    return this.#isNegative ? -fee : fee;
  }
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestCommonDivisor(other, one % other);
}

function parseRate(text: string): bigint {
  const rate = parseScaled(text, feeDecimalsMax);
  if (rate === undefined || Math.abs(rate) >= 10 ** feeDecimalsMax)
    throw new RangeError(
      `fee rate must be a fraction of at most ${feeDecimalsMax} decimals, was "${text}"`,
    );
  return BigInt(rate);
}
