/**
 * Decodes messages of the user stream that have exactly the documented form, as nearly all have,
 * faster than their schema. Each order causes about four.
 *
 * Invariant: what it decodes, the schema decodes to the same; everything else is left to the
 * schema, which also words the errors.
 */
import { isAmount, isObject, type Members } from './quick-members.ts';
import { isTimeMs } from './wire.ts';

/** Returns the message in `body`, or undefined if the schema has to decide. */
export function quickUserMessage(body: Members) {
  const { type, timestamp } = body;
  if (typeof timestamp !== 'number' || !isTimeMs(timestamp)) return undefined;
  const status = body['order_status_update'] ?? undefined;
  const fill = body['order_fill_update'] ?? undefined;
  const balance = body['balance_update'] ?? undefined;
  // Only one of them is given, and `type` names it.
  if (type === 'order_status' && fill === undefined && balance === undefined) {
    const update = statusOf(status);
    return update && { kind: 'order-status' as const, timestamp, update };
  }
  if (type === 'order_fill' && status === undefined && balance === undefined) {
    const update = fillOf(fill);
    return update && { kind: 'order-fill' as const, timestamp, update };
  }
  if (type === 'balance_update' && status === undefined && fill === undefined) {
    const update = balanceOf(balance);
    return update && { kind: 'balance' as const, timestamp, update };
  }
  return undefined;
}

function statusOf(value: unknown) {
  if (!isObject(value)) return undefined;
  const { order_id, client_order_id, market_id, status } = value;
  if (typeof order_id !== 'string' || order_id === '') return undefined;
  if (typeof client_order_id !== 'string' || typeof market_id !== 'string') return undefined;
  return typeof status === 'string' ? { order_id, client_order_id, market_id, status } : undefined;
}

function fillOf(value: unknown) {
  if (!isObject(value)) return undefined;
  const { order_id, client_order_id, market_id } = value;
  if (typeof order_id !== 'string' || order_id === '') return undefined;
  if (typeof client_order_id !== 'string' || typeof market_id !== 'string') return undefined;
  const { base_fill, counter_fill, base_delta, counter_delta } = value;
  const { base_fee, counter_fee, base_fee_delta, counter_fee_delta } = value;
  if (!isAmount(base_fill) || !isAmount(counter_fill)) return undefined;
  if (!isAmount(base_delta) || !isAmount(counter_delta)) return undefined;
  if (!isAmount(base_fee) || !isAmount(counter_fee)) return undefined;
  if (!isAmount(base_fee_delta) || !isAmount(counter_fee_delta)) return undefined;
  return {
    ...{ order_id, client_order_id, market_id, base_fill, counter_fill },
    ...{ base_delta, counter_delta, base_fee, counter_fee, base_fee_delta, counter_fee_delta },
  };
}

function balanceOf(value: unknown) {
  if (!isObject(value)) return undefined;
  const { account_id, row_index, balance, balance_delta, available, available_delta } = value;
  if (typeof row_index !== 'number' || !Number.isSafeInteger(row_index)) return undefined;
  if (!isAmount(balance) || !isAmount(balance_delta)) return undefined;
  if (!isAmount(available) || !isAmount(available_delta)) return undefined;
  const account = accountOf(account_id);
  if (account === undefined) return undefined;
  return {
    account_id: account,
    ...{ row_index, balance, balance_delta, available, available_delta },
  };
}

/** Surely below 2^63. */
const plainId = /^(?:[1-9]\d{0,17}|[1-8]\d{18})$/u;

function accountOf(id: unknown): string | undefined {
  if (typeof id === 'string') return plainId.test(id) ? id : undefined;
  return Number.isSafeInteger(id) ? String(id) : undefined;
}
