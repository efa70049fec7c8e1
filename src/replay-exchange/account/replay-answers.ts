/** The tape exchange's answer to each operation that an engine sends, in the interface's shapes. */
import { formatAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { askedRowsOf, newestOrders, pageOfTrades } from '../../exchange-accounts/account-lists.ts';
import { type AccountRefusal, refused } from '../../exchange-accounts/account-refusal.ts';
import { firstKeptRowOf, rowsBetween } from '../../exchange-accounts/ledger.ts';
import { balanceRecordOf, transactionEntryOf } from '../../exchange-accounts/ledger-records.ts';
import { orderRecordOf } from '../../exchange-accounts/order-records.ts';
import { type ErrorCode, errorCodes } from '../../exchange-api/error-codes.ts';
import { marketRecordOf } from '../../exchange-api/market-record.ts';
import type { ParametersOf, ResponseOf } from '../../exchange-api/operation.ts';
import type { OperationName, Operations } from '../../exchange-api/operations.ts';
import type { Reply } from '../../exchange-api/reply.ts';
import type { ReplayAccount } from './replay-account.ts';

type Answer<Name extends OperationName> = (
  parameters: ParametersOf<Operations[Name]>,
  holder: ReplayAccount,
  atMicros: number,
) => ResponseOf<Operations[Name]> | AccountRefusal;

const refuse = (code: ErrorCode) => refused(code, errorCodes[code].meaning);

const answers = {
  postorder: (parameters, { desks }, atMicros) => {
    const placed = desks.get(parameters.pair)?.place(parameters, atMicros);
    if (placed === undefined) return refuse('ErrMarketUnavailable');
    return placed.kind === 'refused' ? refuse(placed.code) : { order_id: placed.order.id };
  },
  stoporder: ({ order_id: orderId }, holder, atMicros) =>
    holder.deskOf(orderId)?.cancel(orderId, atMicros) === true
      ? { success: true }
      : refuse('ErrCannotStopUnknownOrNonPendingOrder'),
  getOrderV3: ({ id, client_order_id: clientOrderId }, holder) => {
    if ((id === undefined) === (clientOrderId === undefined)) return refuse('ErrInvalidArguments');
    const ours = clientOrderId ?? '';
    const desk = id === undefined ? holder.deskOfClientId(ours) : holder.deskOf(id);
    const order = id === undefined ? desk?.orderByClientId(ours) : desk?.orders.get(id);
    return desk === undefined || order === undefined
      ? refuse('ErrOrderNotFound')
      : orderRecordOf(order, desk.market, formatAmount);
  },
  listOrdersV2: (parameters, holder) => {
    const { pair, closed: isClosed = false } = parameters;
    const orders = newestOrders(
      holder.orderIdsOf(pair, !isClosed),
      (id) => {
        const order = holder.deskOf(id)?.orders.get(id);
        return order?.status === (isClosed ? 'COMPLETE' : 'PENDING') ? order : undefined;
      },
      parameters,
    );
    const marketOf = marketsOf(holder);
    return { orders: orders.map((one) => orderRecordOf(one, marketOf(one.pair), formatAmount)) };
  },
  listtrades: (parameters, { desks }) => {
    const desk = desks.get(parameters.pair);
    if (desk === undefined) return refuse('ErrMarketUnavailable');
    const page = pageOfTrades(desk.trades.items, parameters);
    return { trades: page.map((trade) => desk.recordOf(trade)) };
  },
  markets: ({ pair: pairs }, { desks }) => ({
    markets: [...desks.values()]
      .filter(({ market }) => pairs === undefined || pairs.includes(market.pair))
      .map(({ market, tape }) => marketRecordOf({ ...market, status: tape.status })),
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
  transactions: ({ id, ...asked }, holder) => {
    const account = [...holder.accounts.values()].find((one) => one.id === id);
    if (account === undefined) return refuse('ErrAccountNotFound');
    const range = askedRowsOf(account, asked);
    if (range.kind === 'refused') return range;
    const firstKept = firstKeptRowOf(account);
    assert(
      firstKept === 1 || range.first >= firstKept,
      `row ${range.first} is asked for, those before ${firstKept} are forgotten`,
    );
    const rows = rowsBetween(account, range.first, range.end);
    const texts = { format: formatAmount, marketOf: marketsOf(holder) };
    return { id, transactions: rows.map((row) => transactionEntryOf(account, row, texts)) };
  },
} satisfies { readonly [Name in OperationName]?: Answer<Name> };

function marketsOf({ desks }: ReplayAccount): (pair: string) => Market {
  return (pair) => {
    const desk = desks.get(pair);
    assert(desk !== undefined, `${pair} must have a desk`);
    return desk.market;
  };
}

function isRefusal(body: object): body is AccountRefusal {
  return 'kind' in body && body.kind === 'refused';
}

/** Answers a request that reaches the exchange at `atMicros`, its time. */
export function answerRequest(
  holder: ReplayAccount,
  request: { readonly operation: OperationName; readonly parameters: object },
  atMicros: number,
): Reply {
  const { operation, parameters } = request;
  if (!Object.hasOwn(answers, operation))
    return { kind: 'not-sent', reason: `the tape exchange has no ${operation}` };
  const answer = answers[operation as keyof typeof answers] as (
    parameters: object,
    holder: ReplayAccount,
    atMicros: number,
  ) => object;
  const body = answer(parameters, holder, atMicros);
  const exchangeTimeMs = Math.floor(atMicros / 1000);
  if (!isRefusal(body)) return { kind: 'ok', status: 200, body, exchangeTimeMs };
  const { status, meaning } = errorCodes[body.code];
  return { kind: 'refused', status, code: body.code, message: meaning, exchangeTimeMs };
}
