/** The ranges that a book allows for prices and volumes. */
import { BookError } from './book-error.ts';

// Leaves room for the ladder to add a window to a price without rounding.
const priceLimit = 2 ** 52;

/** Throws {@link BookError} unless the price is an integer within ±2^52. */
export function checkPrice(price: number): void {
  if (!Number.isInteger(price) || Math.abs(price) > priceLimit)
    throw new BookError(
      'PRICE_INVALID',
      `price must be an integer of ticks within ±2^52, was ${price}`,
    );
}

/** Throws {@link BookError} unless the volume is a positive safe integer. */
export function checkVolume(volume: number): void {
  if (!Number.isSafeInteger(volume) || volume <= 0)
    throw new BookError(
      'VOLUME_INVALID',
      `volume must be a positive integer of lots, was ${volume}`,
    );
}
