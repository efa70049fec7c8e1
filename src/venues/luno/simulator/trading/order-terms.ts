/**
 * Reads an order's price and volume, and says which of the exchange's codes a failed check has.
 */
import { type Amount, formatWireAmount } from '../../../../domain/amount.ts';
import { type Market, parseLots, parseTicks } from '../../../../domain/market.ts';
import type { Lots, Ticks } from '../../../../domain/money.ts';
import type { LedgerAccount } from '../../../../exchange-accounts/ledger.ts';
import {
  canSpend,
  type FailedCheck,
  failedLimit,
  failedVolume,
} from '../../../../exchange-accounts/order-checks.ts';
import type { ErrorCode } from '../../api/error-codes.ts';
import { type Refusal, refuse } from '../core/refusal.ts';

const refusals: Readonly<Record<FailedCheck, readonly [code: ErrorCode, message: string]>> = {
  'post-only-time-in-force': ['ErrPostOnlyNotAllowed', 'Only GTC orders can be post-only'],
  'price-not-positive': ['ErrInvalidPrice', 'Price must be above zero'],
  'price-below-minimum': ['ErrPriceTooLow', 'Price is below the minimum'],
  'price-above-maximum': ['ErrPriceTooHigh', 'Price is above the maximum'],
  'volume-not-positive': ['ErrInvalidVolume', 'Volume must be above zero'],
  'volume-below-minimum': ['ErrVolumeTooLow', 'Volume is below the minimum'],
  'volume-above-maximum': ['ErrVolumeTooHigh', 'Volume is above the maximum'],
};

/** Returns the refusal of a failed check, if one has failed. */
export function refusalOfCheck(failed: FailedCheck | undefined): Refusal | undefined {
  return failed && refuse(...refusals[failed]);
}

/** Parses a price and a volume; returns a refusal if the market does not allow them. */
export function parseTerms(
  texts: { readonly price: string; readonly volume: string },
  market: Market,
): { readonly kind: 'valid'; readonly price: Ticks; readonly volume: Lots } | Refusal {
  const price = parseTicks(texts.price, market);
  if (price === undefined) return refuseNumber('price', texts.price, market.priceScale);
  const volume = parseLots(texts.volume, market);
  if (volume === undefined) return refuseNumber('volume', texts.volume, market.volumeScale);
  const refusal = refusalOfCheck(failedLimit({ price, volume }, market));
  return refusal ?? { kind: 'valid', price, volume };
}

/** Returns a refusal if the volume is outside the market's limits. */
export function checkVolume(volume: Lots, market: Market): Refusal | undefined {
  return refusalOfCheck(failedVolume(volume, market));
}

/** Returns a refusal if the account cannot spend `needed`. */
export function checkFunds(account: LedgerAccount, needed: Amount): Refusal | undefined {
  if (canSpend(account, needed)) return undefined;
  const text = `${formatWireAmount(needed)} ${account.currency} needed`;
  return refuse('ErrInsufficientBalance', `Insufficient balance: ${text}`);
}

/** Returns the refusal of a number that has too many decimals or exceeds 2^53 steps. */
export function refuseNumber(name: 'price' | 'volume', text: string, scale: number): Refusal {
  const isPrice = name === 'price';
  if (decimalsOf(text) <= scale)
    return refuse(isPrice ? 'ErrPriceTooHigh' : 'ErrVolumeTooHigh', `${name} is above the maximum`);
  return refuse(
    isPrice ? 'ErrPriceDenominationNotAllowed' : 'ErrVolumeDenominationNotAllowed',
    `${name} may have at most ${scale} decimals`,
  );
}

/** Returns the number of decimals of a number's text, without trailing zeros. */
export function decimalsOf(text: string): number {
  return (text.split('.')[1] ?? '').replace(/0+$/u, '').length;
}
