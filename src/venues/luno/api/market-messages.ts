/**
 * The messages of the market stream: credentials, snapshot, updates, keep-alives and errors.
 *
 *     client ─▶ {"api_key_id":"…","api_key_secret":"…"}
 *     or        {}                      no credentials: seen on the wire to suffice
 *     server ─▶ {"sequence":"24352","asks":[{"id":"BX…","price":"1234.00","volume":"0.1"}],
 *                "bids":[…],"status":"ACTIVE","timestamp":1528884331021}
 *     server ─▶ {"sequence":"24353","trade_updates":[{"sequence":7,"base":"0.1","counter":"123.4",
 *                "maker_order_id":"BX…","taker_order_id":"BX…","order_id":"BX…"}],
 *                "create_update":null,"delete_update":null,"status_update":null,
 *                "timestamp":1528884332447}
 *     either ─▶ ""                        a keep-alive; so is an empty frame
 *     server ─▶ {"error_code":"invalid_market","error":"XBTZZZ"}      then a close with code 1000
 */
import * as z from 'zod';
import {
  type BookMessage,
  type BookSnapshot,
  type BookUpdate,
  isOrderId,
} from '../../../domain/book-message.ts';
import { DecodeError } from '../../../domain/errors.ts';
import { decodeErrorBody } from './error-body.ts';
import { marketStatusOf, streamedStatusOf } from './market-status.ts';
import { quickUpdate } from './quick-update.ts';
import {
  amount,
  integerId,
  list,
  openEnumeration,
  optionalList,
  optionalMember,
  streamSequence,
  time,
} from './wire.ts';
import { parseWireJson, stringifyWireJson } from './wire-json.ts';

/** A message of the market stream. */
export type MarketMessage =
  | BookMessage
  | { readonly kind: 'keep-alive' }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

/** Path relative to the stream address; `:pair` is the market. */
export const marketStreamPath = '/api/1/stream/:pair';

/** The client's first message on both streams; the market stream also accepts `{}`. */
export const streamCredentials = z.object({
  api_key_id: z.string(),
  api_key_secret: z.string(),
});

const orderId = z.string().refine(isOrderId, 'has a control character');
const bookOrder = z.object({ id: orderId.min(1), price: amount, volume: amount });
const status = openEnumeration(['ACTIVE', 'POSTONLY', 'DISABLED']);

export const marketSnapshot = z.object({
  sequence: streamSequence,
  asks: list(bookOrder),
  bids: list(bookOrder),
  status: optionalMember(status),
  timestamp: time,
});

export const marketUpdate = z.object({
  sequence: streamSequence,
  trade_updates: optionalList(
    z.object({
      // The trade's id is a JSON number, unlike the message's sequence. It is not documented.
      sequence: optionalMember(integerId),
      base: amount,
      counter: amount,
      maker_order_id: orderId,
      taker_order_id: orderId,
      order_id: optionalMember(z.string()),
    }),
  ),
  create_update: z
    .object({
      order_id: orderId.min(1),
      type: z.enum(['BID', 'ASK']),
      price: amount,
      volume: amount,
    })
    .nullish(),
  delete_update: z.object({ order_id: orderId.min(1) }).nullish(),
  status_update: z.object({ status }).nullish(),
  timestamp: time,
});

/** Returns whether a frame is a keep-alive: empty, or an empty JSON string. */
export function isKeepAlive(frame: string): boolean {
  return frame.length <= 8 && /^\s*(?:"")?\s*$/u.test(frame);
}

/** Decodes one frame. Throws {@link DecodeError} that names the wrong member. */
export function decodeMarketFrame(frame: string): MarketMessage {
  if (isKeepAlive(frame)) return { kind: 'keep-alive' };
  const body = parseFrame(frame);
  const error = 'sequence' in body ? undefined : decodeStreamError(body);
  if (error !== undefined) return error;
  // Real clients recognise a snapshot by its sides; an empty book has two empty lists.
  if (body['asks'] != null || body['bids'] != null) {
    const decoded = decodeWith(marketSnapshot, body, 'market snapshot');
    const status = marketStatusOf(decoded.status ?? 'ACTIVE');
    return { kind: 'snapshot', snapshot: { ...decoded, status } };
  }
  return { kind: 'update', update: quickUpdate(body) ?? decodeMarketUpdate(body) };
}

/** Returns the frame of a whole book; the inverse of {@link decodeMarketFrame}. */
export function encodeMarketBook(book: BookSnapshot): string {
  const status = streamedStatusOf(book.status);
  const ordersOf = (orders: BookSnapshot['asks']) => orders.map((order) => ({ ...order }));
  return stringifyWireJson(
    marketSnapshot.encode({
      ...{ sequence: book.sequence, asks: ordersOf(book.asks), bids: ordersOf(book.bids) },
      ...{ status, timestamp: book.timestamp },
    }),
  );
}

/** Decodes an update by its schema. Throws {@link DecodeError} that names the wrong member. */
export function decodeMarketUpdate(body: Readonly<Record<string, unknown>>): BookUpdate {
  const decoded = decodeWith(marketUpdate, body, 'market update');
  const created = decoded.create_update;
  const deleted = decoded.delete_update;
  return {
    sequence: decoded.sequence,
    timestamp: decoded.timestamp,
    trades: decoded.trade_updates.map((trade) => ({
      sequence: trade.sequence ?? '',
      base: trade.base,
      counter: trade.counter,
      makerOrderId: trade.maker_order_id,
      takerOrderId: trade.taker_order_id,
    })),
    create: created
      ? {
          orderId: created.order_id,
          side: created.type,
          price: created.price,
          volume: created.volume,
        }
      : undefined,
    delete: deleted ? { orderId: deleted.order_id } : undefined,
    status: decoded.status_update ? marketStatusOf(decoded.status_update.status) : undefined,
  };
}

/**
 * Returns the content of an error frame, or undefined if `body` is not one. The frame of the
 * session limit is undocumented, so every spelling of an error is accepted, even without a code.
 */
export function decodeStreamError(
  body: Readonly<Record<string, unknown>>,
): Extract<MarketMessage, { kind: 'error' }> | undefined {
  const error = decodeErrorBody(body);
  if (error !== undefined) return { kind: 'error', code: error.code, message: error.message };
  const text = body['error'];
  return typeof text === 'string' ? { kind: 'error', code: '', message: text } : undefined;
}

/** Returns the JSON object in `frame`, or throws {@link DecodeError}. */
export function parseFrame(frame: string): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = parseWireJson(frame);
  } catch (cause) {
    throw new DecodeError('frame is not JSON', { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new DecodeError('frame is not a JSON object');
  return body as Readonly<Record<string, unknown>>;
}

/**
 * Returns `body` decoded by `schema`. Throws {@link DecodeError} that names `what` and the member.
 */
export function decodeWith<S extends z.ZodType>(
  schema: S,
  body: unknown,
  what: string,
): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const member = issue === undefined || issue.path.length === 0 ? '(root)' : issue.path.join('.');
  throw new DecodeError(`${what}: ${member}: ${issue?.message ?? ''}`);
}
