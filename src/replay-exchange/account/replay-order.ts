/** Orders and trades as the tape exchange keeps them, with what only a replay knows of them. */
import { opposite } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import type { AccountOrder, AccountTrade } from '../../exchange-accounts/account-order.ts';
import type { UserTrade } from '../../exchange-api/operations/order-operations.ts';

export type ReplayOrder = AccountOrder & {
  /** What stood before it at its price when it came to rest; undefined if it never did. */
  aheadAtRest: Lots | undefined;
};

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
