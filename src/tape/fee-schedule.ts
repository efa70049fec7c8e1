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

/** In units of 10^-feeScale of each currency. */
export type Fee = { readonly feeBase: bigint; readonly feeCounter: bigint };

const rateScale = 12;

export class FeeSchedule {
  readonly #market: Pick<Market, 'priceScale' | 'volumeScale' | 'feeScale'>;
  readonly #maker: bigint;
  readonly #taker: bigint;

  /** Throws RangeError unless the rates are decimals of at most 12 places strictly within ±1. */
  constructor(rates: FeeRates, market: Pick<Market, 'priceScale' | 'volumeScale' | 'feeScale'>) {
    this.#market = market;
    this.#maker = parseRate(rates.maker);
    this.#taker = parseRate(rates.taker);
  }

  /** Returns the fee of one fill. */
  feeOf(
    fill: { readonly side: Side; readonly price: Ticks; readonly volume: Lots },
    isMaker: boolean,
  ): Fee {
    const rate = isMaker ? this.#maker : this.#taker;
    const { priceScale, volumeScale } = this.#market;
    const base = BigInt(fill.volume);
    if (fill.side === 'BID')
      return { feeBase: this.#rounded(base * rate, volumeScale), feeCounter: 0n };
    const value = BigInt(fill.price) * base;
    return { feeBase: 0n, feeCounter: this.#rounded(value * rate, priceScale + volumeScale) };
  }

  /** Brings an amount of `scale + rateScale` decimals to the fee scale. */
  #rounded(product: bigint, scale: number): bigint {
    const excess = scale + rateScale - this.#market.feeScale;
    if (excess <= 0) return product * 10n ** BigInt(-excess);
    const divisor = 10n ** BigInt(excess);
    const half = divisor / 2n;
    return product >= 0n ? (product + half) / divisor : -((half - product) / divisor);
  }
}

function parseRate(text: string): bigint {
  const rate = parseScaled(text, rateScale);
  if (rate === undefined || Math.abs(rate) >= 10 ** rateScale)
    throw new RangeError(`fee rate must be a fraction of at most 12 decimals, was "${text}"`);
  return BigInt(rate);
}
