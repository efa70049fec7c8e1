/**
 * What messages of the user stream carry beside their texts when the exchange is in the same
 * process: the trade and the ledger row as exact integers. Nothing is lost or late on that way,
 * so a reader there need not ask for what it was already given.
 */
import type { Amount } from '../domain/amount.ts';
import type { Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import type { BalanceUpdate, OrderFillUpdate } from './user-messages.ts';

/** The members with the facts; symbols, so that they are not a part of the interface. */
export const deliveredTrade: unique symbol = Symbol('trade');
export const deliveredFilled: unique symbol = Symbol('filled');
export const deliveredRow: unique symbol = Symbol('row');

/** A trade of an order. */
export type DeliveredTrade = {
  readonly sequence: bigint | number;
  readonly orderId: string;
  readonly takerSide: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
  readonly timeMs: number;
};

/** A row of an account's ledger, and the trade that caused it, if one did. */
export type DeliveredRow = {
  readonly balance: Amount;
  readonly balanceDelta: Amount;
  readonly timeMs: number;
  readonly trade?:
    | { readonly pair: string; readonly sequence: string | number | bigint }
    | undefined;
};

type FillFacts = {
  readonly [deliveredTrade]?: DeliveredTrade;
  readonly [deliveredFilled]?: Lots;
};

/** Returns the trade that a message about a fill carries. */
export function tradeIn(update: OrderFillUpdate): DeliveredTrade | undefined {
  return (update as FillFacts)[deliveredTrade];
}

/** Returns the executed volume of the order after the trade that the message carries. */
export function filledIn(update: OrderFillUpdate): Lots | undefined {
  return (update as FillFacts)[deliveredFilled];
}

/** Returns the ledger row that a message about a balance carries. */
export function rowIn(update: BalanceUpdate): DeliveredRow | undefined {
  return (update as { readonly [deliveredRow]?: DeliveredRow })[deliveredRow];
}
