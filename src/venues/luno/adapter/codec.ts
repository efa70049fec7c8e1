/**
 * Writes the requests of the port as calls of Luno's operations, and reads the replies back.
 *
 * The egress guard reads written orders on its own: it shares nothing with this.
 */
import { DecodeError } from '../../../domain/errors.ts';
import type { StopCondition } from '../../../domain/limit-order.ts';
import { formatLots, formatTicks, type Scales } from '../../../domain/market.ts';
import { isWrong, sortedRows, wrongText } from '../../../venue/row-checks.ts';
import type { Answers, Failure, Page, VenueReply, WrongValue } from '../../../venue/venue-reply.ts';
import type { RequestKind, RequestOf, VenueRequest } from '../../../venue/venue-request.ts';
import type { ParametersOf, ResponseOf } from '../api/operation.ts';
import type {
  MarketorderParameters,
  OperationName,
  Operations,
  PostorderParameters,
} from '../api/operations.ts';
import type { Reply } from '../api/reply.ts';
import { balanceOf, movementViewOf } from './decode-accounts.ts';
import { candleViewOf, lastTradeOf, marketOf, pricesOf } from './decode-markets.ts';
import { orderViewOf, tradeViewOf } from './decode-orders.ts';
import {
  afterCandles,
  afterMovements,
  afterOrders,
  afterTrades,
  movementPage,
  orderPage,
  type PageEnd,
  tradePage,
} from './paging.ts';
import { reasonOf } from './reasons.ts';

/** The operation of each kind of request; of a market order, see {@link operationsOf}. */
export const operationOf = {
  place: 'postorder',
  cancel: 'stoporder',
  order: 'getOrderV3',
  orders: 'listOrdersV2',
  'own-trades': 'listtrades',
  movements: 'transactions',
  balances: 'balance',
  markets: 'markets',
  fees: 'feeInfo',
  'last-trade': 'ticker',
  prices: 'tickers',
  candles: 'candles',
} as const satisfies Record<RequestKind, OperationName>;

type OperationOf<Kind extends RequestKind> =
  | (typeof operationOf)[Kind]
  | (Kind extends 'place' ? 'marketorder' : never);

/** Returns the operations of a kind of request. */
export function operationsOf(kind: RequestKind): readonly OperationName[] {
  return kind === 'place' ? [operationOf.place, 'marketorder'] : [operationOf[kind]];
}

/** A call as the client takes it. */
export type WireRequest<Kind extends RequestKind = RequestKind> = {
  readonly operation: OperationOf<Kind>;
  readonly parameters: ParametersOf<Operations[OperationOf<Kind>]>;
};

export type ScalesOf = (pair: string) => Scales;

/** How one kind of request is written, and its answer read. */
type Codec<Kind extends RequestKind> = {
  readonly write: (
    request: RequestOf<Kind>,
    scalesOf: ScalesOf,
  ) => ParametersOf<Operations[OperationOf<Kind>]>;
  /** Throws DecodeError for an answer that proves nothing. */
  readonly read: (
    body: ResponseOf<Operations[OperationOf<Kind>]>,
    request: RequestOf<Kind>,
  ) => Answers[Kind] | WrongValue;
};

const codecs: { readonly [Kind in RequestKind]: Codec<Kind> } = {
  place: {
    write: writeOrder,
    read: ({ order_id: orderId }) => ({ orderId }),
  },
  cancel: {
    write: ({ orderId }) => ({ order_id: orderId }),
    read: ({ success }) => {
      if (!success) throw new DecodeError('answered without success');
      return 'taken';
    },
  },
  order: {
    write: ({ orderId, clientOrderId }) =>
      orderId === undefined ? { client_order_id: clientOrderId } : { id: orderId },
    read: orderViewOf,
  },
  orders: {
    write: (request) => ({
      ...(request.pair === undefined ? {} : { pair: request.pair }),
      closed: request.which === 'ended',
      ...orderPage(request),
    }),
    read: ({ orders }, request) => pageOf(orders.map(orderViewOf), afterOrders(orders, request)),
  },
  'own-trades': {
    write: (request) => {
      const { pair, sinceMs } = request;
      const since = sinceMs === undefined ? {} : { since: Math.max(0, Math.trunc(sinceMs)) };
      return { pair, ...since, ...tradePage(sequenceOf(request)) };
    },
    read: ({ trades }, request) =>
      pageOf(
        trades.map((trade) => tradeViewOf(trade, request.pair)),
        afterTrades(trades, sequenceOf(request)),
      ),
  },
  movements: {
    write: (request) => ({ id: request.account, ...movementPage(rowOf(request)) }),
    read: ({ transactions }, request) =>
      pageOf(
        transactions.map((entry) => movementViewOf(entry, request.account)),
        afterMovements(transactions, rowOf(request)),
      ),
  },
  balances: {
    write: () => ({}),
    read: ({ balance }) => balance.map(balanceOf),
  },
  markets: {
    write: ({ pairs }) => (pairs === undefined ? {} : { pair: pairs }),
    read: ({ markets }) => pageOf(markets.map(marketOf), { end: 'complete' }),
  },
  fees: {
    write: ({ pair }) => ({ pair }),
    read: (fees) => ({ maker: fees.maker_fee, taker: fees.taker_fee }),
  },
  'last-trade': {
    write: ({ pair }) => ({ pair }),
    read: (ticker, { pair }) => lastTradeOf(ticker, pair),
  },
  prices: {
    write: () => ({}),
    read: ({ tickers }) => pageOf(tickers.map(pricesOf), { end: 'complete' }),
  },
  candles: {
    write: ({ pair, intervalMs, fromMs, cursor }) => ({
      pair,
      since: placeOf(cursor, fromMs),
      duration: intervalMs / 1000,
    }),
    read: ({ candles }, { pair, intervalMs, fromMs, cursor }) =>
      pageOf(
        candles.map((candle) => candleViewOf(candle, pair)),
        afterCandles(candles, placeOf(cursor, fromMs), intervalMs),
      ),
  },
};

