/**
 * Decodes updates of the market stream that have exactly the documented form, as nearly all have,
 * faster than their schema. Every reaction to the market waits for this.
 *
 * Invariant: what it decodes, the schema decodes to the same; everything else is left to the
 * schema, which also words the errors.
 */
import { type BookTrade, type BookUpdate, isOrderId } from '../../../domain/book-message.ts';
import type { MarketStatus } from '../../../domain/market.ts';
import { marketStatusOf } from './market-status.ts';
import { isAmount, isObject, type Members } from './quick-members.ts';
import { isTimeMs } from './wire.ts';

/** Surely below 2^63. */
const plainSequence = /^(?:0|[1-9]\d{0,17})$/u;
const noTrades: readonly BookTrade[] = [];

/** Returns the update in `body`, or undefined if the schema has to decide. */
export function quickUpdate(body: Members): BookUpdate | undefined {
  const { sequence, timestamp, status_update } = body;
  if (typeof sequence !== 'string' || !plainSequence.test(sequence)) return undefined;
  if (typeof timestamp !== 'number' || !isTimeMs(timestamp)) return undefined;
  const trades = tradesOf(body['trade_updates']);
  const create = createOf(body['create_update']);
  const deleted = deleteOf(body['delete_update']);
  const status = statusOf(status_update);
  if (trades === other || create === other || deleted === other || status === other)
    return undefined;
  return { sequence, timestamp, trades, create, delete: deleted, status };
}

/** In the place of a member of another form. */
const other = Symbol('other');

function tradesOf(value: unknown): readonly BookTrade[] | typeof other {
  if (value === undefined || value === null) return noTrades;
  if (!Array.isArray(value)) return other;
  const trades: BookTrade[] = [];
  for (const item of value) {
    const trade = tradeOf(item);
    if (trade === undefined) return other;
    trades.push(trade);
  }
  return trades;
}

function tradeOf(value: unknown): BookTrade | undefined {
  if (!isObject(value)) return undefined;
  const { sequence, base, counter, order_id } = value;
  const { maker_order_id: makerOrderId, taker_order_id: takerOrderId } = value;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence)) return undefined;
  if (!isAmount(base) || !isAmount(counter)) return undefined;
  if (!isId(makerOrderId) || !isId(takerOrderId)) return undefined;
  if (order_id !== undefined && typeof order_id !== 'string') return undefined;
  return { sequence: String(sequence), base, counter, makerOrderId, takerOrderId };
}

function createOf(value: unknown): BookUpdate['create'] | typeof other {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return other;
  const { order_id: orderId, type: side, price, volume } = value;
  if (!isId(orderId) || orderId === '' || !isAmount(price) || !isAmount(volume)) return other;
  return side === 'BID' || side === 'ASK' ? { orderId, side, price, volume } : other;
}

function deleteOf(value: unknown): BookUpdate['delete'] | typeof other {
  if (value === undefined || value === null) return undefined;
  const orderId = isObject(value) ? value['order_id'] : undefined;
  return isId(orderId) && orderId !== '' ? { orderId } : other;
}

function statusOf(value: unknown): MarketStatus | undefined | typeof other {
  if (value === undefined || value === null) return undefined;
  const status = isObject(value) ? value['status'] : undefined;
  return typeof status === 'string' ? marketStatusOf(status) : other;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isOrderId(value);
}
