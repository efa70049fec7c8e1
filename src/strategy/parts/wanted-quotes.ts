/**
 * What a strategy quotes on a pair: one quote, or those of its parts taken together. Where two
 * parts cross each other, the orders of the one that came later are left out, until the other has
 * moved or ended.
 *
 * Invariants: the orders of {@link WantedQuotes.wanted} do not cross; each order of the quotes is
 * either there or in {@link WantedQuotes.crossed}; without parts, `wanted` is the quote itself.
 */
import type { Intent, QuotedOrder } from '../../domain/intent.ts';
import { isUnderPart, partOf } from '../../domain/part-name.ts';
import { type QuotedParts, wouldTrade } from '../quote-planner.ts';

type QuoteIntent = Extract<Intent, { kind: 'quote' }>;

/** An order that would trade with one of another part. */
export type CrossedOrder = { readonly order: QuotedOrder; readonly against: QuotedOrder };

const nothing: readonly CrossedOrder[] = Object.freeze([]);

export class WantedQuotes implements QuotedParts {
  #wanted: QuoteIntent | undefined;
  /** By part, those first that come first; undefined while no part quotes. */
  #byPart: Map<string, QuoteIntent> | undefined;
  #crossed = nothing;

  /** All quotes as one; undefined while there is none. */
  get wanted(): QuoteIntent | undefined {
    return this.#wanted;
  }

  /** The orders that would trade with an order of another part. */
  get crossed(): readonly CrossedOrder[] {
    return this.#crossed;
  }

  /** This, if parts quote, for the planner; undefined otherwise. */
  get parts(): QuotedParts | undefined {
    return this.#byPart === undefined ? undefined : this;
  }

  /** Replaces the quote of the same part. */
  set(quote: QuoteIntent): void {
    const { part = '' } = quote;
    if (part === '' && this.#byPart === undefined) {
      this.#wanted = quote;
      return;
    }
    const before = this.#wanted;
    this.#byPart ??= new Map(before === undefined ? [] : [['', before]]);
    // The later one yields. One that does not cross keeps its place before those that do.
    if (this.#crossesOthers(quote, part)) this.#byPart.delete(part);
    this.#byPart.set(part, quote);
    this.#merge(this.#byPart, quote.pair);
  }

  /** Ends the quotes of `part` and the parts in it; those of all without `part`. */
  end(part?: string): void {
    const byPart = this.#byPart;
    if (part !== undefined && byPart === undefined) return;
    const left = new Map(
      [...(byPart ?? [])].filter(
        ([name]) => part !== undefined && name !== part && !isUnderPart(name, part),
      ),
    );
    const alone = left.get('');
    if (left.size > (alone === undefined ? 0 : 1)) {
      this.#byPart = left;
      this.#merge(left, this.#wanted?.pair ?? '');
      return;
    }
    this.#wanted = alone;
    this.#byPart = undefined;
    this.#crossed = nothing;
  }

  /** The quote of a part; of the strategy itself for the empty name. */
  of(part: string): QuoteIntent | undefined {
    if (this.#byPart !== undefined) return this.#byPart.get(part);
    return part === '' ? this.#wanted : undefined;
  }

  /** The quote that decides about the orders of a level. */
  quoteOf(level: string): QuoteIntent | undefined {
    return this.#byPart === undefined ? this.#wanted : this.#byPart.get(partOf(level));
  }

  covers(level: string): boolean {
    return this.#byPart?.has(partOf(level)) === true;
  }

  toleranceOf(level: string): number {
    return this.quoteOf(level)?.toleranceTicks ?? 0;
  }

  /** Whether a quote would trade with what the other parts want. */
  #crossesOthers({ orders }: QuoteIntent, part: string): boolean {
    const best = new BestOrders();
    for (const order of this.#wanted?.orders ?? [])
      if (partOf(order.level) !== part) best.add(order);
    return orders.some((order) => best.against(order) !== undefined);
  }

  #merge(byPart: ReadonlyMap<string, QuoteIntent>, pair: string): void {
    const best = new BestOrders();
    const orders: QuotedOrder[] = [];
    const crossed: CrossedOrder[] = [];
    const reasons: string[] = [];
    for (const [part, quote] of byPart) {
      reasons.push(part === '' ? quote.reason : `${part}: ${quote.reason}`);
      for (const order of quote.orders) {
        const against = best.against(order);
        if (against !== undefined) crossed.push({ order, against });
        else {
          orders.push(order);
          best.add(order);
        }
      }
    }
    this.#crossed = crossed.length === 0 ? nothing : crossed;
    this.#wanted = { kind: 'quote', pair, orders, reason: reasons.join('; ') };
  }
}

/** The highest bid and the lowest ask of several orders. */
class BestOrders {
  #bid: QuotedOrder | undefined;
  #ask: QuotedOrder | undefined;

  add(order: QuotedOrder): void {
    if (order.side === 'BID') {
      if (this.#bid === undefined || order.price > this.#bid.price) this.#bid = order;
    } else if (this.#ask === undefined || order.price < this.#ask.price) this.#ask = order;
  }

  /** The order that `order` would trade with first. */
  against(order: QuotedOrder): QuotedOrder | undefined {
    const other = order.side === 'BID' ? this.#ask : this.#bid;
    return other !== undefined && wouldTrade(order, other) ? other : undefined;
  }
}
