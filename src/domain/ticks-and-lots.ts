/**
 * Typed arithmetic on prices in ticks and volumes in lots. A cast would also accept a fraction, or
 * a price instead of a volume.
 */
import type { Lots, Ticks } from './money.ts';

/** A volume of 0. */
export const noLots: Lots = 0 as Lots;

/**
 * Returns `count` as a price in ticks, for a price that was computed from others; throws RangeError
 * unless it is a safe integer.
 */
export function ticksOf(count: number): Ticks {
  if (!Number.isSafeInteger(count))
    throw new RangeError(`ticks must be a whole number, were ${count}`);
  return count as Ticks;
}

/**
 * Returns `count` as a volume in lots, for a volume that was computed from others; throws
 * RangeError unless it is a safe integer.
 */
export function lotsOf(count: number): Lots {
  if (!Number.isSafeInteger(count))
    throw new RangeError(`lots must be a whole number, were ${count}`);
  return count as Lots;
}

/** Returns `a + b`, exact below 2^53. A market's largest volume keeps sums below that. */
export function addLots(a: Lots, b: Lots): Lots {
  return (a + b) as Lots;
}

/** Returns `a - b`, negative if `b` is larger. */
export function subtractLots(a: Lots, b: Lots): Lots {
  return (a - b) as Lots;
}

/** Returns `volume` minus `taken`, at least 0. */
export function lotsLeft(volume: Lots, taken: Lots): Lots {
  return taken < volume ? subtractLots(volume, taken) : noLots;
}

export function minLots(a: Lots, b: Lots): Lots {
  return a < b ? a : b;
}

export function maxLots(a: Lots, b: Lots): Lots {
  return a > b ? a : b;
}

/** Returns `price` moved by `steps` ticks, down if negative; `steps` is whole. */
export function movedBy(price: Ticks, steps: number): Ticks {
  return (price + steps) as Ticks;
}

export function minTicks(a: Ticks, b: Ticks): Ticks {
  return a < b ? a : b;
}

export function maxTicks(a: Ticks, b: Ticks): Ticks {
  return a > b ? a : b;
}
