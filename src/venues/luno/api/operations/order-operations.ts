/** Fees, limit orders, cancels, order reads and own trades. */
import * as z from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import {
  amount as amountText,
  flag,
  int64,
  neverZero,
  oneOf,
  optional,
  pattern,
  required,
  text,
  timeMs,
  integer as wholeNumber,
} from '../parameter.ts';
import {
  amount,
  amountOrZero,
  integer,
  integerId,
  list,
  openEnumeration,
  optionalMember,
  optionalText,
  time,
} from '../wire.ts';

export const pair = required(text(20), 'currency pair, base then counter');
export const listLimit = optional(
  wholeNumber(limits.listLimitMin, limits.listLimitMax, 'ErrLimitOutOfRange'),
  'at most this many, 100 unless given or 0',
);

/** Letters, digits and `_ ; , . -`, up to the longest length of any revision. */
const clientOrderIdKind = pattern(/^[A-Za-z0-9_;,.-]{1,255}$/u, 'ErrInvalidClientOrderId');

/**
 * At most 100 characters since 2026-10-01, 255 before. The simulator decodes longer ids, and
 * refuses them under the newer revision; our client does not send them.
 */
const clientOrderId: typeof clientOrderIdKind = {
  ...clientOrderIdKind,
  objection: ({ length }) =>
    length > limits.clientOrderIdLengthMax
      ? `since 2026-10-01 it may have ${limits.clientOrderIdLengthMax} characters, and this has ${length}`
      : undefined,
  schema: {
    type: 'string',
    pattern: '^[A-Za-z0-9_;,.-]+$',
    minLength: 1,
    maxLength: limits.clientOrderIdLengthMax,
  },
};

const int32Max = 2_147_483_647;

/** The common parameters of limit and market orders. */
export const placement = {
  base_account_id: optional(neverZero(int64), 'account of the base currency'),
  counter_account_id: optional(neverZero(int64), 'account of the counter currency'),
  timestamp: optional(neverZero(timeMs), 'when the request was made; ttl counts from here'),
  ttl: optional(
    wholeNumber(limits.ttlMsMin, limits.ttlMsMax),
    'ms after timestamp that the request is valid, 10000 unless given or 0; ignored without timestamp',
  ),
  client_order_id: optional(
    clientOrderId,
    "the caller's own id, unique among all successful creations",
  ),
  leverage: optional(wholeNumber(0, int32Max), '0 or left out: not leveraged'),
} as const;

/** The common error codes of limit and market orders. */
export const placementErrors = [
  'ErrInvalidArguments',
  'ErrInvalidValue',
  'ErrInvalidOrderSide',
  'ErrInvalidClientOrderId',
  'ErrMarketUnavailable',
  'ErrUnderMaintenance',
  'ErrMarketNotAllowed',
  'ErrAccountIsMigrating',
  'ErrUserNotVerifiedForCurrency',
  'ErrDeadlineExceeded',
  'ErrDuplicateClientOrderID',
  'ErrCannotTradeWhileQuoteActive',
  'ErrVolumeDenominationNotAllowed',
  'ErrVolumeTooHigh',
  'ErrVolumeTooLow',
  'ErrInvalidAccountID',
  'ErrAccountNotFound',
  'ErrCrossAccountTypeTradeNotAllowed',
  'ErrOnlySpotWalletsAllowed',
  'ErrSpotMarginNotEnabled',
  'ErrSpotMarginNotSupportedForInstrument',
  'ErrLeverageRequiresSpotMarginWallet',
  'ErrSpotMarginWalletRequiresLeverage',
  'ErrPostOnlyMode',
  'ErrInsufficientBalance',
] as const satisfies readonly ErrorCode[];

export const feeInfo = operation({
  name: 'feeInfo',
  method: 'GET',
  path: '/api/1/fee_info',
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description: 'Returns the fees of the caller as fractions of the traded value, e.g. "0.0060".',
  parameters: { pair },
  errors: ['ErrMarketUnavailable'],
  response: z.object({
    maker_fee: amount,
    taker_fee: amount,
    maker_fee_buy: optionalMember(amount),
    maker_fee_sell: optionalMember(amount),
    taker_fee_buy: optionalMember(amount),
    taker_fee_sell: optionalMember(amount),
    thirty_day_volume: amount,
  }),
});

