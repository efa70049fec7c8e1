/** Checks an order's price and volume against a market's rules: decimals, zero, limits. */
import type { TimeInForce } from '../domain/bot-settings.ts';
import { type Market, parseLots, parseTicks } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { type AccountRefusal, refused } from './account-refusal.ts';

const messages = {
  ErrInvalidPrice: 'Price must be above zero',
  ErrInvalidVolume: 'Volume must be above zero',
  ErrPriceTooLow: 'Price is below the minimum',
  ErrPriceTooHigh: 'Price is above the maximum',
  ErrVolumeTooLow: 'Volume is below the minimum',
  ErrVolumeTooHigh: 'Volume is above the maximum',
} as const;

type TermsCode = keyof typeof messages;

type Priced = { readonly price: Ticks; readonly volume: Lots };

/** Parses a price and a volume; returns a refusal if the market does not allow them. */
export function parseTerms(
  texts: { readonly price: string; readonly volume: string },
  market: Market,
): ({ readonly kind: 'valid' } & Priced) | AccountRefusal {
  const price = parseTicks(texts.price, market);
  if (price === undefined) return refuseNumber('price', texts.price, market.priceScale);
  const volume = parseLots(texts.volume, market);
  if (volume === undefined) return refuseNumber('volume', texts.volume, market.volumeScale);
  const code = limitsCodeOf({ price, volume }, market);
  return code === undefined ? { kind: 'valid', price, volume } : refused(code, messages[code]);
}

/** Returns the error code of the first violated rule, or undefined. */
export function checkTerms(
  terms: Priced & { readonly timeInForce: TimeInForce; readonly postOnly: boolean },
  market: Market,
): TermsCode | 'ErrPostOnlyNotAllowed' | undefined {
  if (terms.postOnly && terms.timeInForce !== 'GTC') return 'ErrPostOnlyNotAllowed';
  return limitsCodeOf(terms, market);
}

function limitsCodeOf({ price, volume }: Priced, market: Market): TermsCode | undefined {
  if (!Number.isSafeInteger(price) || price === 0) return 'ErrInvalidPrice';
  if (!Number.isSafeInteger(volume) || volume <= 0) return 'ErrInvalidVolume';
  if (price < market.priceMin) return 'ErrPriceTooLow';
  if (price > market.priceMax) return 'ErrPriceTooHigh';
  return volumeCodeOf(volume, market);
}

function volumeCodeOf(volume: Lots, market: Market) {
  if (volume < market.volumeMin) return 'ErrVolumeTooLow';
  return volume > market.volumeMax ? 'ErrVolumeTooHigh' : undefined;
}

/** Returns a refusal if the volume is outside the market's limits. */
export function checkVolume(volume: Lots, market: Market): AccountRefusal | undefined {
  const code = volumeCodeOf(volume, market);
  return code && refused(code, messages[code]);
}

/** Returns the refusal of a number that has too many decimals or exceeds 2^53 steps. */
export function refuseNumber(
  name: 'price' | 'volume',
  text: string,
  scale: number,
): AccountRefusal {
  const isPrice = name === 'price';
  if (decimalsOf(text) <= scale)
    return refused(
      isPrice ? 'ErrPriceTooHigh' : 'ErrVolumeTooHigh',
      `${name} is above the maximum`,
    );
  return refused(
    isPrice ? 'ErrPriceDenominationNotAllowed' : 'ErrVolumeDenominationNotAllowed',
    `${name} may have at most ${scale} decimals`,
  );
}

/** Returns the number of decimals of a number's text, without trailing zeros. */
export function decimalsOf(text: string): number {
  return (text.split('.')[1] ?? '').replace(/0+$/u, '').length;
}
