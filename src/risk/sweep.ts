/** What a taker order would trade at once in the present book. */
import { amountScale, powerOfTen } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import { spendOf } from '../domain/market-order.ts';
import type { Ticks } from '../domain/money.ts';
import type { DepthBook } from './gate-facts.ts';
import type { Proposal } from './proposal.ts';
import { productOf, sumOf, type Whole, wholeOf } from './whole-numbers.ts';

/** How many levels of the book count. */
export const levelsMax = 100;

export type Sweep = {
  readonly lots: Whole;
  /** In ticks × lots. */
  readonly value: Whole;
  /** The volume on the other side's best levels. */
  readonly depth: Whole;
  /** The worst price; undefined if it would trade nothing. */
  readonly worst: Ticks | undefined;
};

/** Returns what the order would take; a market order has no limit price. */
export function sweepOf(book: DepthBook, proposal: Proposal, market: Market): Sweep {
  const isBid = proposal.side === 'BID';
  const other = isBid ? 'ASK' : 'BID';
  const spend = spendOf(proposal);
  const isMarket = proposal.pays !== undefined;
  let left: number = proposal.volume;
  let money: Whole =
    spend === undefined
      ? Number.POSITIVE_INFINITY
      : wholeOf(spend / powerOfTen(amountScale - market.priceScale - market.volumeScale));
  let lots: Whole = 0;
  let value: Whole = 0;
  let depth: Whole = 0;
  let worst: Ticks | undefined;
  let price: Ticks | undefined = book.bestPrice(other);
  for (let level = 0; level < levelsMax && price !== undefined; level++) {
    const volume = book.volumeAt(other, price);
    depth = sumOf(depth, volume);
    const isReached = isMarket || (isBid ? price <= proposal.price : price >= proposal.price);
    if (left > 0 && isReached) {
      const wanted = spend === undefined ? left : Math.min(left, affordable(money, price));
      const part = Math.min(volume, wanted);
      if (part > 0) worst = price;
      value = sumOf(value, productOf(part, price));
      if (spend !== undefined) money = sumOf(money, -productOf(part, price));
      lots = sumOf(lots, part);
      left = part === wanted ? 0 : left - part;
    }
    price = book.priceAfter(other, price);
  }
  return { lots, value, depth, worst };
}

/** Returns how many lots `money` (ticks × lots) buys at `price`. */
function affordable(money: Whole, price: Ticks): number {
  const lots = BigInt(money) / BigInt(price);
  const whole = wholeOf(lots);
  return typeof whole === 'number' ? whole : Number.MAX_SAFE_INTEGER;
}
