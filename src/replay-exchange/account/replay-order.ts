/** Orders and trades as the tape exchange keeps them, with what only a replay knows of them. */
import type { Amount } from '../../domain/amount.ts';
import { opposite } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { noLots } from '../../domain/ticks-and-lots.ts';
import type {
  AccountOrder,
  AccountTrade,
  OrderTerms,
} from '../../exchange-accounts/account-order.ts';
import type { UserTrade } from '../../exchange-api/operations/order-operations.ts';

export type ReplayOrder = AccountOrder & {
  /** What stood before it at its price when it came to rest; undefined if it never did. */
  aheadAtRest: Lots | undefined;
};

/** Returns a new limit order that has not traded yet; `reserved` is what it sets aside. */
export function createReplayOrder(
  terms: OrderTerms,
  at: { readonly id: string; readonly timeMs: number; readonly reserved: Amount },
): ReplayOrder {
  // Member by member: the spread of an object costs more than all that is kept of an order.
  return {
    clientOrderId: terms.clientOrderId,
    pair: terms.pair,
    side: terms.side,
    price: terms.price,
    volume: terms.volume,
    timeInForce: terms.timeInForce,
    baseAccountId: terms.baseAccountId,
    counterAccountId: terms.counterAccountId,
    id: at.id,
    createdMs: at.timeMs,
    status: 'PENDING',
    filled: noLots,
    filledValue: 0n,
    feeBase: 0n,
    feeCounter: 0n,
    reserved: at.reserved,
    completedMs: 0,
    cancelledMs: 0,
    aheadAtRest: undefined,
  };
}

/** What one fill added to its order. */
export type ReplayTrade = AccountTrade & {
  readonly order: ReplayOrder;
  readonly sequence: number;
  readonly isMaker: boolean;
  /** What stood before the order; 0 for every maker fill of first-in-first-out data. */
  readonly aheadAtFill: Lots;
  /** What the list of trades says of it, which is asked for again and again; made once. */
  record: UserTrade | undefined;
};

/** A trade without what its order says. */
export type FillTerms = Pick<
  ReplayTrade,
  'sequence' | 'isMaker' | 'aheadAtFill' | 'price' | 'volume' | 'feeBase' | 'feeCounter' | 'timeMs'
>;

/** Returns the trade of a fill. */
export function createReplayTrade(order: ReplayOrder, fill: FillTerms): ReplayTrade {
  const { side } = order;
  return {
    order,
    orderId: order.id,
    clientOrderId: order.clientOrderId,
    pair: order.pair,
    side,
    takerSide: fill.isMaker ? opposite(side) : side,
    sequence: fill.sequence,
    isMaker: fill.isMaker,
    aheadAtFill: fill.aheadAtFill,
    price: fill.price,
    volume: fill.volume,
    feeBase: fill.feeBase,
    feeCounter: fill.feeCounter,
    timeMs: fill.timeMs,
    record: undefined,
  };
}
