/**
 * Creates the messages of the user stream about orders and accounts. Figures are cumulative where
 * the interface says so, so that a duplicate message does no harm.
 */
import { formatWireAmount } from '../../../../domain/amount.ts';
import { formatLots, formatValue, type Market } from '../../../../domain/market.ts';
import type { AccountOrder, AccountTrade } from '../../../../exchange-accounts/account-order.ts';
import { productOf } from '../../../../exchange-accounts/fee-schedule.ts';
import type { LedgerAccount, LedgerRow } from '../../../../exchange-accounts/ledger.ts';
import type { UserMessage } from '../../api/user-messages.ts';

/** A message about an order or an account. */
export type OwnerMessage = Extract<
  UserMessage,
  { readonly kind: 'order-status' | 'order-fill' | 'balance' }
>;

/** Returns the message about an order's new status. */
export function orderStatusMessage(order: AccountOrder, timeMs: number): OwnerMessage {
  const update = { ...idsOf(order), status: order.status };
  return { kind: 'order-status', timestamp: timeMs, update };
}

/** Returns the message about a trade: the order's sums after it, and the trade's own amounts. */
export function orderFillMessage(
  order: AccountOrder,
  trade: AccountTrade,
  market: Market,
): OwnerMessage {
  const update = {
    ...idsOf(order),
    base_fill: formatLots(order.filled, market),
    counter_fill: formatValue(order.filledValue, market),
    base_delta: formatLots(trade.volume, market),
    counter_delta: formatValue(productOf(trade.price, trade.volume), market),
    base_fee: formatWireAmount(order.feeBase),
    counter_fee: formatWireAmount(order.feeCounter),
    base_fee_delta: formatWireAmount(trade.feeBase),
    counter_fee_delta: formatWireAmount(trade.feeCounter),
  };
  return { kind: 'order-fill', timestamp: trade.timeMs, update };
}

function idsOf({ id, clientOrderId, pair }: AccountOrder) {
  return { order_id: id, client_order_id: clientOrderId, market_id: pair };
}

/** Returns the message about a new ledger row. */
export function balanceMessage({ id }: LedgerAccount, row: LedgerRow): OwnerMessage {
  const update = {
    account_id: id,
    row_index: row.rowIndex,
    balance: formatWireAmount(row.balance),
    balance_delta: formatWireAmount(row.balanceDelta),
    available: formatWireAmount(row.available),
    available_delta: formatWireAmount(row.availableDelta),
  };
  return { kind: 'balance', timestamp: row.timeMs, update };
}
