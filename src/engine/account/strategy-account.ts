/**
 * What one strategy sees of its own trading on one pair, and of the account. A value stays the same
 * object until one of its inputs changes.
 *
 * Profit is that of `status` and results. The cost of the position, which the average price comes
 * from, divides it: what the fills have left in the counter currency plus that cost is realised,
 * and the rest is open.
 */
import type { Amount } from '../../domain/amount.ts';
import { decimalOfAmount } from '../../domain/amount-decimal.ts';
import type { Market } from '../../domain/market.ts';
import type { Top } from '../../domain/market-view.ts';
import { Decimal } from '../../domain/money.ts';
import { baseOf, counterOf, type Holding, profitOf } from '../../execution/fills/positions.ts';
import { addSums, noSums } from '../../execution/orders/sums.ts';
import type { AccountReads } from '../../strategy/account/account-reads.ts';
import type { AccountBalance, Profit, Totals, Traded } from '../../strategy/account/own-account.ts';
import type { PlacedOrders } from '../../strategy/account/placed-orders.ts';
import type { RecentFills } from '../../strategy/account/recent-fills.ts';
import { feesOf, tradedOf } from '../../strategy/account/traded.ts';
import type { OwnOrder } from '../../strategy/own-views.ts';
import { midOf } from './mid.ts';

/** See `Exposure.balance`; what is free may be below 0. */
type KnownBalance = { readonly total: Amount; readonly free: Amount; readonly atMs: number };

type AccountSources = {
  readonly market: Market;
  readonly fills: RecentFills;
  readonly placed: PlacedOrders;
  /** Replaced at each booked fill. */
  readonly holding: () => Holding;
  /** The cost of a position of `held`; undefined if it is not known. */
  readonly costOf: (held: Amount) => Amount | undefined;
  /** Replaced when a best price changes. */
  readonly top: () => Top | undefined;
  readonly orders: () => readonly OwnOrder[];
  readonly balance: (currency: string) => KnownBalance | undefined;
};

const nothing = new Decimal(0);

export class StrategyAccount implements AccountReads {
  readonly fills: RecentFills;
  readonly #sources: AccountSources;
  #totals: { readonly of: Holding; readonly value: Totals } | undefined;
  #profit:
    | { readonly of: Holding; readonly top: Top | undefined; readonly value: Profit }
    | undefined;

  constructor(sources: AccountSources) {
    this.#sources = sources;
    this.fills = sources.fills;
  }

  totals(): Totals {
    const holding = this.#sources.holding();
    if (this.#totals?.of !== holding)
      this.#totals = { of: holding, value: totalsOf(holding, this.#sources.market) };
    return this.#totals.value;
  }

  profit(): Profit {
    const holding = this.#sources.holding();
    const top = this.#sources.top();
    if (this.#profit?.of !== holding || this.#profit.top !== top) {
      const { market, costOf } = this.#sources;
      const value = profitViewOf(holding, costOf(baseOf(holding)), midOf({ market, top }));
      this.#profit = { of: holding, top, value };
    }
    return this.#profit.value;
  }

  traded(key: string): Traded | undefined {
    const { market, placed, orders } = this.#sources;
    const sums = placed.tradedOn(market.pair, key);
    if (sums !== undefined) return tradedOf(sums, market);
    const open = orders().find((order) => order.key === key);
    return open && (open.booked ?? tradedOf(noSums, market));
  }

  balance(currency: string): AccountBalance | undefined {
    const known = this.#sources.balance(currency);
    if (known === undefined) return undefined;
    const { total, atMs } = known;
    const free = known.free > 0n ? known.free : 0n;
    return Object.freeze({
      total: decimalOfAmount(total),
      free: decimalOfAmount(free),
      reserved: decimalOfAmount(total - free),
      atMs,
    });
  }
}

function totalsOf({ bought, sold, fills }: Holding, market: Market): Totals {
  return Object.freeze({
    fills,
    bought: tradedOf(bought, market),
    sold: tradedOf(sold, market),
    fees: feesOf(addSums(bought, sold)),
  });
}

function profitViewOf(
  holding: Holding,
  cost: Amount | undefined,
  mid: Decimal | undefined,
): Profit {
  const isOpen = baseOf(holding) !== 0n;
  const flow = counterOf(holding);
  const total = isOpen ? mid && profitOf(holding, mid).profit : decimalOfAmount(flow);
  const realised = cost === undefined ? undefined : decimalOfAmount(flow + cost);
  const open = isOpen ? realised && total?.minus(realised) : nothing;
  return Object.freeze({ realised, open, total });
}
