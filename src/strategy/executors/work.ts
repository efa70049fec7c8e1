/** A total that one line of child orders works off: what twap, pov, iceberg and chase share. */
import type { Side } from '../../domain/market.ts';
import type { Decimal, Lots, Ticks } from '../../domain/money.ts';
import { lotsLeft, minLots } from '../../domain/ticks-and-lots.ts';
import type { MarketContext } from '../contract.ts';
import type { OwnOrder } from '../own-views.ts';
import type { ChildOrders, WantedOrder } from './child-orders.ts';
import type { Desk, ExecutorKind, Wish } from './executor-part.ts';

const line = 'work';

type Task = {
  readonly side: Side;
  readonly total: string;
  readonly limit?: string | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly pair?: string | undefined;
};

/** Returns what tells the executor of a task from others. */
export function kindOf(name: string, { side, pair }: Task): ExecutorKind {
  return { name, about: side, pair };
}

export class Work {
  readonly #market: MarketContext;
  readonly #orders: ChildOrders;
  readonly #task: Task;
  readonly total: Lots;
  readonly #limit: Ticks | undefined;

  /** Throws RangeError if the market takes no order of this total. */
  constructor(executor: string, { market, orders }: Desk, task: Task) {
    this.#market = market;
    this.#orders = orders;
    this.#task = task;
    this.total = volumeIn(market, `${executor}: total`, task.total);
    this.#limit = task.limit === undefined ? undefined : market.ticks(task.limit);
  }

  get filled(): Lots {
    return this.#orders.filled(line);
  }

  get left(): Lots {
    return lotsLeft(this.total, this.filled);
  }

  /** Its order that may still fill. */
  get order(): OwnOrder | undefined {
    return this.#orders.orderOf(line);
  }

  /** Whether no further order is possible. */
  get isComplete(): boolean {
    return this.left < this.#market.rules.volumeMin;
  }

  /** Returns `volume`, or all that is left if the rest would be too small for an order. */
  piece(volume: Lots): Lots {
    const { left } = this;
    return left - volume < this.#market.rules.volumeMin ? left : minLots(volume, left);
  }

  /** Returns at most `volume`, so that the rest is none or large enough for an order. */
  partOf(volume: Lots): Lots {
    const { left } = this;
    if (left <= volume) return left;
    return minLots(volume, lotsLeft(left, this.#market.rules.volumeMin));
  }

  /** Wants an IOC order of `volume`, up to `slip` beyond the best price. */
  taking(volume: Lots, slip: number, why: string): Wish {
    const found = takingPrice(this.#market, this.#task.side, slip);
    if (found === undefined) return { why: 'the book is unusable' };
    const { best, price } = found;
    const { side } = this.#task;
    if (this.#isBeyondLimit(best)) return { why: 'the market is beyond the limit' };
    return this.#wish({ side, price: this.#within(price), volume, by: 'taking' }, why);
  }

  /** Wants a post-only order of `volume` at `price`, or at the limit if that is not as good. */
  resting(price: Ticks, volume: Lots, why: string, tolerance = 0): Wish {
    const { side } = this.#task;
    return this.#wish({ side, price: this.#within(price), volume, by: 'resting', tolerance }, why);
  }

  /** Wants nothing, and keeps no order. */
  nothing(why: string): Wish {
    return { orders: {}, why };
  }

  /** The end: all is done, or time is up. */
  done(why = ''): Wish {
    const { amountOf, base, counter } = this.#market;
    const { volume, value, orders } = this.#orders.total(line);
    const verb = this.#task.side === 'BID' ? 'bought' : 'sold';
    const parts = [`${verb} ${amountOf(volume)} of ${amountOf(this.total)} ${base}`];
    if (volume > 0) {
      const average = value.div(amountOf(volume));
      parts.push(`at ${average.toSignificantDigits(10)} ${counter} on average`);
      parts.push(...this.#againstArrival(average));
    }
    parts.push(`in ${orders} orders`);
    return { isDone: true, why: `${parts.join(' ')}${why === '' ? '' : `: ${why}`}` };
  }

  readonly progress = (): Readonly<Record<string, Decimal>> => ({
    filled: this.#market.amountOf(this.filled),
    left: this.#market.amountOf(this.left),
  });

  #againstArrival(average: Decimal): readonly string[] {
    const { arrival } = this.#orders;
    if (arrival === 0) return [];
    const change = inTicks(this.#market, average) / arrival - 1;
    const worse = (this.#task.side === 'BID' ? change : -change) * 10_000;
    const bps = Math.abs(worse).toFixed(1);
    return [`(${bps} bps ${worse > 0 ? 'worse' : 'better'} than the mid at the start)`];
  }

  #wish(order: WantedOrder, why: string): Wish {
    const { reduceOnly } = this.#task;
    return { orders: { [line]: { ...order, reduceOnly } }, why };
  }

  #isBeyondLimit(price: Ticks): boolean {
    return this.#within(price) !== price;
  }

  #within(price: Ticks): Ticks {
    const limit = this.#limit;
    if (limit === undefined) return price;
    const isWorse = this.#task.side === 'BID' ? price > limit : price < limit;
    return isWorse ? limit : price;
  }
}

/** Returns the best price that others offer, and `slip` beyond it; undefined without one. */
export function takingPrice(
  market: MarketContext,
  side: Side,
  slip: number,
): { readonly best: Ticks; readonly price: Ticks } | undefined {
  const best = side === 'BID' ? market.top?.ask : market.top?.bid;
  if (best === undefined) return undefined;
  const price =
    side === 'BID'
      ? market.round(best * (1 + slip), 'down')
      : market.round(best * (1 - slip), 'up');
  return { best, price };
}

/** Returns a price in the counter currency in ticks, which may be a fraction. */
export function inTicks(market: MarketContext, price: Decimal): number {
  // A signal, not money: only a rounded price reaches an order.
  return price.toNumber() * 10 ** market.rules.priceScale;
}

/** Returns `text` in lots; throws RangeError if it is below the market's smallest volume. */
export function volumeIn(market: MarketContext, what: string, text: string): Lots {
  const lots = market.lots(text);
  const { volumeMin } = market.rules;
  if (lots >= volumeMin) return lots;
  throw new RangeError(
    `${what} must be at least ${market.amountOf(volumeMin)} ${market.base}, the smallest order of ` +
      `${market.pair}, was ${text}`,
  );
}
