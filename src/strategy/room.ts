/**
 * How large an order may be: what the pair's rules leave, and each bound of the strategy's money.
 *
 * Invariant: exact; a grant of `n` lots means that no bound refuses `n` lots, and that the bound
 * which is named refuses `n + 1`.
 */
import { type Amount, amountOfOrder, amountOfVolume, formatAmount } from '../domain/amount.ts';
import { formatTicks, type Market, type Side } from '../domain/market.ts';
import { type Lots, parseScaled, type Ticks } from '../domain/money.ts';
import { lotsLeft, lotsOf, noLots } from '../domain/ticks-and-lots.ts';
import type { OwnOrder, Room } from './own-views.ts';

/** What new orders of one side may use together, beside the strategy's open orders. */
export type Bound = {
  /** For people, such as `the budget`; or the largest position, long or short. */
  readonly name: string | { readonly positionMax: Amount };
  readonly of: 'base' | 'counter';
  /** Negative if more is used already; undefined if it is not known. */
  readonly left: Amount | undefined;
  /** Returns the most that an order may be worth if this much is left; all of it without this. */
  readonly within?: (left: Amount) => Amount;
  /** Whether it bounds each order alone. */
  readonly isOfEach?: true;
};

/** What orders of one side use. */
export type SideAmounts = { readonly base: Amount; readonly counter: Amount };

export type RoomFor = {
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  /** What the orders free whose place the new one takes. */
  readonly freed: SideAmounts;
  /** What orders use that the bounds do not count yet. */
  readonly used: readonly SideAmounts[];
};

/** Returns how much of the wanted size there is room for, and why for no more. */
export function roomFor(wanted: RoomFor, market: Market, bounds: readonly Bound[]): Room {
  const { side, price, size, freed, used } = wanted;
  const { priceMin, priceMax, volumeMin, volumeMax } = market;
  if (price < priceMin || price > priceMax)
    return none(
      `the price ${formatTicks(price, market)} is outside the market's range of ` +
        `${formatTicks(priceMin, market)} to ${formatTicks(priceMax, market)} ${market.counter}`,
    );
  let lots = BigInt(Math.min(size, volumeMax));
  let why: string | undefined;
  let isPosition = false;
  if (size > volumeMax) why = `the market takes at most ${volumeText(volumeMax, market)} an order`;
  for (const bound of bounds) {
    const currency = bound.of === 'base' ? market.base : market.counter;
    const { name } = bound;
    if (bound.left === undefined) return none(`${name} for ${currency} is not known yet`);
    let total = bound.left;
    if (bound.isOfEach !== true) {
      total += freed[bound.of];
      for (const amounts of used) total -= amounts[bound.of];
    }
    const left = bound.within?.(total) ?? total;
    const perLot =
      bound.of === 'base' ? amountOfVolume(1, market) : amountOfOrder(price, 1, market);
    const most = left > 0n ? left / perLot : 0n;
    if (most >= lots) continue;
    lots = most;
    isPosition = typeof name !== 'string';
    why =
      typeof name === 'string'
        ? `${name} leaves ${formatAmount(left > 0n ? left : 0n)} ` +
          `of the ${formatAmount(perLot * BigInt(size))} ${currency} needed`
        : positionText(side, name.positionMax, currency);
  }
  if (lots >= volumeMin) return Object.freeze({ volume: lotsOfBigint(lots), why });
  const smallest = `an order needs at least ${volumeText(volumeMin, market)}`;
  if (why === undefined) return none(`${smallest}, and the size is ${volumeText(size, market)}`);
  // What the position would be says enough.
  if (isPosition) return none(why);
  const atPrice = side === 'BID' ? ` at ${formatTicks(price, market)} ${market.counter}` : '';
  return none(`${why}, and ${smallest}${atPrice}`);
}

function positionText(side: Side, positionMax: Amount, currency: string): string {
  const most = `${formatAmount(positionMax)} ${currency}`;
  return `the position would ${side === 'BID' ? `exceed ${most}` : `fall below -${most}`}`;
}

type PricedVolume = { readonly price: Ticks; readonly volume: Lots };

/** Returns what is left of an order. */
export function restOf({ terms, filled }: Pick<OwnOrder, 'terms' | 'filled'>): PricedVolume {
  return { price: terms.price, volume: lotsLeft(terms.volume, filled) };
}

/** Returns what orders of one side use. */
export function useOf(orders: readonly PricedVolume[], market: Market): SideAmounts {
  let [base, counter] = [0n, 0n];
  for (const { price, volume } of orders) {
    base += amountOfVolume(volume, market);
    counter += amountOfOrder(price, volume, market);
  }
  return { base, counter };
}

function lotsOfBigint(lots: bigint): Lots {
  return lotsOf(parseScaled(lots.toString(), 0) ?? noLots);
}

function none(why: string): Room {
  return Object.freeze({ volume: noLots, why });
}

function volumeText(volume: Lots, market: Market): string {
  return `${formatAmount(amountOfVolume(volume, market))} ${market.base}`;
}
