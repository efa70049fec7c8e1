/**
 * A strategy's orders and position, including the intents of the current event that have not been
 * judged yet. Without them, a strategy that is called twice in one event would ask for the same
 * order twice.
 *
 * Invariant: while nothing is pending, the engine's own views are returned unchanged.
 */
import { type Amount, amountOfOrder, amountOfVolume } from '../domain/amount.ts';
import { type Intent, isOfPair } from '../domain/intent.ts';
import { countedTermsOf } from '../domain/market-order.ts';
import { isMarketTerms, type MarketTerms, type OwnTerms, type Terms } from '../domain/order.ts';
import { isUnderPart } from '../domain/part-name.ts';
import { addLots, noLots, subtractLots } from '../domain/ticks-and-lots.ts';
import type { IntentQueue } from './intent-queue.ts';
import type { MarketAccess } from './market-context.ts';
import type { OwnOrder, Position } from './own-views.ts';
import { WantedQuotes } from './parts/wanted-quotes.ts';
import { QuotePlanner } from './quote-planner.ts';

const noOrders: readonly OwnOrder[] = Object.freeze([]);

export class PendingIntents {
  readonly #access: MarketAccess;
  readonly #queue: IntentQueue;
  /** The last computed views, and the values that they were computed from. */
  #changes = -1;
  #own: readonly OwnOrder[] = noOrders;
  #pending: readonly OwnOrder[] = noOrders;
  #orders: readonly OwnOrder[] = noOrders;
  #before: Position | undefined;
  #position: Position | undefined;

  constructor(access: MarketAccess, queue: IntentQueue) {
    this.#access = access;
    this.#queue = queue;
  }

  /** Returns the strategy's orders that are not final, followed by the pending ones. */
  orders(): readonly OwnOrder[] {
    if (this.#queue.isEmpty) return this.#access.orders();
    this.#refresh();
    return this.#orders;
  }

  /** Returns the position; pending orders widen its bounds. */
  position(): Position {
    const position = this.#access.position();
    if (this.#queue.isEmpty) return position;
    this.#refresh();
    if (this.#pending.length === 0) return position;
    if (this.#before !== position || this.#position === undefined) {
      this.#before = position;
      this.#position = this.#widen(position);
    }
    return this.#position;
  }

  /** Returns what pending orders would cost in `currency`. */
  paying(currency: string): Amount {
    const { market } = this.#access;
    return this.#sum(({ side, price, volume }) => {
      if (side === 'ASK') return market.base === currency ? amountOfVolume(volume, market) : 0n;
      return market.counter === currency ? amountOfOrder(price, volume, market) : 0n;
    });
  }

  /** Returns what pending orders would buy of `currency`. */
  buying(currency: string): Amount {
    const { market } = this.#access;
    if (market.base !== currency) return 0n;
    return this.#sum(({ side, volume }) => (side === 'BID' ? amountOfVolume(volume, market) : 0n));
  }

  #sum(amountOf: (terms: Terms) => Amount): Amount {
    if (this.#queue.isEmpty) return 0n;
    this.#refresh();
    let sum: Amount = 0n;
    for (const { terms } of this.#pending) sum += amountOf(terms);
    return sum;
  }

  #refresh(): void {
    const own = this.#access.orders();
    const { changes } = this.#queue;
    if (this.#changes === changes && this.#own === own) return;
    this.#changes = changes;
    this.#own = own;
    this.#pending = pendingOf(this.#queue.waiting(), this.#access, own);
    this.#orders = this.#pending.length === 0 ? own : Object.freeze([...own, ...this.#pending]);
    this.#position = undefined;
  }

  #widen(position: Position): Position {
    let { highest, lowest } = position;
    for (const { terms } of this.#pending)
      if (terms.side === 'BID') highest = addLots(highest, terms.volume);
      else lowest = subtractLots(lowest, terms.volume);
    return Object.freeze({ ...position, highest, lowest });
  }
}

/** Returns the orders that `intents` are expected to place on the pair of `access`. */
function pendingOf(
  intents: Iterable<Intent>,
  access: MarketAccess,
  own: readonly OwnOrder[],
): readonly OwnOrder[] {
  const { pair } = access.market;
  let places: OwnOrder[] = [];
  const quotes = new WantedQuotes();
  for (const intent of intents) {
    if (!isOfPair(intent) || intent.pair !== pair) continue;
    if (intent.kind === 'place') {
      const terms = countedTerms(intent.terms, access);
      // Without a book the gate refuses a market order.
      if (terms !== undefined)
        places.push(pendingOrder(intent.key, undefined, { ...intent, terms }));
    }
    if (intent.kind === 'quote') quotes.set(intent);
    else if (intent.kind === 'cancel') places = places.filter(({ key }) => key !== intent.key);
    else if (intent.kind === 'cancelAll') {
      const { part } = intent;
      places = part === undefined ? [] : places.filter(({ key }) => !isUnderPart(key, part));
      quotes.end(part);
    }
  }
  const { wanted, parts } = quotes;
  if (wanted === undefined) return places;
  const plan = new QuotePlanner<OwnOrder>();
  plan.make(wanted.orders, wanted.toleranceTicks ?? 0, [...own, ...places], parts);
  for (const { level, tag: _, ...terms } of plan.places)
    places.push(pendingOrder(level, level, { terms }));
  return places;
}

function countedTerms(terms: Terms | MarketTerms, access: MarketAccess): OwnTerms | undefined {
  if (!isMarketTerms(terms)) return terms;
  const price = access.marketPrice(terms.side);
  return price === undefined ? undefined : countedTermsOf(terms, price, access.market);
}

function pendingOrder(
  key: string,
  level: string | undefined,
  { terms, expiresMs }: Pick<OwnOrder, 'terms' | 'expiresMs'>,
): OwnOrder {
  const filled = noLots;
  const rest = {
    terms: Object.freeze(terms),
    filled,
    state: 'pending',
    cancelling: false,
  } as const;
  if (level !== undefined) return Object.freeze({ key, level, ...rest });
  return Object.freeze({
    ...{ key, ...rest },
    ...(terms.stop === undefined ? {} : { awaiting: true }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
  });
}
