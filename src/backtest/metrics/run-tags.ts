/**
 * What became of the orders of each tag. The fills of a tag count as if they had an account of
 * their own: what they bought and sold after fees, and what is left of that at the last mid. So the
 * profits of all tags and of the orders without one add up to the profit of the pair.
 *
 * Invariants: memory is bounded: beyond {@link tagsMax} tags of a pair, the others count together;
 * an order without a tag costs next to nothing.
 */
import { type Amount, amountOf, formatAmount, type Sums } from '../../domain/amount.ts';
import { decimalOf, formatDecimal } from '../../domain/money.ts';
import type { FillRow } from '../../domain/records.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';

const tagsMax = 200;
const otherTags = 'other tags';

/** The figures of the orders of one tag on one pair. Amounts are decimal text. */
export type TagResult = {
  /** Null: orders without a tag. */
  readonly tag: string | null;
  readonly pair: string;
  readonly orders: number;
  readonly fills: number;
  readonly makerFills: number;
  readonly volume: string;
  readonly turnover: string;
  readonly fees: { readonly base: string; readonly counter: string };
  /** In the counter currency, after fees; null if there is no mid to value what is left. */
  readonly profit: string | null;
};

/** The figures of all orders of a pair; null if there is no mid to value what is left. */
type PairTotals = Pick<TagResult, 'pair' | 'fills' | 'makerFills' | 'profit'> & {
  readonly volume: string | null;
  readonly turnover: string | null;
  readonly fees: { readonly base: string | null; readonly counter: string | null };
  readonly mid: string | null;
};

class TagSums {
  orders = 0;
  fills = 0;
  makerFills = 0;
  volume: Amount = 0n;
  turnover: Amount = 0n;
  feeBase: Amount = 0n;
  feeCounter: Amount = 0n;
  /** Gained, before fees. */
  base: Amount = 0n;
  counter: Amount = 0n;
}

export class RunTags {
  /** The number of orders of each pair. */
  readonly #orders = new Map<string, number>();
  /** By pair and tag. */
  readonly #tags = new Map<string, Map<string, TagSums>>();

  /** Counts an order that is new. */
  noteOrder({ pair, tag }: TrackedOrder): void {
    this.#orders.set(pair, (this.#orders.get(pair) ?? 0) + 1);
    if (tag !== undefined) this.#sumsOf(pair, tag).orders++;
  }

  noteFill({ side, maker }: FillRow, sums: Sums, { pair, tag }: TrackedOrder): void {
    if (tag === undefined) return;
    const of = this.#sumsOf(pair, tag);
    of.fills++;
    if (maker) of.makerFills++;
    of.volume += sums.base;
    of.turnover += sums.counter;
    of.feeBase += sums.feeBase;
    of.feeCounter += sums.feeCounter;
    of.base += side === 'BID' ? sums.base : -sums.base;
    of.counter += side === 'BID' ? -sums.counter : sums.counter;
  }

  /** Returns the figures by pair and tag, and of the orders without one; no pair without a tag. */
  results(markets: readonly PairTotals[]): readonly TagResult[] {
    return markets.flatMap((market) => {
      const { pair, mid } = market;
      const tagged = [...(this.#tags.get(pair) ?? [])]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([tag, sums]) => resultOf(tag, sums, { pair, mid }));
      if (tagged.length === 0) return [];
      const rest = restOf(market, this.#orders.get(pair) ?? 0, tagged);
      return rest.orders === 0 && rest.fills === 0 ? tagged : [...tagged, rest];
    });
  }

  #sumsOf(pair: string, tag: string): TagSums {
    const tags = this.#tags.get(pair) ?? new Map<string, TagSums>();
    this.#tags.set(pair, tags);
    const name = tags.has(tag) || tags.size < tagsMax ? tag : otherTags;
    const sums = tags.get(name) ?? new TagSums();
    tags.set(name, sums);
    return sums;
  }
}

function resultOf(
  tag: string,
  sums: TagSums,
  { pair, mid }: Pick<PairTotals, 'pair' | 'mid'>,
): TagResult {
  const left = decimalOf(formatAmount(sums.base - sums.feeBase));
  const cash = decimalOf(formatAmount(sums.counter - sums.feeCounter));
  return {
    ...{ tag, pair, orders: sums.orders, fills: sums.fills, makerFills: sums.makerFills },
    volume: formatAmount(sums.volume),
    turnover: formatAmount(sums.turnover),
    fees: { base: formatAmount(sums.feeBase), counter: formatAmount(sums.feeCounter) },
    profit: mid === null ? null : formatDecimal(left.times(mid).plus(cash)),
  };
}

/** Returns what the orders without a tag come to: the pair less those with one. */
function restOf(market: PairTotals, orders: number, tagged: readonly TagResult[]): TagResult {
  const count = (all: number, pick: (one: TagResult) => number): number =>
    tagged.reduce((left, one) => left - pick(one), all);
  const amount = (all: string | null, pick: (one: TagResult) => string): string =>
    formatAmount(tagged.reduce((left, one) => left - amountOf(pick(one)), amountOf(all ?? '0')));
  const { pair, profit } = market;
  return {
    ...{ tag: null, pair, orders: count(orders, (one) => one.orders) },
    fills: count(market.fills, (one) => one.fills),
    makerFills: count(market.makerFills, (one) => one.makerFills),
    volume: amount(market.volume, (one) => one.volume),
    turnover: amount(market.turnover, (one) => one.turnover),
    fees: {
      base: amount(market.fees.base, (one) => one.fees.base),
      counter: amount(market.fees.counter, (one) => one.fees.counter),
    },
    profit:
      profit === null
        ? null
        : formatDecimal(
            tagged.reduce((left, one) => left.minus(one.profit ?? '0'), decimalOf(profit)),
          ),
  };
}
