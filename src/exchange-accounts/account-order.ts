/**
 * An order as an exchange keeps it for its owner: what was asked for, and what became of it so far.
 *
 * It is plain data that can be stored; numbers only, whose texts are made for whoever reads them.
 */
import { type Amount, amountOfOrder, amountOfVolume } from '../domain/amount.ts';
import type { TimeInForce } from '../domain/bot-settings.ts';
import type { Market, Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { noLots, subtractLots } from '../domain/ticks-and-lots.ts';

/** When a stop order enters the book: as soon as a trade reaches the price from the other side. */
export type StopCondition = { readonly direction: 'ABOVE' | 'BELOW'; readonly price: Ticks };

/** What was asked for, after it passed every check. */
export type OrderTerms = {
  /** Empty if the order has none. */
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  /** A market order has the worst price that it will trade at, and what it will trade. */
  readonly isMarketOrder?: boolean;
  /** Set aside for a market order that buys: counter currency, not less than it will pay. */
  readonly spend?: Amount | undefined;
  readonly stop?: StopCondition | undefined;
  /** 0 or left out: not leveraged. */
  readonly leverage?: number;
};

export type AccountOrder = OrderTerms & {
  readonly id: string;
  readonly createdMs: number;
  /** AWAITING: a stop order before its trigger. */
  status: 'AWAITING' | 'PENDING' | 'COMPLETE';
  /** Executed so far. */
  filled: Lots;
  /** Sum of price × volume over the trades, in ticks × lots. */
  filledValue: bigint;
  feeBase: Amount;
  feeCounter: Amount;
  /** What is still set aside for the order: counter currency of a bid, base of an ask. */
  reserved: Amount;
  /** 0 until complete. */
  completedMs: number;
  /** When a cancel was processed, else 0. */
  cancelledMs: number;
};

/** Returns a new order that has not traded yet, with what it sets aside. */
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

/** Returns what is left to execute. */
export function remainingOf({ volume, filled }: Pick<AccountOrder, 'volume' | 'filled'>): Lots {
  return subtractLots(volume, filled);
}

/** Returns what is set aside for an order: counter currency of a bid, base of an ask. */
export function reservationOf(
  order: Pick<OrderTerms, 'side' | 'price' | 'volume' | 'spend'>,
  market: Market,
): Amount {
  if (order.spend !== undefined) return order.spend;
  return order.side === 'BID'
    ? amountOfOrder(order.price, order.volume, market)
    : amountOfVolume(order.volume, market);
}

/** Returns the id of the account that the order pays from. */
export function payerIdOf(
  order: Pick<OrderTerms, 'side' | 'baseAccountId' | 'counterAccountId'>,
): string {
  return order.side === 'BID' ? order.counterAccountId : order.baseAccountId;
}

/** Returns the id of the account that receives what the order trades for. */
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
  /** Of the order. */
  readonly side: Side;
  readonly takerSide: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
  readonly timeMs: number;
};
