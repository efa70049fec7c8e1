/**
 * A market order as a limit order of the worst terms that it may have, so that limits, funds and
 * positions count it like any other.
 *
 * A sale counts at a price that it does not exceed, for its volume. A buy counts at a price below
 * which it does not trade, for the volume that its money buys there: it can neither cost nor buy
 * more.
 */
import { type Amount, amountOf, amountOfOrder, formatAmount } from './amount.ts';
import type { LimitOrder } from './limit-order.ts';
import { formatLots, formatTicks, type Market, type Scales, type Side } from './market.ts';
import { decimalOf, formatDecimal, type Lots, parseScaled, type Ticks } from './money.ts';
import type { MarketTerms, PlacedTerms } from './order.ts';
import { lotsOf } from './ticks-and-lots.ts';

/** Returns the terms as which a market order counts at `price`. */
export function countedTermsOf(terms: MarketTerms, price: Ticks, market: Market): PlacedTerms {
  const { side } = terms;
  const rest = { price, timeInForce: 'IOC', postOnly: false } as const;
  if (side === 'ASK') {
    const { volume } = terms;
    return { side, volume, ...rest, pays: formatLots(volume, market) };
  }
  const spend = amountOf(String(terms.spend));
  return { side, volume: boughtFor(spend, price, market), ...rest, pays: formatAmount(spend) };
}

/** Returns the lots that `spend` buys at `price`, rounded up, at most 2^53 - 1. */
export function boughtFor(spend: Amount, price: Ticks, scales: Scales): Lots {
  const perLot = amountOfOrder(price, 1, scales);
  const lots = (spend + perLot - 1n) / perLot;
  const whole = parseScaled(lots.toString(), 0);
  return lotsOf(whole ?? Number.MAX_SAFE_INTEGER);
}

/** Returns side, volume and price of an order, or what a market order pays, for people. */
export function sizeText(
  { side, price, volume, pays }: Pick<LimitOrder, 'side' | 'price' | 'volume' | 'pays'>,
  market: Market,
): string {
  if (pays !== undefined) return `${side} ${marketOrderText(side, pays, market)}`;
  return `${side} ${formatLots(volume, market)} at ${formatTicks(price, market)}`;
}

/** Returns what a market order does, for people. */
export function marketOrderText(
  side: Side,
  pays: string,
  { base, counter }: Pick<Market, 'base' | 'counter'>,
): string {
  return side === 'BID'
    ? `for ${plain(pays)} ${counter} at market`
    : `${plain(pays)} ${base} at market`;
}

function plain(amount: string): string {
  return formatDecimal(decimalOf(amount));
}

/** Returns what a market buy spends in the counter currency; undefined for other orders. */
export function spendOf({ side, pays }: Pick<LimitOrder, 'side' | 'pays'>): Amount | undefined {
  return pays === undefined || side === 'ASK' ? undefined : amountOf(pays);
}
