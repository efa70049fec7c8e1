/** The ranges that a book allows for prices, volumes and slots, and what it refuses. */
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

// 2 GiB of orders. It also keeps an order's index in the ints within 32 bits.
export const slotLimit = 2 ** 26;

// The errors have functions of their own, so that the book's short methods can be inlined.

export function refuseSlot(slot: number): never {
  if (!Number.isInteger(slot) || slot <= 0 || slot >= slotLimit)
    throw new BookError('UNKNOWN_ORDER', `slot must be 1 to ${slotLimit - 1}, was ${slot}`);
  throw new BookError('DUPLICATE_ORDER', `slot must be free, ${slot} holds an order`);
}

export function refuseFree(slot: number): never {
  throw new BookError('UNKNOWN_ORDER', `slot must hold an order, was ${slot}`);
}

export function refuseVolume(volume: number, most: number): never {
  throw new BookError(
    'VOLUME_EXCEEDS_ORDER',
    `volume must be at most the order's ${most} lots, was ${volume}`,
  );
}

export function refuseTotal(price: number): never {
  throw new BookError('VOLUME_OVERFLOW', `volume at ${price} ticks must stay below 2^53 lots`);
}