export const postorder = operation({
  name: 'postorder',
  method: 'POST',
  path: '/api/1/postorder',
  earlierPaths: ['/api/1/:pair/postorder'],
  permission: 'Perm_W_Orders',
  repeat: 'keyed',
  description:
    'Places a limit order, or with stop_price a stop-limit order: it waits (AWAITING) until a trade ' +
    'reaches the stop price, at or above it for ABOVE, at or below it for BELOW. Its funds are ' +
    'reserved from the start (ours).',
  parameters: {
    pair,
    type: required(oneOf(['BID', 'ASK'], 'ErrInvalidOrderSide'), 'BID buys, ASK sells'),
    volume: required(amountText, 'base currency'),
    price: required(amountText, 'counter currency per base currency'),
    time_in_force: optional(oneOf(['GTC', 'IOC', 'FOK']), 'GTC unless given'),
    post_only: optional(flag, 'cancel rather than trade at once; not with IOC or FOK'),
    stop_price: optional(neverZero(amountText), 'makes the order a stop-limit order'),
    stop_direction: optional(
      oneOf(['BELOW', 'ABOVE', 'RELATIVE_LAST_TRADE'], 'ErrInvalidStopDirection'),
      'which way the price must cross stop_price; RELATIVE_LAST_TRADE is ABOVE if the last trade ' +
        'is below stop_price, else BELOW',
    ),
    ...placement,
  },
  errors: [
    ...placementErrors,
    'ErrPostOnlyNotAllowed',
    'ErrInvalidPrice',
    'ErrInvalidVolume',
    'ErrPriceDenominationNotAllowed',
    'ErrPriceTooHigh',
    'ErrPriceTooLow',
    'ErrInvalidStopDirection',
    'ErrInvalidStopPrice',
    'ErrStopPriceTooHigh',
    'ErrStopPriceTooLow',
    'ErrNoTradesToInferStopDirection',
    'ErrOrderCanceled',
  ],
  response: z.object({ order_id: z.string().min(1).max(100) }),
});

export const stoporder = operation({
  name: 'stoporder',
  method: 'POST',
  path: '/api/1/stoporder',
  earlierPaths: ['/api/1/:pair/stoporder'],
  permission: 'Perm_W_Orders',
  repeat: 'idempotent',
  description: 'Cancels an order.',
  parameters: { order_id: required(text(100), "the exchange's id of the order") },
  errors: ['ErrCannotStopUnknownOrNonPendingOrder'],
  response: z.object({ success: z.boolean() }),
});

// Read as optional text; the empty text is omitted when writing.
const textOrNothing = z.codec(z.string().nullish(), z.string(), {
  decode: (value) => value ?? '',
  encode: (value) => (value === '' ? undefined : value),
});

export const orderRecord = z.object({
  order_id: z.string().min(1),
  client_order_id: optionalText,
  pair: z.string(),
  side: openEnumeration(['BUY', 'SELL']),
  type: openEnumeration(['LIMIT', 'MARKET', 'STOP_LIMIT']),
  status: openEnumeration(['AWAITING', 'PENDING', 'COMPLETE']),
  // Missing for market orders.
  time_in_force: textOrNothing,
  limit_price: amount,
  limit_volume: amount,
  base: amount,
  counter: amount,
  fee_base: amount,
  fee_counter: amount,
  base_account_id: integerId,
  counter_account_id: integerId,
  creation_timestamp: time,
  completed_timestamp: time,
  // Set when a cancel is processed; otherwise 0.
  expiration_timestamp: time,
  stop_direction: optionalText,
  // 0 without a stop.
  stop_price: amountOrZero,
  leverage: optionalMember(integer),
});
/** The v2 record of an order, in the answers of list orders v2 and get order v3. */
export type OrderRecord = z.output<typeof orderRecord>;

export const listOrdersV2 = operation({
  name: 'listOrdersV2',
  method: 'GET',
  path: '/api/exchange/2/listorders',
  source: 'facts',
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description: 'Lists open or closed orders, newest first.',
  parameters: {
    pair: optional(text(20), 'only this pair'),
    closed: optional(flag, 'true: closed orders instead of open ones'),
    created_before: optional(timeMs, 'only orders created before this'),
    limit: listLimit,
  },
  errors: ['ErrLimitOutOfRange'],
  response: z.object({ orders: list(orderRecord) }),
});

export const getOrderV3 = operation({
  name: 'getOrderV3',
  method: 'GET',
  path: '/api/exchange/3/order',
  source: 'facts',
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description: 'Returns one order, by exactly one of its ids.',
  parameters: {
    id: optional(text(100), "the exchange's id"),
    client_order_id: optional(text(255), "the caller's id"),
  },
  errors: ['ErrOrderNotFound', 'ErrInvalidArguments'],
  response: orderRecord,
});

const userTrade = z.object({
  order_id: z.string().min(1),
  client_order_id: optionalText,
  pair: z.string(),
  // The 64-bit trade sequence is a JSON number on the wire.
  sequence: integerId,
  // The taker's side: true means that the taker bought.
  is_buy: z.boolean(),
  // Our side.
  type: openEnumeration(['BID', 'ASK']),
  price: amount,
  volume: amount,
  base: amount,
  counter: amount,
  fee_base: amount,
  fee_counter: amount,
  timestamp: time,
});
/** One of our trades, in the answer of listtrades. */
export type UserTrade = z.output<typeof userTrade>;

export const listtrades = operation({
  name: 'listtrades',
  method: 'GET',
  path: '/api/1/listtrades',
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description:
    'Lists own trades of a pair, oldest first unless before or sort_desc is given. May lag.',
  parameters: {
    pair,
    since: optional(timeMs, 'on or after'),
    before: optional(timeMs, 'strictly before'),
    after_seq: optional(int64, 'from this trade sequence, included'),
    before_seq: optional(int64, 'to this trade sequence, excluded'),
    sort_desc: optional(flag, 'newest first; false changes nothing where before is given'),
    limit: listLimit,
  },
  errors: ['ErrMarketUnavailable', 'ErrLimitOutOfRange'],
  response: z.object({ trades: list(userTrade) }),
});
