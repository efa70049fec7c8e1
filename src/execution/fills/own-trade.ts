/** A trade of one of our orders, from the list of trades. */
import type { Sums } from '../../domain/amount.ts';
import { parseLots, parseTicks } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { FillRow } from '../../domain/records.ts';
import type { UserTrade } from '../../venues/luno/api/operations/order-operations.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { fillKeyOf, fillRowOf } from './fill-row.ts';

export type OwnTrade = {
  /** See {@link fillKeyOf}. */
  readonly key: string;
  readonly row: FillRow;
  readonly sums: Sums;
  /** Undefined if they are not whole ticks or lots. */
  readonly price: Ticks | undefined;
  readonly volume: Lots | undefined;
};

/** Returns a row of the list of trades; `key` and `sums` are those of the row. */
export function listedTradeOf(
  trade: UserTrade,
  order: TrackedOrder,
  { key, sums }: Pick<OwnTrade, 'key' | 'sums'>,
): OwnTrade {
  const row = fillRowOf(trade, order, order.terms.side);
  const price = parseTicks(trade.price, order.market);
  return { key, row, sums, price, volume: parseLots(trade.volume, order.market) };
}

/** Returns ticks × lots; the product may exceed 2^53. */
export function tradedValueOf(price: Ticks, volume: Lots): number | bigint {
  const value = price * volume;
  return Number.isSafeInteger(value) ? value : BigInt(price) * BigInt(volume);
}
