/**
 * Reads Luno in the terms of the port: writes each request as a call of one operation, and reads
 * its reply back.
 */
import { DecodeError } from '../../../domain/errors.ts';
import { marketRulesOf } from '../../../execution/reconcile/listed-market.ts';
import { isWrong, sortedRows, wrongText } from '../../../venue/row-checks.ts';
import type { VenueReader } from '../../../venue/venue-reader.ts';
import type { Answers, Failure, Page, VenueReply, WrongValue } from '../../../venue/venue-reply.ts';
import type {
  ReadKind,
  ReadRequest,
  RequestKind,
  RequestOf,
} from '../../../venue/venue-request.ts';
import type { ParametersOf, ResponseOf } from '../api/operation.ts';
import type { OperationName, Operations } from '../api/operations.ts';
import type { Reply } from '../api/reply.ts';
import { tradePageAt } from '../api/trade-pages.ts';
import { balanceOf, movementViewOf } from './decode-accounts.ts';
import { candleViewOf, lastTradeOf } from './decode-markets.ts';
import { orderViewOf, tradeViewOf } from './decode-orders.ts';
import {
  afterCandles,
  afterMovements,
  afterOrders,
  afterTrades,
  movementPage,
  orderPage,
  type PageEnd,
} from './paging.ts';
import { lunoProperties } from './properties.ts';
import { reasonOf } from './reasons.ts';

/** Sends one call, and returns its reply as the wire has it. */
export type WireCall = <Name extends OperationName>(
  name: Name,
  parameters: ParametersOf<Operations[Name]>,
) => Promise<Reply<Name>>;

/** The operation of each kind of request. */
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
  candles: 'candles',
} as const satisfies Record<RequestKind, OperationName>;

type OperationOf<Kind extends ReadKind> = (typeof operationOf)[Kind];
type BodyOf<Kind extends ReadKind> = ResponseOf<Operations[OperationOf<Kind>]>;

/** How one kind of request is written, and its answer read. */
type Codec<Kind extends ReadKind> = {
  readonly write: (request: RequestOf<Kind>) => ParametersOf<Operations[OperationOf<Kind>]>;
  /** Throws DecodeError for an answer that proves nothing. */
  readonly read: (body: BodyOf<Kind>, request: RequestOf<Kind>) => Answers[Kind];
};

const codecs: { readonly [Kind in ReadKind]: Codec<Kind> } = {
  order: {
    write: ({ orderId, clientOrderId }) =>
      orderId === undefined ? { client_order_id: clientOrderId } : { id: orderId },
    read: (record) => {
      const view = orderViewOf(record);
      if (isWrong(view)) throw new DecodeError(wrongText(view));
      return view;
    },
  },
  orders: {
    write: ({ which, cursor }) => ({ closed: which === 'ended', ...orderPage(cursor) }),
    read: ({ orders }, { cursor, sinceMs }) =>
      pageOf(orders.map(orderViewOf), afterOrders(orders, cursor, sinceMs)),
  },
  'own-trades': {
    write: (request) => {
      const { pair, sinceMs } = request;
      const since = sinceMs === undefined ? {} : { since: Math.max(0, Math.trunc(sinceMs)) };
      return { pair, ...since, ...tradePageAt(sequenceOf(request)) };
    },
    read: ({ trades }, request) =>
      pageOf(
        trades.map((trade) => tradeViewOf(trade, request.pair)),
        afterTrades(trades, sequenceOf(request)),
      ),
  },
  movements: {
    write: ({ account, cursor }) => ({ id: account, ...movementPage(cursor) }),
    read: ({ transactions }, { account, cursor }) =>
      pageOf(
        transactions.map((entry) => movementViewOf(entry, account)),
        afterMovements(transactions, cursor),
      ),
  },
  balances: {
    write: () => ({}),
    read: ({ balance }) => balance.map(balanceOf),
  },
  markets: {
    write: ({ pairs }) => (pairs === undefined ? {} : { pair: pairs }),
    read: ({ markets }) => pageOf(markets.map(marketRulesOf), { end: 'complete' }),
  },
  fees: {
    write: ({ pair }) => ({ pair }),
    read: (fees) => ({ maker: fees.maker_fee, taker: fees.taker_fee }),
  },
  'last-trade': {
    write: ({ pair }) => ({ pair }),
    read: (ticker, { pair }) => lastTradeOf(ticker, pair),
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

/** A list of everything begins at the first sequence; one since a time, at the time. */
function sequenceOf({ cursor, from, sinceMs }: RequestOf<'own-trades'>): string | undefined {
  return cursor ?? from ?? (sinceMs === undefined ? '1' : undefined);
}

function placeOf(cursor: string | undefined, fromMs: number): number {
  return cursor === undefined ? fromMs : Number.parseInt(cursor, 10);
}

function pageOf<Row extends object>(rows: readonly (Row | WrongValue)[], end: PageEnd): Page<Row> {
  return { ...sortedRows(rows), ...end };
}

/** Returns a reader that sends its requests through `call`. */
export function createLunoReader(call: WireCall): VenueReader {
  return {
    properties: lunoProperties,
    ask: async <Request extends ReadRequest>(request: Request) => {
      const kind: Request['kind'] = request.kind;
      // Each kind's codec takes the requests of that kind.
      const { write, read } = codecs[kind] as unknown as Codec<ReadKind>;
      const reply = await call(operationOf[kind], write(request as never) as never);
      return replyOf(kind, reply, (body) => read(body as never, request as never) as never);
    },
  };
}

function replyOf<Kind extends ReadKind>(
  kind: Kind,
  reply: Reply,
  read: (body: unknown) => Answers[Kind],
): VenueReply<Kind> {
  if (reply.kind !== 'ok') return failureOf(kind, reply);
  try {
    return { kind: 'ok', value: read(reply.body), venueTimeMs: reply.exchangeTimeMs };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { kind: 'no-answer', why: error.message };
  }
}

function failureOf(kind: RequestKind, reply: Exclude<Reply, { kind: 'ok' }>): Failure {
  if (reply.kind !== 'refused') return { kind: reply.kind, why: reply.reason };
  const { status, code, message } = reply;
  return { kind: 'refused', ...reasonOf(kind, reply), code: `${status} ${code}`, text: message };
}
