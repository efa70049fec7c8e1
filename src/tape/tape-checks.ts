/** Checks the tape exchange makes on a request before it looks at the book. */
import type { Market } from '../domain/market.ts';
import type { TapeRejection, TapeRequest } from './tape-event.ts';

/** Returns the exchange's code for a request that the market's rules forbid, or undefined. */
export function checkRequest(request: TapeRequest, market: Market): TapeRejection | undefined {
  if (!Number.isSafeInteger(request.price)) return 'ErrInvalidPrice';
  if (request.price < market.priceMin) return 'ErrPriceTooLow';
  if (request.price > market.priceMax) return 'ErrPriceTooHigh';
  if (!Number.isSafeInteger(request.volume) || request.volume <= 0) return 'ErrInvalidVolume';
  if (request.volume < market.volumeMin) return 'ErrVolumeTooLow';
  if (request.volume > market.volumeMax) return 'ErrVolumeTooHigh';
  if (request.postOnly && request.timeInForce !== 'GTC') return 'ErrPostOnlyNotAllowed';
  return undefined;
}
