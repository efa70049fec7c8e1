/** The stated share of history's volume that orders of ours may have, in whole lots. */
import { InvariantError } from '../../domain/errors.ts';
import type { Lots } from '../../domain/money.ts';

/** In millionths, above 0 and at most 1,000,000. */
export type VolumeShare = { readonly millionths: number };

/** Returns the share of a volume, rounded down. */
export function volumeOfShare(volume: Lots, { millionths }: VolumeShare): Lots {
  const product = volume * millionths;
  if (Number.isSafeInteger(product)) return ((product - (product % 1_000_000)) / 1_000_000) as Lots;
  return Number.parseInt(String((BigInt(volume) * BigInt(millionths)) / 1_000_000n), 10) as Lots;
}

/** Throws: rows that name orders belong to the tape exchange. */
export function refuseRows(): never {
  throw new InvariantError('a model of trades or candles takes no rows of orders with ids');
}
