/**
 * Decodes records of orders that have exactly the documented form, as nearly all have, faster than
 * their schema. Each order that ends by the user stream has its record read in a list of a hundred.
 *
 * Invariant: what it decodes, the schema decodes to the same; everything else is left to the
 * schema, which also words the errors.
 */
import type { OrderRecord } from './operations/order-operations.ts';
import { isAmount, isObject } from './quick-members.ts';
import { isTimeMs } from './wire.ts';

/** Returns the records of a list, or undefined if the schema has to decide. */
export function quickOrderList(orders: unknown): readonly OrderRecord[] | undefined {
  if (!Array.isArray(orders)) return undefined;
  const records: OrderRecord[] = [];
  for (const order of orders) {
    const record = quickOrderRecord(order);
    if (record === undefined) return undefined;
    records.push(record);
  }
  return records;
}

/** Returns the record, or undefined if the schema has to decide. */
export function quickOrderRecord(value: unknown): OrderRecord | undefined {
  if (!isObject(value)) return undefined;
  const { order_id, client_order_id, pair, side, type, status, time_in_force } = value;
  if (!isText(order_id) || order_id === '' || !isText(client_order_id) || !isText(pair))
    return undefined;
  if (!isText(side) || !isText(type) || !isText(status) || !isText(time_in_force)) return undefined;
  const { limit_price, limit_volume, base, counter, fee_base, fee_counter } = value;
  if (!isAmount(limit_price) || !isAmount(limit_volume)) return undefined;
  if (!isAmount(base) || !isAmount(counter)) return undefined;
  if (!isAmount(fee_base) || !isAmount(fee_counter)) return undefined;
  const base_account_id = idOf(value['base_account_id']);
  const counter_account_id = idOf(value['counter_account_id']);
  if (base_account_id === undefined || counter_account_id === undefined) return undefined;
  const { creation_timestamp, completed_timestamp, expiration_timestamp } = value;
  if (!isTime(creation_timestamp) || !isTime(completed_timestamp) || !isTime(expiration_timestamp))
    return undefined;
  const { stop_direction, stop_price, leverage } = value;
  if (!isText(stop_direction) || !isText(stop_price) || !isNoPrice.test(stop_price))
    return undefined;
  if (leverage !== undefined && !Number.isSafeInteger(leverage)) return undefined;
  const record = {
    order_id,
    client_order_id,
    pair,
    side,
    type,
    status,
    time_in_force,
    limit_price,
    limit_volume,
    base,
    counter,
    fee_base,
    fee_counter,
    base_account_id,
    counter_account_id,
    creation_timestamp,
    completed_timestamp,
    expiration_timestamp,
    stop_direction,
    stop_price: undefined,
  };
  return leverage === undefined ? record : { ...record, leverage: leverage as number };
}

/** The stop price of an order without a stop. */
const isNoPrice = /^(?:0(?:\.0{1,30})?)?$/u;

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && isTimeMs(value);
}

/** The id of an account, which is a JSON integer that may be longer than a number can hold. */
function idOf(id: unknown): string | undefined {
  const isExact = typeof id === 'bigint' ? BigInt.asIntN(64, id) === id : Number.isSafeInteger(id);
  return isExact ? String(id) : undefined;
}
