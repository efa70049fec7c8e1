/**
 * Turns where a strategy would like to quote into orders: post-only, rounded away from the market,
 * and as large as there is room for.
 *
 * Invariant: whatever a plugin wishes, the orders are valid, and the reason says what is missing.
 */
import type { QuotedOrder } from '../../domain/intent.ts';
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { isFinal } from '../../domain/order.ts';
import type { MarketContext } from '../contract.ts';
import { describe, isPlainObject } from '../json-value.ts';
import { reasonOf, tagProblem } from './shape-parameters.ts';

/** A price in ticks, which may be a fraction, or a price with a size of its own. */
export type QuoteLevel =
  | number
  | {
      readonly price: number;
      /** In the base currency, as decimal text; the parameter `size` unless given. */
      readonly size?: string;
      /** A word for the order, see `QuotedOrder`. */
      readonly tag?: string;
    };

/**
 * Where a strategy would like to quote. A side that is left out is not quoted. The levels of its
 * orders are called `bid`, `bid.2`, `bid.3` and so on, and `ask`, `ask.2`.
 */
export type Quote = {
  /** One level, or several, the nearest to the market first. */
  readonly bid?: QuoteLevel | readonly QuoteLevel[];
  readonly ask?: QuoteLevel | readonly QuoteLevel[];
  /** Why, for people; by default the best prices. */
  readonly why?: string;
  /** Why the strategy has finished its task: its orders end, and it is not asked again. */
  readonly done?: string;
};

export type QuotePlace = {
  readonly market: MarketContext;
  readonly bid: Ticks;
  readonly ask: Ticks;
  /** By how many ticks all prices move. */
  readonly lean: number;
  /** The usual size. */
  readonly size: string;
};

type WantedOrders = {
  readonly orders: readonly QuotedOrder[];
  readonly reason: string;
  /** What of the quote makes no sense, unlike orders for which there is no room. */
  readonly mistakes: readonly string[];
};

/** Returns the orders of a quote, and its reason with what is missing. */
export function ordersOfQuote(quote: Quote | undefined, place: QuotePlace): WantedOrders {
  const { market, bid, ask } = place;
  if (quote === undefined || quote === null)
    return { orders: [], reason: 'wants no quote', mistakes: [] };
  const wrong = isPlainObject(quote)
    ? Object.keys(quote).find((key) => !['bid', 'ask', 'why', 'done'].includes(key))
    : describe(quote);
  if (wrong !== undefined) {
    const mistake = `no quote: quote returned ${wrong}, and must return bid, ask and why`;
    return { orders: [], reason: reasonOf([mistake]), mistakes: [mistake] };
  }
  const missing = new Missing();
  const bids = ordersOf(levelsOf(quote.bid), 'BID', place, missing);
  const asks = ordersOf(levelsOf(quote.ask), 'ASK', place, missing);
  const around = `around ${market.priceText(bid)} / ${market.priceText(ask)}`;
  const why = typeof quote.why === 'string' && quote.why !== '' ? quote.why : around;
  const highest = Math.max(...bids.map(({ price }) => price)) as Ticks;
  const lowest = Math.min(...asks.map(({ price }) => price)) as Ticks;
  if (highest < lowest)
    return {
      orders: [...bids, ...asks],
      reason: reasonOf([why, ...missing.texts]),
      mistakes: missing.mistakes,
    };
  const prices = `${market.priceText(highest)} is not below the ask of ${market.priceText(lowest)}`;
  const mistake = `no quote: the bid of ${prices}`;
  return { orders: [], reason: reasonOf([why, mistake]), mistakes: [mistake] };
}

function levelsOf(side: Quote['bid']): readonly QuoteLevel[] {
  if (side === undefined) return [];
  return Array.isArray(side) ? side : [side as QuoteLevel];
}

/** Why orders are missing; levels with the same reason are named together. */
class Missing {
  readonly #levels = new Map<string, string[]>();
  readonly mistakes: string[] = [];

  addMistake(level: string, why: string): void {
    this.mistakes.push(`no ${level}: ${why}`);
    this.add(level, why);
  }

  add(level: string, why: string): void {
    const levels = this.#levels.get(why);
    if (levels === undefined) this.#levels.set(why, [level]);
    else levels.push(level);
  }

  get texts(): readonly string[] {
    return [...this.#levels].map(([why, levels]) => `no ${levels.join(', ')}: ${why}`);
  }
}

function ordersOf(
  levels: readonly QuoteLevel[],
  side: Side,
  place: QuotePlace,
  missing: Missing,
): readonly QuotedOrder[] {
  const { market } = place;
  const { position } = market;
  const name = side === 'BID' ? 'bid' : 'ask';
  const replaced = market.orders.filter(
    ({ terms, state, level }) => terms.side === side && level !== undefined && !isFinal(state),
  );
  // An order on the side that closes a position is made smaller instead of left out.
  const isClosing = side === 'ASK' ? position.base > 0 : position.base < 0;
  const orders: QuotedOrder[] = [];
  for (const [index, one] of levels.entries()) {
    const level = index === 0 ? name : `${name}.${index + 1}`;
    const found = orderOf(one, side, place);
    if (typeof found === 'string') {
      missing.addMistake(level, found);
      continue;
    }
    const { price, size, tag } = found;
    const same = orders.find((order) => order.price === price);
    if (same !== undefined) {
      missing.add(level, `${same.level} has its price of ${market.priceText(price)}`);
      continue;
    }
    const { volume, why } = market.room(side, price, size, { replaced, beside: orders });
    if (volume === size || (isClosing && volume > 0))
      orders.push({ level, side, price, volume, postOnly: true, ...tag });
    else missing.add(level, String(why));
  }
  return orders;
}

type FoundLevel = {
  readonly price: Ticks;
  readonly size: Lots;
  readonly tag: { readonly tag?: string };
};

/** Returns the price and the volume of a level, or why it has none. */
function orderOf(
  level: QuoteLevel,
  side: Side,
  { lean, size: usual, market, bid, ask }: QuotePlace,
): FoundLevel | string {
  const {
    price: wanted,
    size: sizeText = usual,
    tag: word,
  } = typeof level === 'object' && level !== null ? level : { price: level };
  const price = wanted + lean;
  const moved = lean === 0 ? '' : `, moved by ${describe(lean)}`;
  if (typeof wanted !== 'number' || !Number.isFinite(price))
    return `the wanted price is ${describe(wanted)}${moved}`;
  const { priceMin, priceMax } = market.rules;
  if (price < priceMin || price > priceMax)
    return `the wanted price is ${describe(wanted)}${moved}, and must be ${priceMin} to ${priceMax} ticks`;
  let size: Lots;
  try {
    size = market.lots(sizeText);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
  if (size <= 0) return `the wanted size is ${describe(sizeText)}`;
  const problem = tagProblem(word);
  if (problem !== undefined) return problem;
  const tag = word === undefined ? {} : { tag: word };
  return side === 'BID'
    ? { price: market.round(Math.min(price, ask - 1), 'down'), size, tag }
    : { price: market.round(Math.max(price, bid + 1), 'up'), size, tag };
}
