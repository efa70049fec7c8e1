/**
 * The price is near a recent mid and near the median trade of the last minute, in either direction:
 * an order far away on the passive side is a mistake too. A missing reference refuses the order.
 */
import { formatAmount, powerOfTen } from '../../domain/amount.ts';
import { type Check, type Refuse, textOf } from '../check.ts';
import { type RecentTrades, tradeMedianOf } from '../gate-facts.ts';
import { isSurelyWithinShare, type Share } from '../gate-limits.ts';

/** The greatest age of the newest trade in the median, in milliseconds. */
export const tradeAgeMsMax = 60_000;

export const checkPriceCollar: Check = ({ proposal, pair, pairLimits, passed }, refuse) => {
  const bookAgeMsMax = pairLimits?.bookAgeMsMax;
  const bookAgeMs = pair?.bookAgeMs;
  const isUsable = pair?.bookUsable === true;
  const tellUsable = isUsable ? passed : refuse;
  tellUsable?.('BOOK_UNUSABLE', isUsable ? 'yes' : 'no', 'yes', 'usable book');
  const isFresh =
    bookAgeMs !== undefined && bookAgeMsMax !== undefined && bookAgeMs <= bookAgeMsMax;
  const tellAge = isFresh ? passed : refuse;
  tellAge?.('BOOK_STALE', textOf(bookAgeMs), textOf(bookAgeMsMax), 'ms');
  const tradeAgeMs = pair?.tradeMedianAgeMs;
  const isTradeFresh = tradeAgeMs !== undefined && tradeAgeMs <= tradeAgeMsMax;
  const tellTrade = isTradeFresh ? passed : refuse;
  tellTrade?.('TRADES_STALE', textOf(tradeAgeMs), String(tradeAgeMsMax), 'ms');
  const collar = pairLimits?.collar;
  refuseOutside(refuse, 'COLLAR_MID', proposal.price, pair?.mid2, collar, passed);
  if (passed === undefined && isSurelyNearTrades(proposal.price, pair?.recentTrades, collar))
    return;
  const median = pair && tradeMedianOf(pair);
  // Both references are in half ticks, so that the mid needs no rounding.
  const median2 = median === undefined ? undefined : 2 * median;
  refuseOutside(refuse, 'COLLAR_TRADES', proposal.price, median2, collar, passed);
};

/** A price within the collar of the lowest and the highest trade is within it of all trades. */
function isSurelyNearTrades(
  price: number,
  trades: RecentTrades | undefined,
  collar: Share | undefined,
): boolean {
  if (trades === undefined || collar?.scaled === undefined) return false;
  const { lowest, highest } = trades;
  return isSurelyWithin(price, 2 * lowest, collar) && isSurelyWithin(price, 2 * highest, collar);
}

/** Returns whether a price is certainly within `collar` of a reference; false means unknown. */
export function isSurelyWithin(price: number, reference2: number, collar: Share): boolean {
  return isSurelyWithinShare(Math.abs(2 * price - reference2), reference2, collar);
}

/** Refuses a price unless it is known to be within `collar` of a reference in half ticks. */
export function refuseOutside(
  refuse: Refuse,
  code: string,
  price: number,
  reference2: number | undefined,
  collar: Share | undefined,
  passed?: Refuse,
): void {
  const unit = 'share of reference';
  const known = reference2 !== undefined && Number.isSafeInteger(reference2) && reference2 > 0;
  if (!known || !Number.isSafeInteger(price) || collar?.scaled === undefined) {
    refuse(code, 'missing', collar?.text ?? 'missing', unit);
    return;
  }
  if (passed === undefined && isSurelyWithin(price, reference2, collar)) return;
  const reference = BigInt(reference2);
  const deviation = 2n * BigInt(price) - reference;
  const distance = (deviation < 0n ? -deviation : deviation) * powerOfTen(18);
  const tell = distance <= collar.scaled * reference ? passed : refuse;
  // Rounded up, so that the number shown exceeds the limit whenever the exact one does.
  tell?.(code, formatAmount((distance + reference - 1n) / reference), collar.text, unit);
}
