/**
 * What messages about fills carry beside their texts when the exchange is in the same process: the
 * trade and its ledger rows as exact integers. Nothing is lost or late on that way,
 * so a reader there need not ask for what it was already given.
 */
import type { Amount } from '../../../domain/amount.ts';
import type { Side } from '../../../domain/market.ts';
import type { Lots, Ticks } from '../../../domain/money.ts';
import type { OrderFillUpdate } from './user-messages.ts';

/** The members with the facts; symbols, so that they are not a part of the interface. */
export const deliveredTrade: unique symbol = Symbol('trade');
export const deliveredFilled: unique symbol = Symbol('filled');
export const deliveredRows: unique symbol = Symbol('rows');

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

/** A row of an account's ledger, which a trade caused. */
export type DeliveredRow = {
  readonly accountId: string;
  readonly balance: Amount;
  readonly balanceDelta: Amount;
};

type FillFacts = {
  readonly [deliveredTrade]?: DeliveredTrade;
  readonly [deliveredFilled]?: Lots;
  [deliveredRows]?: readonly DeliveredRow[] | undefined;
};

/** Returns the trade that a message about a fill carries. */
export function tradeIn(update: OrderFillUpdate): DeliveredTrade | undefined {
  return (update as FillFacts)[deliveredTrade];
}

/** Returns the executed volume of the order after the trade that the message carries. */
export function filledIn(update: OrderFillUpdate): Lots | undefined {
  return (update as FillFacts)[deliveredFilled];
}

const noRows: readonly DeliveredRow[] = [];

/** Returns the ledger rows of the trade that the message carries; empty if it carries none. */
export function rowsIn(update: OrderFillUpdate): readonly DeliveredRow[] {
  return (update as FillFacts)[deliveredRows] ?? noRows;
}

/** Adds a ledger row to a message about a fill, which must not have been delivered. */
export function addRow(update: OrderFillUpdate, row: DeliveredRow): void {
  (update as FillFacts)[deliveredRows] = [...rowsIn(update), row];
}
