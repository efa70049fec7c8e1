/** Orders and trades of the replay exchange, with the queue positions that only a replay knows. */
import type { Amount } from '../../domain/amount.ts';
import { opposite } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { noLots } from '../../domain/ticks-and-lots.ts';
import type {
  AccountOrder,
  AccountTrade,
  OrderTerms,
} from '../../exchange-accounts/account-order.ts';
import type { TradeView } from '../../venue/venue-reply.ts';

export type ReplayOrder = AccountOrder & {
  /**
   * The volume ahead at its price when it came to rest; undefined if it never rested, and for an
   * order with a stop.
   */
  aheadAtRest: Lots | undefined;
};

/** Returns a new order without trades; `reserved` is the amount that it reserves. */
export function createReplayOrder(
  terms: OrderTerms,
  at: { readonly id: string; readonly timeMs: number; readonly reserved: Amount },
): ReplayOrder {
  // Property by property: spreading an object costs more than all the rest.
  const order: ReplayOrder = {
    clientOrderId: terms.clientOrderId,
    pair: terms.pair,
    side: terms.side,
    price: terms.price,
    volume: terms.volume,
    timeInForce: terms.timeInForce,
    stop: terms.stop,
    baseAccountId: terms.baseAccountId,
    counterAccountId: terms.counterAccountId,
    id: at.id,
    createdMs: at.timeMs,
    status: terms.stop === undefined ? 'PENDING' : 'AWAITING',
    filled: noLots,
    filledValue: 0n,
    feeBase: 0n,
    feeCounter: 0n,
    reserved: at.reserved,
    completedMs: 0,
    cancelledMs: 0,
    aheadAtRest: undefined,
  };
  if (terms.isMarketOrder !== true) return order;
  return { ...order, isMarketOrder: true, spend: terms.spend };
}

/** One fill of an order. */
export type ReplayTrade = AccountTrade & {
  readonly order: ReplayOrder;
  readonly sequence: number;
  readonly isMaker: boolean;
  /** The volume ahead of the order; 0 for every maker fill in first-in-first-out data. */
  readonly aheadAtFill: Lots;
  /** The trade as the port has it, created once because it is read repeatedly. */
  view: TradeView | undefined;
};

/** The parts of a trade that do not follow from its order. */
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
    view: undefined,
  };
}
