/**
 * The messages of the user stream.
 *
 *     {"type":"order_fill","timestamp":1528884331021,"order_status_update":null,
 *      "order_fill_update":{"order_id":"BX…","client_order_id":"…","market_id":"XBTZAR",
 *        "base_fill":"0.2","counter_fill":"200","base_delta":"0.1","counter_delta":"100",
 *        "base_fee":"0","counter_fee":"0","base_fee_delta":"0","counter_fee_delta":"0"},
 *      "balance_update":null}
 *
 * It has no sequence numbers, and a fill has no trade id, price or side: fills are distinguished by
 * order id and cumulative base. After a reconnect, the messages of the last five minutes may be
 * repeated.
 */
import * as z from 'zod';
import { decodeStreamError, decodeWith, isKeepAlive, parseFrame } from './market-messages.ts';
import { quickUserMessage } from './quick-user-message.ts';
import { amount, integer, integerId, openEnumeration, optionalText, time } from './wire.ts';
import { stringifyWireJson } from './wire-json.ts';

/** Path relative to the stream address. Undocumented; the venue file can replace it. */
export const userStreamPath = '/api/1/userstream';

const orderStatusUpdate = z.object({
  order_id: z.string().min(1),
  client_order_id: optionalText,
  market_id: z.string(),
  status: openEnumeration(['AWAITING', 'PENDING', 'COMPLETE']),
});

const orderFillUpdate = z.object({
  order_id: z.string().min(1),
  client_order_id: optionalText,
  market_id: z.string(),
  base_fill: amount,
  counter_fill: amount,
  base_delta: amount,
  counter_delta: amount,
  base_fee: amount,
  counter_fee: amount,
  base_fee_delta: amount,
  counter_fee_delta: amount,
});

const balanceUpdate = z.object({
  // A JSON number of up to 19 digits.
  account_id: integerId,
  row_index: integer,
  balance: amount,
  balance_delta: amount,
  available: amount,
  available_delta: amount,
});

export const userMessage = z.object({
  type: openEnumeration(['order_status', 'order_fill', 'balance_update']),
  timestamp: time,
  order_status_update: orderStatusUpdate.nullish(),
  order_fill_update: orderFillUpdate.nullish(),
  balance_update: balanceUpdate.nullish(),
});

export type OrderStatusUpdate = z.output<typeof orderStatusUpdate>;
export type OrderFillUpdate = z.output<typeof orderFillUpdate>;
export type BalanceUpdate = z.output<typeof balanceUpdate>;

/** A decoded frame of the user stream. `unknown` is a type that the exchange has added. */
export type UserMessage =
  | { readonly kind: 'keep-alive' }
  | {
      readonly kind: 'order-status';
      readonly timestamp: number;
      readonly update: OrderStatusUpdate;
    }
  | { readonly kind: 'order-fill'; readonly timestamp: number; readonly update: OrderFillUpdate }
  | { readonly kind: 'balance'; readonly timestamp: number; readonly update: BalanceUpdate }
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

const frameTypes = {
  'order-status': 'order_status',
  'order-fill': 'order_fill',
  balance: 'balance_update',
} as const;

/** Returns the frame of `message`; the inverse of {@link decodeUserFrame}. */
export function encodeUserFrame(
  message: Extract<UserMessage, { readonly kind: 'order-status' | 'order-fill' | 'balance' }>,
): string {
  const { kind, timestamp } = message;
  return stringifyWireJson(
    userMessage.encode({
      type: frameTypes[kind],
      timestamp,
      order_status_update: kind === 'order-status' ? message.update : null,
      order_fill_update: kind === 'order-fill' ? message.update : null,
      balance_update: kind === 'balance' ? message.update : null,
    }),
  );
}

/** Begins a member, because quotes within strings are escaped. */
const accountMember = '"account_id":';
/** A long account id, and what follows it. */
const longId = /[1-9]\d{15,18}(?=[,}])/uy;

/** Decodes one frame. Throws DecodeError that names the wrong member. */
export function decodeUserFrame(frame: string): UserMessage {
  if (isKeepAlive(frame)) return { kind: 'keep-alive' };
  const body = parseFrame(withIdAsText(frame));
  const error = 'type' in body ? undefined : decodeStreamError(body);
  if (error !== undefined) return error;
  return quickUserMessage(body) ?? decodeUserMessage(body);
}

/**
 * Returns the frame with a long account id as text, which it may be as well: text is parsed faster
 * than a long integer.
 */
function withIdAsText(frame: string): string {
  const member = frame.indexOf(accountMember);
  if (member === -1) return frame;
  const begin = member + accountMember.length;
  longId.lastIndex = begin;
  if (!longId.test(frame)) return frame;
  const end = longId.lastIndex;
  return `${frame.slice(0, begin)}"${frame.slice(begin, end)}"${frame.slice(end)}`;
}

/** Decodes a message by its schema. Throws DecodeError that names the wrong member. */
export function decodeUserMessage(body: Readonly<Record<string, unknown>>): UserMessage {
  const message = decodeWith(userMessage, body, 'user message');
  const { timestamp } = message;
  // `type` names the member with the content; the other two are null.
  if (message.type === 'order_fill' && message.order_fill_update)
    return { kind: 'order-fill', timestamp, update: message.order_fill_update };
  if (message.type === 'order_status' && message.order_status_update)
    return { kind: 'order-status', timestamp, update: message.order_status_update };
  if (message.type === 'balance_update' && message.balance_update)
    return { kind: 'balance', timestamp, update: message.balance_update };
  return { kind: 'unknown', type: message.type };
}
