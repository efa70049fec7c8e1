/**
 * An order as an exchange keeps it for its owner: its terms and its state.
 *
 * It is plain data that can be stored; amounts are numbers, converted to text when they are read.
 */
import { type Amount, amountOfOrder, amountOfVolume } from '../domain/amount.ts';
import type { LimitOrder } from '../domain/limit-order.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { noLots, subtractLots } from '../domain/ticks-and-lots.ts';

export type OrderTerms = Omit<LimitOrder, 'postOnly'> & {
  /** Empty if the order has no client order id. */
  readonly clientOrderId: string;
  /** A market order's price is the worst at which it trades, its volume the most that it trades. */
  readonly isMarketOrder?: boolean;
  /** Reserved by a market buy order: counter currency, at least what it will pay. */
  readonly spend?: Amount | undefined;
  /** 0 or undefined: not leveraged. */
  readonly leverage?: number;
};

export type AccountOrder = OrderTerms & {
  readonly id: string;
  readonly createdMs: number;
  /** AWAITING: a stop order before its trigger. */
  status: 'AWAITING' | 'PENDING' | 'COMPLETE';
  /** The executed volume so far. */
  filled: Lots;
  /** Sum of price × volume over the trades, in ticks × lots. */
  filledValue: bigint;
  feeBase: Amount;
  feeCounter: Amount;
  /** The amount still reserved: in counter currency for a bid, in base for an ask. */
  reserved: Amount;
  /** 0 until complete. */
  completedMs: number;
  /** When a cancel was processed; 0 without a cancel. */
  cancelledMs: number;
};

/** Returns a new order without trades, with its reservation. */
export function createOrder<Terms extends OrderTerms>(
  terms: Terms,
  at: { readonly id: string; readonly market: Market; readonly timeMs: number },
): Terms & AccountOrder {
  return {
    ...terms,
    id: at.id,
    createdMs: at.timeMs,
    status: terms.stop === undefined ? 'PENDING' : 'AWAITING',
    filled: noLots,
    filledValue: 0n,
    feeBase: 0n,
    feeCounter: 0n,
    reserved: reservationOf(terms, at.market),
    completedMs: 0,
    cancelledMs: 0,
  };
}

export function remainingOf({ volume, filled }: Pick<AccountOrder, 'volume' | 'filled'>): Lots {
  return subtractLots(volume, filled);
}

/** Returns the amount that an order reserves: in counter currency for a bid, in base for an ask. */
export function reservationOf(
  order: Pick<OrderTerms, 'side' | 'price' | 'volume' | 'spend'>,
  market: Market,
): Amount {
  if (order.spend !== undefined) return order.spend;
  return order.side === 'BID'
    ? amountOfOrder(order.price, order.volume, market)
    : amountOfVolume(order.volume, market);
}

export function payerIdOf(
  order: Pick<OrderTerms, 'side' | 'baseAccountId' | 'counterAccountId'>,
): string {
  return order.side === 'BID' ? order.counterAccountId : order.baseAccountId;
}

export function receiverIdOf(
  order: Pick<OrderTerms, 'side' | 'baseAccountId' | 'counterAccountId'>,
): string {
  return order.side === 'BID' ? order.baseAccountId : order.counterAccountId;
}

/** One trade of an order, as its owner sees it. Stored in this form. */
export type AccountTrade = {
  readonly sequence: bigint | number;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: Side;
  readonly takerSide: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
  readonly timeMs: number;
};
