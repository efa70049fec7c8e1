/**
 * Fee rates: parses those of the settings and formats those of fee_info. A negative rate is a
 * rebate.
 */
import { formatScaled, parseScaled } from '../../../../domain/money.ts';

/** A fraction of the traded value as a decimal string, e.g. "0.0010" for 0.1 %. */
export type FeeRates = { readonly maker: string; readonly taker: string };

const rateScale = 8;

/** Returns a rate in units of 10^-8. Throws RangeError unless it is between -1 and 1, exclusive. */
export function parseFeeRate(text: string): bigint {
  const rate = parseScaled(text, rateScale);
  if (rate === undefined || Math.abs(rate) >= 10 ** rateScale)
    throw new RangeError(
      `fee rate must be between -1 and 1 with at most ${rateScale} decimals, was "${text}"`,
    );
  return BigInt(rate);
}

/** Returns a rate as fee_info writes it, with at least four decimals. */
export function formatFeeRate(text: string): string {
  return formatScaled(parseFeeRate(text), rateScale).replace(/(\.\d{4}\d*?)0+$/u, '$1');
}
