/** The replay exchange's answers to the operations that an engine uses, in the exchange's format. */
import { formatAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import { type Market, parseLots, parseTicks } from '../../domain/market.ts';
import { firstKeptRowOf, rowsBetween } from '../../exchange-accounts/ledger.ts';
import { failedTimeInForce } from '../../exchange-accounts/order-checks.ts';
import type { PlaceRequest } from '../../venue/venue-request.ts';
import { type ErrorCode, errorCodes } from '../../venues/luno/api/error-codes.ts';
import { limits } from '../../venues/luno/api/limits.ts';
import { marketRecordOf } from '../../venues/luno/api/market-record.ts';
import type { ParametersOf, ResponseOf } from '../../venues/luno/api/operation.ts';
import type { OperationName, Operations } from '../../venues/luno/api/operations.ts';
import type { Reply } from '../../venues/luno/api/reply.ts';
import {
  askedRowsOf,
  newestOrders,
  pageOfTrades,
} from '../../venues/luno/simulator/core/account-lists.ts';
import { balanceRecordOf } from '../../venues/luno/simulator/core/ledger-records.ts';
import { orderRecordOf, userTradeOf } from '../../venues/luno/simulator/core/order-records.ts';
import { refuseNumber } from '../../venues/luno/simulator/trading/order-terms.ts';
import { LazyLedgerEntry } from './lazy-ledger-entry.ts';
import type { ReplayAccount } from './replay-account.ts';
import type { FailedOrderCheck } from './replay-order-rules.ts';

/** A refusal. It is a class so that `instanceof` distinguishes it from an answer. */
class Refusal {
  readonly code: ErrorCode;

  constructor(code: ErrorCode) {
    this.code = code;
  }
}

type Answer<Name extends OperationName> = (
  parameters: ParametersOf<Operations[Name]>,
  account: ReplayAccount,
  atMicros: number,
) => ResponseOf<Operations[Name]> | Refusal;

type Answers = { readonly [Name in OperationName]?: Answer<Name> };

const refuse = (code: ErrorCode) => new Refusal(code);

const stopped = Object.freeze({ success: true });

const answers: Answers = {
  postorder: (parameters, account, atMicros) => {
    const accountMarket = account.markets.get(parameters.pair);
    if (accountMarket === undefined) return refuse('ErrMarketUnavailable');
    const request = requestOf(parameters, accountMarket.market, account);
    if (request.kind === 'refused') return refuse(request.code);
    const placed = accountMarket.place(request, atMicros);
    return placed.kind === 'refused' ? refuse(codes[placed.failed]) : { order_id: placed.order.id };
  },
  stoporder: ({ order_id: orderId }, account, atMicros) =>
    account.cancel(orderId, atMicros) ? stopped : refuse('ErrCannotStopUnknownOrNonPendingOrder'),
  getOrderV3: ({ id, client_order_id: clientOrderId }, account) => {
    if ((id === undefined) === (clientOrderId === undefined)) return refuse('ErrInvalidArguments');
    const order =
      id === undefined ? account.orderOfClientId(clientOrderId ?? '') : account.orderOf(id);
    return order === undefined
      ? refuse('ErrOrderNotFound')
      : orderRecordOf(order, account.marketOf(order.pair), formatAmount);
  },
  listOrdersV2: (parameters, account) => {
    const { pair, closed: isClosed = false } = parameters;
    const orders = newestOrders(
      account.orderIdsOf(pair, !isClosed),
      (id) => {
        const order = account.orderOf(id);
        return order?.status === (isClosed ? 'COMPLETE' : 'PENDING') ? order : undefined;
      },
      parameters,
    );
    return {
      orders: orders.map((order) =>
        orderRecordOf(order, account.marketOf(order.pair), formatAmount),
      ),
    };
  },
  listtrades: (parameters, { markets }) => {
    const accountMarket = markets.get(parameters.pair);
    if (accountMarket === undefined) return refuse('ErrMarketUnavailable');
    const page = pageOfTrades(accountMarket.trades.items, parameters);
    return { trades: page.map((trade) => userTradeOf(trade, accountMarket.market, formatAmount)) };
  },
  markets: ({ pair: pairs }, { markets }) => ({
    markets: [...markets.values()]
      .filter(({ market }) => pairs === undefined || pairs.includes(market.pair))
      .map(({ market, fillModel }) => marketRecordOf({ ...market, status: fillModel.status })),
  }),
  balance: ({ assets }, { accounts }) => ({
    balance: [...accounts.values()]
      .filter((account) => assets === undefined || assets.includes(account.currency))
      .map((account) => ({
        ...balanceRecordOf(account, formatAmount),
        unconfirmed: '0',
        name: account.currency,
      })),
  }),
  transactions: (asked, replayAccount) => {
    const { id } = asked;
    const account = replayAccount.accountOf(id);
    if (account === undefined) return refuse('ErrAccountNotFound');
    const range = askedRowsOf(account, asked);
    if (range.kind === 'refused') return refuse(range.code);
    const firstKept = firstKeptRowOf(account);
    if (firstKept > 1 && range.first < firstKept)
      assert(
        false,
        `row ${range.first} was requested, but the oldest that is kept is ${firstKept}`,
      );
    const rows = rowsBetween(account, range.first, range.end);
    const texts = { format: formatAmount, marketOf: replayAccount.marketOf };
    return { id, transactions: rows.map((row) => new LazyLedgerEntry(account, row, texts)) };
  },
};

const codes: Readonly<Record<FailedOrderCheck, ErrorCode>> = {
  'market-closed': 'ErrMarketUnavailable',
  expired: 'ErrDeadlineExceeded',
  'id-used': 'ErrDuplicateClientOrderID',
  'post-only-time-in-force': 'ErrPostOnlyNotAllowed',
  'price-not-positive': 'ErrInvalidPrice',
  'price-below-minimum': 'ErrPriceTooLow',
  'price-above-maximum': 'ErrPriceTooHigh',
  'volume-not-positive': 'ErrInvalidVolume',
  'volume-below-minimum': 'ErrVolumeTooLow',
  'volume-above-maximum': 'ErrVolumeTooHigh',
  'account-unknown': 'ErrAccountNotFound',
  'account-currency': 'ErrInvalidAccountID',
  'market-post-only': 'ErrPostOnlyMode',
  'insufficient-funds': 'ErrInsufficientBalance',
  'would-take': 'ErrOrderCanceled',
};

/** Returns the order that the parameters describe. */
function requestOf(
  parameters: ParametersOf<Operations['postorder']>,
  market: Market,
  { accounts }: ReplayAccount,
): PlaceRequest | { readonly kind: 'refused'; readonly code: ErrorCode } {
  const { time_in_force: timeInForce = 'GTC', post_only: postOnly = false } = parameters;
  const price = parseTicks(parameters.price, market);
  const volume = parseLots(parameters.volume, market);
  if ((price === undefined || volume === undefined) && failedTimeInForce({ timeInForce, postOnly }))
    return { kind: 'refused', code: 'ErrPostOnlyNotAllowed' };
  if (price === undefined) return refuseNumber('price', parameters.price, market.priceScale);
  if (volume === undefined) return refuseNumber('volume', parameters.volume, market.volumeScale);
  return {
    kind: 'place',
    clientOrderId: parameters.client_order_id ?? '',
    pair: parameters.pair,
    side: parameters.type,
    price,
    volume,
    timeInForce,
    postOnly,
    baseAccountId: parameters.base_account_id ?? accounts.get(market.base)?.id ?? '',
    counterAccountId: parameters.counter_account_id ?? accounts.get(market.counter)?.id ?? '',
    timestampMs: parameters.timestamp ?? Infinity,
    ttlMs: parameters.ttl ?? limits.ttlMsDefault,
  };
}

type AnyAnswer = (parameters: object, account: ReplayAccount, atMicros: number) => object;

const answersByName: ReadonlyMap<string, AnyAnswer> = new Map(
  Object.entries(answers as Readonly<Record<string, AnyAnswer>>),
);

/** Answers a request that reaches the exchange at `atMicros`, in the exchange's time. */
export function answerRequest(
  account: ReplayAccount,
  request: { readonly operation: OperationName; readonly parameters: object },
  atMicros: number,
): Reply {
  const { operation, parameters } = request;
  const answer = answersByName.get(operation);
  if (answer === undefined)
    return { kind: 'not-sent', reason: `the replay exchange has no ${operation}` };
  const body = answer(parameters, account, atMicros);
  const exchangeTimeMs = Math.floor(atMicros / 1000);
  if (!(body instanceof Refusal)) return { kind: 'ok', status: 200, body, exchangeTimeMs };
  const { status, meaning } = errorCodes[body.code];
  return { kind: 'refused', status, code: body.code, message: meaning, exchangeTimeMs };
}
