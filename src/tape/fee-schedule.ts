/**
 * The exact fee of a fill.
 *
 * It is taken in the currency that the order receives: a buy pays in base, a sell in counter,
 * rounded to the market's fee scale, half away from zero. A negative rate pays the trader.
 */
import type { Market, Side } from '../domain/market.ts';
import { type Lots, parseScaled, type Ticks } from '../domain/money.ts';

/** Fractions of the traded amount as decimal strings, for example "0.0010" for 0.1 %. */
export type FeeRates = { readonly maker: string; readonly taker: string };

/** Rates that begin at a date. */
export type DatedRates = FeeRates & { readonly fromMs: number };

/** In units of 10^-feeScale of each currency. */
export type Fee = { readonly feeBase: bigint; readonly feeCounter: bigint };

const rateScale = 12;

export class FeeSchedule {
  readonly #ofBase: Rounding;
  readonly #ofValue: Rounding;
  /** In order of time; the first one also holds before it begins. */
  readonly #periods: readonly {
    readonly fromMicros: number;
    readonly maker: bigint;
    readonly taker: bigint;
  }[];

  /**
   * Throws RangeError unless the rates are decimals of at most 12 places strictly within ±1, and
   * dated ones in order of time.
   */
  constructor(
    rates: FeeRates | readonly DatedRates[],
    market: Pick<Market, 'priceScale' | 'volumeScale' | 'feeScale'>,
  ) {
    const { priceScale, volumeScale, feeScale } = market;
    this.#ofBase = roundingFrom(volumeScale, feeScale);
    this.#ofValue = roundingFrom(priceScale + volumeScale, feeScale);
    const dated = 'maker' in rates ? [{ ...rates, fromMs: 0 }] : rates;
    if (dated.length === 0) throw new RangeError('there must be fee rates');
    this.#periods = dated.map(({ fromMs, maker, taker }, index) => {
      const before = dated[index - 1];
      if (before !== undefined && fromMs <= before.fromMs)
        throw new RangeError(`fee rates must be in order of time, ${fromMs} came late`);
      return { fromMicros: fromMs * 1_000, maker: parseRate(maker), taker: parseRate(taker) };
    });
  }

  /** Returns the fee of one fill. */
  feeOf(
    fill: {
      readonly side: Side;
      readonly price: Ticks;
      readonly volume: Lots;
      readonly atMicros: number;
    },
    isMaker: boolean,
  ): Fee {
    let [period] = this.#periods;
    for (const later of this.#periods) if (later.fromMicros <= fill.atMicros) period = later;
    const rate = (isMaker ? period?.maker : period?.taker) ?? 0n;
    const base = BigInt(fill.volume);
    if (fill.side === 'BID') return { feeBase: rounded(base * rate, this.#ofBase), feeCounter: 0n };
    const value = BigInt(fill.price) * base;
    return { feeBase: 0n, feeCounter: rounded(value * rate, this.#ofValue) };
  }
}

/** How an amount of too many decimals, or too few, is brought to the fee scale. */
type Rounding = { readonly factor: bigint; readonly divisor: bigint; readonly half: bigint };

function roundingFrom(scale: number, feeScale: number): Rounding {
  const excess = scale + rateScale - feeScale;
  const divisor = 10n ** BigInt(Math.max(0, excess));
  return { factor: 10n ** BigInt(Math.max(0, -excess)), divisor, half: divisor / 2n };
}

function rounded(product: bigint, { factor, divisor, half }: Rounding): bigint {
  if (divisor === 1n) return product * factor;
  return product >= 0n ? (product + half) / divisor : -((half - product) / divisor);
}

function parseRate(text: string): bigint {
  const rate = parseScaled(text, rateScale);
  if (rate === undefined || Math.abs(rate) >= 10 ** rateScale)
    throw new RangeError(`fee rate must be a fraction of at most 12 decimals, was "${text}"`);
  return BigInt(rate);
}
