/**
 * What messages of the user stream carry beside their texts when the exchange is in the same
 * process: the trade itself, and the ledger row as integers. Nothing is lost or late on that way,
 * so a reader there need not ask for what it was already given.
 */
import type { Amount } from '../domain/amount.ts';
import type { UserTrade } from './operations/order-operations.ts';
import type { BalanceUpdate, OrderFillUpdate } from './user-messages.ts';

/** The members with the facts; symbols, so that they are not a part of the interface. */
export const deliveredTrade: unique symbol = Symbol('trade');
export const deliveredRow: unique symbol = Symbol('row');

/** A row of an account's ledger, and the trade that caused it, if one did. */
export type DeliveredRow = {
  readonly balance: Amount;
  readonly balanceDelta: Amount;
  readonly timeMs: number;
  readonly trade?:
    | { readonly pair: string; readonly sequence: string | number | bigint }
    | undefined;
};

/** Returns the trade that a message about a fill carries, as the list of trades shows it. */
export function tradeIn(update: OrderFillUpdate): UserTrade | undefined {
  return (update as { readonly [deliveredTrade]?: UserTrade })[deliveredTrade];
}

/** Returns the ledger row that a message about a balance carries. */
export function rowIn(update: BalanceUpdate): DeliveredRow | undefined {
  return (update as { readonly [deliveredRow]?: DeliveredRow })[deliveredRow];
}
