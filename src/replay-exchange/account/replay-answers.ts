/** The replay exchange's answers to the operations that an engine uses, in the exchange's format. */
import { formatAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import { askedRowsOf, newestOrders, pageOfTrades } from '../../exchange-accounts/account-lists.ts';
import { LazyLedgerEntry } from '../../exchange-accounts/lazy-ledger-entry.ts';
import { firstKeptRowOf, rowsBetween } from '../../exchange-accounts/ledger.ts';
import { balanceRecordOf } from '../../exchange-accounts/ledger-records.ts';
import { orderRecordOf } from '../../exchange-accounts/order-records.ts';
import { type ErrorCode, errorCodes } from '../../venues/luno/api/error-codes.ts';
import { marketRecordOf } from '../../venues/luno/api/market-record.ts';
import type { ParametersOf, ResponseOf } from '../../venues/luno/api/operation.ts';
import type { OperationName, Operations } from '../../venues/luno/api/operations.ts';
import type { Reply } from '../../venues/luno/api/reply.ts';
import type { ReplayAccount } from './replay-account.ts';

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
  postorder: (parameters, { markets }, atMicros) => {
    const placed = markets.get(parameters.pair)?.place(parameters, atMicros);
    if (placed === undefined) return refuse('ErrMarketUnavailable');
    return placed.kind === 'refused' ? refuse(placed.code) : { order_id: placed.order.id };
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
    return { trades: page.map((trade) => accountMarket.recordOf(trade)) };
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
