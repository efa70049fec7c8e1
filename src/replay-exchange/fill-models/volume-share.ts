/** The share of history's volume that our orders may get, in whole lots. */
import type { Lots } from '../../domain/money.ts';
import { lotsOf } from '../../domain/ticks-and-lots.ts';

/** In millionths, above 0 and at most 1,000,000. */
export type VolumeShare = { readonly millionths: number };

/** Returns the share of a volume, rounded down to whole lots. */
export function volumeOfShare(volume: Lots, { millionths }: VolumeShare): Lots {
  const product = volume * millionths;
  if (Number.isSafeInteger(product)) return lotsOf((product - (product % 1_000_000)) / 1_000_000);
  const share = (BigInt(volume) * BigInt(millionths)) / 1_000_000n;
  return lotsOf(Number.parseInt(String(share), 10));
}
