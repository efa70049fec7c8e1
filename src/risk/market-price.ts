/**
 * The price at which a market order counts, and its form.
 *
 * The collar's edge: a buy counts at its lower one, since a lower price would buy more than it
 * counts for, a sale at its upper one. What it would trade at is checked against the present book.
 */
import { amountScale, formatAmount, parseAmount, powerOfTen } from '../domain/amount.ts';
import type { Market, Side } from '../domain/market.ts';
import { formatTicks } from '../domain/market.ts';
import { boughtFor } from '../domain/market-order.ts';
import { parseScaled, type Ticks } from '../domain/money.ts';
import { maxTicks, minTicks, ticksOf } from '../domain/ticks-and-lots.ts';
import type { CheckInput, Refuse } from './check.ts';
import type { DepthBook } from './gate-facts.ts';
import type { Proposal } from './proposal.ts';
import type { Share } from './share.ts';

/** Returns the price; undefined without a mid or a collar. `mid2` is the mid in half ticks. */
export function marketPriceOf(
  side: Side,
  mid2: number | undefined,
  collar: Share | undefined,
  { priceMin, priceMax }: Market,
): Ticks | undefined {
  if (collar?.part === undefined || mid2 === undefined) return undefined;
  if (!Number.isSafeInteger(mid2) || mid2 <= 0) return undefined;
  const [part, whole, twice] = [BigInt(collar.part), BigInt(collar.whole), BigInt(mid2)];
  // Rounded away from the mid.
  const edge =
    side === 'BID'
      ? (twice * (whole - part)) / (2n * whole)
      : (twice * (whole + part) + 2n * whole - 1n) / (2n * whole);
  const ticks = edge > 0n ? parseScaled(edge.toString(), 0) : 1;
  if (ticks === undefined) return side === 'BID' ? priceMin : priceMax;
  return maxTicks(priceMin, minTicks(priceMax, ticksOf(ticks)));
}

/**
 * Whether the best price of the other side is not beyond the price at which a market order counts,
 * so that it still counts for all that it may be, although the collar's edge has moved.
 */
export function countsForEnough({ side, price }: Proposal, book: DepthBook | undefined): boolean {
  const best = book?.bestPrice(side === 'BID' ? 'ASK' : 'BID');
  return best !== undefined && (side === 'BID' ? best >= price : best <= price);
}

/** Refuses a market order that is not what its payment says, or counts for less than it may be. */
export function checkMarketForm(
  { proposal, pair, pairLimits, passed }: CheckInput,
  pays: string,
  refuse: Refuse,
): void {
  const { side, price, volume, timeInForce, postOnly, stop } = proposal;
  if (timeInForce !== 'IOC' || postOnly || stop !== undefined)
    refuse('FORM', 'a market order with other terms', 'IOC, without a stop', 'type');
  if (pair === undefined) return;
  const { market, mid2 } = pair;
  const currency = side === 'BID' ? market.counter : market.base;
  const decimals = market.volumeScale + (side === 'BID' ? market.priceScale : 0);
  const amount = parseAmount(pays);
  const step = powerOfTen(amountScale - Math.min(decimals, amountScale));
  if (amount === undefined || amount <= 0n || amount % step !== 0n) {
    refuse('FORM', pays, `an amount of ${currency} with at most ${decimals} decimals`, 'pays');
    return;
  }
  const counted = side === 'BID' ? boughtFor(amount, price, market) : amount / step;
  if (BigInt(counted) !== BigInt(volume))
    refuse('FORM', `${volume} lots for ${formatAmount(amount)} ${currency}`, `${counted}`, 'pays');
  const bound = marketPriceOf(side, mid2, pairLimits?.collar, market);
  const isWorst = bound !== undefined && (side === 'BID' ? price <= bound : price >= bound);
  const tell = isWorst ? passed : refuse;
  const most = bound === undefined ? 'missing' : formatTicks(bound, market);
  const limit = `${side === 'BID' ? 'at most' : 'at least'} ${most}`;
  tell?.('MARKET_PRICE', formatTicks(price, market), limit, market.counter);
}
