/**
 * Fee rates and the fee of one trade.
 *
 * The fee is taken in the currency that the order receives: a buy pays in base, a sell in counter.
 * It is rounded to the market's fee scale, half away from zero. A negative rate pays the maker.
 */
import { type Amount, amountScale, powerOfTen } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { formatScaled, parseScaled } from '../../domain/money.ts';

/** A fraction of the traded value as a decimal string, e.g. "0.0010" for 0.1 %. */
export type FeeRates = { readonly maker: string; readonly taker: string };

const rateScale = 8;

/** Returns a rate as an integer of 10^-8; throws RangeError unless it lies strictly within ±1. */
export function parseFeeRate(text: string): bigint {
  const rate = parseScaled(text, rateScale);
  if (rate === undefined || Math.abs(rate) >= 10 ** rateScale)
    throw new RangeError(`fee rate must be a fraction of at most 8 decimals, was "${text}"`);
  return BigInt(rate);
}

/** Returns a rate as fee_info writes it. */
export function formatFeeRate(text: string): string {
  return formatScaled(parseFeeRate(text), rateScale).replace(/(\.\d{4}\d*?)0+$/u, '$1');
}

/** Returns the fee on `received` at `rate`, in units of the currency received. */
export function feeOf(received: Amount, rate: bigint, market: Pick<Market, 'feeScale'>): Amount {
  const step = powerOfTen(amountScale - market.feeScale);
  const divisor = powerOfTen(rateScale) * step;
  const product = received * rate;
  const half = divisor / 2n;
  const rounded = product >= 0n ? (product + half) / divisor : -((-product + half) / divisor);
  return rounded * step;
}
