/**
 * The messages of the user stream, and the five minutes of them that a returning client gets again.
 *
 * Every figure is cumulative where the interface says so, so that a message seen twice does no
 * harm.
 */

import type * as z from 'zod';
import { type Amount, formatWireAmount } from '../../domain/amount.ts';
import { formatLots, formatValue, type Market } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { limits } from '../../exchange-api/limits.ts';
import { userMessage } from '../../exchange-api/user-messages.ts';
import { stringifyWireJson } from '../../exchange-api/wire-json.ts';
import type { Account, LedgerRow } from './account.ts';
import type { User, UserMessageEntry } from './exchange-state.ts';
import type { SimulatedOrder } from './simulated-order.ts';

type UserMessage = z.output<typeof userMessage>;

export function orderStatusMessage(order: SimulatedOrder, timeMs: number): UserMessage {
  return {
    type: 'order_status',
    timestamp: timeMs,
    order_status_update: {
      order_id: order.id,
      client_order_id: order.clientOrderId,
      market_id: order.pair,
      status: order.status,
    },
    order_fill_update: null,
    balance_update: null,
  };
}

/** What one trade added to an order. */
export type FillDelta = {
  readonly volume: Lots;
  /** Ticks × lots. */
  readonly value: bigint;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
};

export function orderFillMessage(
  order: SimulatedOrder,
  delta: FillDelta,
  at: { readonly market: Market; readonly timeMs: number },
): UserMessage {
  return {
    type: 'order_fill',
    timestamp: at.timeMs,
    order_status_update: null,
    order_fill_update: {
      order_id: order.id,
      client_order_id: order.clientOrderId,
      market_id: order.pair,
      base_fill: formatLots(order.filled, at.market),
      counter_fill: formatValue(order.filledValue, at.market),
      base_delta: formatLots(delta.volume, at.market),
      counter_delta: formatValue(delta.value, at.market),
      base_fee: formatWireAmount(order.feeBase),
      counter_fee: formatWireAmount(order.feeCounter),
      base_fee_delta: formatWireAmount(delta.feeBase),
      counter_fee_delta: formatWireAmount(delta.feeCounter),
    },
    balance_update: null,
  };
}

export function balanceMessage(account: Account, row: LedgerRow): UserMessage {
  return {
    type: 'balance_update',
    timestamp: row.timeMs,
    order_status_update: null,
    order_fill_update: null,
    balance_update: {
      account_id: account.id,
      row_index: row.rowIndex,
      balance: formatWireAmount(row.balance),
      balance_delta: formatWireAmount(row.balanceDelta),
      available: formatWireAmount(row.available),
      available_delta: formatWireAmount(row.availableDelta),
    },
  };
}

/** Writes a message into the user's cache, drops what is too old, and returns the entry. */
export function cacheUserMessage(
  user: User,
  message: UserMessage,
  timeMs: number,
): UserMessageEntry {
  const entry = { timeMs, frame: stringifyWireJson(userMessage.encode(message)) };
  user.messages.push(entry);
  const oldest = user.messages[0];
  // Dropping one by one would copy the array each time; half a minute of slack makes it rare.
  if (oldest !== undefined && oldest.timeMs < timeMs - limits.userStreamCacheMs - 30_000)
    user.messages = user.messages.filter((one) => one.timeMs >= timeMs - limits.userStreamCacheMs);
  return entry;
}
