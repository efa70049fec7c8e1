/**
 * What the user stream tells the owner of an account. Every figure is cumulative where the
 * interface says so, so that a message seen twice does no harm.
 */
import { formatLots, formatValue, type Market } from '../domain/market.ts';
import type { UserMessage } from '../exchange-api/user-messages.ts';
import type { AccountOrder, AccountTrade } from './account-order.ts';
import type { AmountFormat } from './amount-format.ts';
import { productOf } from './fee-schedule.ts';
import type { LedgerAccount, LedgerRow } from './ledger.ts';

/** A message about an order or an account. */
export type OwnerMessage = Extract<
  UserMessage,
  { readonly kind: 'order-status' | 'order-fill' | 'balance' }
>;

/** Returns the message that an order has a new status. */
export function orderStatusMessage(order: AccountOrder, timeMs: number): OwnerMessage {
  const update = {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    market_id: order.pair,
    status: order.status,
  };
  return { kind: 'order-status', timestamp: timeMs, update };
}

/** Returns the message of a trade: the order's sums after it, and what it added. */
export function orderFillMessage(
  order: AccountOrder,
  trade: AccountTrade,
  market: Market,
  format: AmountFormat,
): OwnerMessage {
  const { price, volume, timeMs } = trade;
  const update = {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    market_id: order.pair,
    base_fill: formatLots(order.filled, market),
    counter_fill: formatValue(order.filledValue, market),
    base_delta: formatLots(volume, market),
    counter_delta: formatValue(productOf(price, volume), market),
    base_fee: format(order.feeBase),
    counter_fee: format(order.feeCounter),
    base_fee_delta: format(trade.feeBase),
    counter_fee_delta: format(trade.feeCounter),
  };
  return { kind: 'order-fill', timestamp: timeMs, update };
}

/** Returns the message of a new ledger row. */
export function balanceMessage(
  account: LedgerAccount,
  row: LedgerRow,
  format: AmountFormat,
): OwnerMessage {
  const update = {
    account_id: account.id,
    row_index: row.rowIndex,
    balance: format(row.balance),
    balance_delta: format(row.balanceDelta),
    available: format(row.available),
    available_delta: format(row.availableDelta),
  };
  return { kind: 'balance', timestamp: row.timeMs, update };
}
