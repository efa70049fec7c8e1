/**
 * What a report says about a fill. It is only a hint: it has neither the price nor the role, and
 * the list of trades decides.
 */
import { type Amount, powerOfTen, type Sums, wholeLotsOf } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { spendOf } from '../../domain/market-order.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { ticksOf } from '../../domain/ticks-and-lots.ts';
import type { FillReport } from '../../venue/venue-report.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { type FeeShares, isMakerFill } from './fill-role.ts';

export type ProvisionalFill = {
  /** The filled volume of the order after the fill, as an amount and in lots. */
  readonly cumulative: Amount;
  readonly filled: Lots;
  /** The fill itself. */
  readonly price: Ticks;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
  readonly maker: boolean;
};

/** Returns the fill of a report; undefined if the order cannot have it. */
export function provisionalFillOf(
  order: TrackedOrder,
  report: FillReport,
  fees: FeeShares | undefined,
): ProvisionalFill | undefined {
  const { market, terms } = order;
  const { filled: cumulative, sums } = report;
  if (!order.canBeFilled(cumulative)) return undefined;
  // A market buy may get more than it counts for if the market has fallen since.
  if (cumulative > order.volume && spendOf(terms) === undefined) return undefined;
  const price = priceOf(sums, market) ?? terms.price;
  return {
    ...{ cumulative, filled: wholeLotsOf(cumulative, market), price },
    ...{ feeBase: sums.feeBase, feeCounter: sums.feeCounter },
    maker: isMakerFill(order, sums, { fees, isAtLimit: price === terms.price }),
  };
}

/** Returns the price of a fill, to the nearest tick; undefined if its amounts give none. */
function priceOf({ base, counter }: Sums, { priceScale }: Market): Ticks | undefined {
  if (base <= 0n || counter <= 0n) return undefined;
  const rounded = (2n * counter * powerOfTen(priceScale) + base) / (2n * base);
  const ticks = Number(rounded); // not money: a count, checked to be exact
  return Number.isSafeInteger(ticks) ? ticksOf(ticks) : undefined;
}
