/** Fee rates as the settings say them and fee_info writes them. A negative rate pays the maker. */
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