/** Writes an order as its row in the store has it: the egress guard compares the texts. */
function writeOrder(
  order: RequestOf<'place'>,
  scalesOf: ScalesOf,
): PostorderParameters | MarketorderParameters {
  const placement = {
    base_account_id: order.baseAccountId,
    counter_account_id: order.counterAccountId,
    timestamp: order.timestampMs,
    ttl: order.ttlMs,
    client_order_id: order.clientOrderId,
  };
  const { pair, pays } = order;
  if (pays !== undefined)
    return order.side === 'BID'
      ? { pair, type: 'BUY', counter_volume: pays, ...placement }
      : { pair, type: 'SELL', base_volume: pays, ...placement };
  const scales = scalesOf(pair);
  return {
    pair,
    type: order.side,
    price: formatTicks(order.price, scales),
    volume: formatLots(order.volume, scales),
    time_in_force: order.timeInForce,
    // Some servers refuse `post_only: false` with IOC and FOK, so only true is sent.
    ...(order.postOnly ? { post_only: true } : {}),
    ...stopParametersOf(order.stop, scales),
    ...placement,
  };
}

function stopParametersOf(
  stop: StopCondition | undefined,
  scales: Scales,
): Pick<PostorderParameters, 'stop_price' | 'stop_direction'> {
  if (stop === undefined) return noStop;
  return { stop_price: formatTicks(stop.price, scales), stop_direction: stop.direction };
}

const noStop = {};

/** A list of everything begins at the first sequence; one since a time, at the time. */
function sequenceOf({ cursor, from, sinceMs }: RequestOf<'own-trades'>): string | undefined {
  return cursor ?? from ?? (sinceMs === undefined ? '1' : undefined);
}

function rowOf({ cursor, fromRow = 1 }: RequestOf<'movements'>): number {
  return placeOf(cursor, fromRow);
}

function placeOf(cursor: string | undefined, first: number): number {
  return cursor === undefined ? first : Number.parseInt(cursor, 10);
}

function pageOf<Row extends object>(rows: readonly (Row | WrongValue)[], end: PageEnd): Page<Row> {
  return { ...sortedRows(rows), ...end };
}

function codecOf(kind: RequestKind): Codec<RequestKind> {
  // Each kind's codec takes the requests and answers of that kind.
  return codecs[kind] as unknown as Codec<RequestKind>;
}

export function wireRequestOf<Request extends VenueRequest>(
  request: Request,
  scalesOf: ScalesOf,
): WireRequest<Request['kind']> {
  const kind: Request['kind'] = request.kind;
  const parameters = codecOf(kind).write(request as never, scalesOf);
  const isMarketOrder = request.kind === 'place' && request.pays !== undefined;
  const operation = isMarketOrder ? 'marketorder' : operationOf[kind];
  return { operation, parameters } as WireRequest<Request['kind']>;
}

export function venueReplyOf<Request extends VenueRequest>(
  request: Request,
  reply: Reply,
): VenueReply<Request['kind']> {
  const kind: Request['kind'] = request.kind;
  if (reply.kind !== 'ok') return failureOf(kind, reply);
  const { callLimit, exchangeTimeMs: venueTimeMs } = reply;
  try {
    const value = codecOf(kind).read(reply.body as never, request as never);
    if (typeof value === 'object' && isWrong(value))
      return { kind: 'no-answer', why: wrongText(value), wrong: value, venueTimeMs };
    return { kind: 'ok', value: value as Answers[Request['kind']], venueTimeMs, callLimit };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { kind: 'no-answer', why: error.message, venueTimeMs };
  }
}

function failureOf(kind: RequestKind, reply: Exclude<Reply, { kind: 'ok' }>): Failure {
  switch (reply.kind) {
    case 'refused': {
      const { status, code, message: text, exchangeTimeMs: venueTimeMs } = reply;
      const { callLimit, retryAfterMs } = reply;
      return {
        ...{ kind: 'refused', ...reasonOf(kind, reply), code: `${status} ${code}`, text },
        ...{ venueTimeMs, callLimit, retryAfterMs },
      };
    }
    case 'not-sent':
      return { kind: 'not-sent', why: reply.reason, isBlocked: reply.isBlocked };
    case 'no-answer':
      return { kind: 'no-answer', why: reply.reason, venueTimeMs: reply.exchangeTimeMs };
  }
}
