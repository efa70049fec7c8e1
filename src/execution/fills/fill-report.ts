/**
 * What a message of the user stream reports about a fill. The stream is only a hint: it says
 * neither the price nor the role, and the list of trades decides.
 */
import { type Amount, parseAmount, powerOfTen, wholeLotsOf } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { ticksOf } from '../../domain/ticks-and-lots.ts';
import type { OrderFillUpdate } from '../../venues/luno/api/user-messages.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { type FeeShares, isMakerFill } from './fill-role.ts';

export type FillReport = {
  /** The filled volume of the order after the fill, as an amount and in lots. */
  readonly cumulative: Amount;
  readonly filled: Lots;
  /** The fill itself. */
  readonly price: Ticks;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
  readonly maker: boolean;
};

/** Returns the report of a message; undefined if its amounts are impossible. */
export function fillReportOf(
  order: TrackedOrder,
  update: OrderFillUpdate,
  fees: FeeShares | undefined,
): FillReport | undefined {
  const { market, terms } = order;
  const cumulative = parseAmount(update.base_fill);
  if (cumulative === undefined || !order.canBeFilled(cumulative)) return undefined;
  if (cumulative > order.volume) return undefined;
  const price = priceOf(update, market) ?? terms.price;
  return {
    ...{ cumulative, filled: wholeLotsOf(cumulative, market), price },
    feeBase: parseAmount(update.base_fee_delta) ?? 0n,
    feeCounter: parseAmount(update.counter_fee_delta) ?? 0n,
    maker: isMakerFill(order, update, { fees, isAtLimit: price === terms.price }),
  };
}

/** Returns the price of a message, to the nearest tick; undefined if it has none. */
function priceOf(update: OrderFillUpdate, { priceScale }: Market): Ticks | undefined {
  const base = parseAmount(update.base_delta);
  const counter = parseAmount(update.counter_delta);
  if (base === undefined || counter === undefined || base <= 0n || counter <= 0n) return undefined;
  const rounded = (2n * counter * powerOfTen(priceScale) + base) / (2n * base);
  const ticks = Number(rounded); // not money: a count, checked to be exact
  return Number.isSafeInteger(ticks) ? ticksOf(ticks) : undefined;
}
