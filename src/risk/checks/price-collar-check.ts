/**
 * The price is near a recent mid and near the median trade of the last minute, in either direction:
 * an order far away on the passive side is a mistake too. A missing reference refuses the order,
 * but the profile of an exchange may say that no trade is needed.
 * A stop-limit order trades when the last trade is at its stop price, so its limit price has to be
 * near that. A market order has no price: the worst at which it would trade in the present book
 * counts.
 */
import type { ExchangeProfile } from '../../domain/exchange-profile.ts';
import type { Ticks } from '../../domain/money.ts';
import { type Check, type CheckInput, textOf } from '../check.ts';
import { distance2Of } from '../collar-budget.ts';
import { tradeMedianOf } from '../gate-facts.ts';
import type { Proposal } from '../proposal.ts';
import { isWithinShare, type Share, shareText } from '../share.ts';
import { sweepOf } from '../sweep.ts';

const unit = 'share of reference';

export const checkPriceCollar: Check = (input, refuse) => {
  const { proposal, facts, pair, pairLimits, passed } = input;
  const bookAgeMsMax = pairLimits?.bookAgeMsMax;
  const bookAgeMs = pair?.bookAgeMs;
  const isUsable = pair?.bookUsable === true;
  const tellUsable = isUsable ? passed : refuse;
  tellUsable?.('BOOK_UNUSABLE', isUsable ? 'yes' : 'no', 'yes', 'usable book');
  const isFresh =
    bookAgeMs !== undefined && bookAgeMsMax !== undefined && bookAgeMs <= bookAgeMsMax;
  const tellAge = isFresh ? passed : refuse;
  tellAge?.('BOOK_STALE', textOf(bookAgeMs), textOf(bookAgeMsMax), 'ms');
  const { tradeAgeMsMax } = facts.exchange.checks;
  const tradeAgeMs = pair?.tradeMedianAgeMs;
  const isTradeFresh = isRecent(tradeAgeMs, tradeAgeMsMax);
  const tellTrade = isTradeFresh ? passed : refuse;
  tellTrade?.('TRADES_STALE', textOf(tradeAgeMs), String(tradeAgeMsMax), 'ms');
  const { stop } = proposal;
  const price = proposal.pays === undefined ? proposal.price : reachedBy(proposal, pair);
  const collar = pairLimits?.collar;
  if (stop !== undefined) {
    const stop2 = twice(stop.price);
    const tell = isNear(price, stop2, collar) ? passed : refuse;
    tell?.('COLLAR_STOP', distanceText(price, stop2, collar), collar?.text ?? 'missing', unit);
    return;
  }
  const tellMid = isNear(price, pair?.mid2, collar) ? passed : refuse;
  const limit = collar?.text ?? 'missing';
  tellMid?.('COLLAR_MID', distanceText(price, pair?.mid2, collar), limit, unit);
  const { lowest, highest } = pair?.recentTrades ?? {};
  // A price near the lowest and the highest trade is near all of them: the median is not needed.
  const isNearAll = isNear(price, twice(lowest), collar) && isNear(price, twice(highest), collar);
  if (isNearAll && passed === undefined) return;
  const median2 = pair && twice(tradeMedianOf(pair));
  if (tradeAgeMsMax === 'never' && median2 === undefined) return;
  const tellTrades = isNear(price, median2, collar) ? passed : refuse;
  tellTrades?.('COLLAR_TRADES', distanceText(price, median2, collar), limit, unit);
};

/** Whether the newest trade is recent enough for an exchange with this rule. */
export function isRecent(
  tradeAgeMs: number | undefined,
  tradeAgeMsMax: ExchangeProfile['checks']['tradeAgeMsMax'],
): boolean {
  if (tradeAgeMsMax === 'never') return true;
  return tradeAgeMs !== undefined && tradeAgeMs <= tradeAgeMsMax;
}

/** Returns the worst price at which a market order would trade now. */
function reachedBy(proposal: Proposal, pair: CheckInput['pair']): Ticks | undefined {
  const book = pair?.bookUsable === true ? pair.book : undefined;
  return book && pair && sweepOf(book, proposal, pair.market).worst;
}

/** In half ticks, as a mid, which then needs no rounding. */
function twice(ticks: number | undefined): number | undefined {
  return ticks === undefined ? undefined : 2 * ticks;
}

/** Whether a price is known to be within `collar` of a reference in half ticks. */
export function isNear(
  price: Ticks | undefined,
  reference2: number | undefined,
  collar: Share | undefined,
): boolean {
  if (price === undefined || !isKnown(price, reference2)) return false;
  return isWithinShare(distance2Of(price, reference2), reference2, collar);
}

/** Returns the distance from a reference in half ticks as a share of it; `missing` if not known. */
export function distanceText(
  price: Ticks | undefined,
  reference2: number | undefined,
  collar: Share | undefined,
): string {
  if (price === undefined || !isKnown(price, reference2)) return 'missing';
  if (collar?.part === undefined) return 'missing';
  return shareText(distance2Of(price, reference2), reference2);
}

function isKnown(price: Ticks, reference2: number | undefined): reference2 is number {
  if (reference2 === undefined || !(reference2 > 0)) return false;
  return Number.isSafeInteger(reference2) && Number.isSafeInteger(price);
}
