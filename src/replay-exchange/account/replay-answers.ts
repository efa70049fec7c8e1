/** The tape exchange's answer to each operation that an engine sends, in the interface's shapes. */
import { formatAmount } from '../../domain/amount.ts';
import { type ErrorCode, errorCodes } from '../../exchange-api/error-codes.ts';
import { limits } from '../../exchange-api/limits.ts';
import { marketRecordOf } from '../../exchange-api/market-record.ts';
import type { ParametersOf, ResponseOf } from '../../exchange-api/operation.ts';
import type { OperationName, Operations } from '../../exchange-api/operations.ts';
import type { Reply } from '../../exchange-api/reply.ts';
import type { AccountMarket } from './account-market.ts';
import type { ReplayAccount } from './replay-account.ts';
import { orderRecordOf, type ReplayOrder } from './replay-order.ts';

type Refused = { readonly refused: ErrorCode };
type Answer<Name extends OperationName> = (
  parameters: ParametersOf<Operations[Name]>,
  holder: ReplayAccount,
  atMicros: number,
) => ResponseOf<Operations[Name]> | Refused;

const refuse = (code: ErrorCode): Refused => ({ refused: code });

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
      : orderRecordOf(order, desk.market);
  },
  listOrdersV2: (parameters, { desks }) => {
    const { pair, closed = false, created_before: createdBefore, limit } = parameters;
    const found: (readonly [ReplayOrder, AccountMarket])[] = [];
    const asked = pair === undefined ? [...desks.values()] : [desks.get(pair)];
    for (const desk of asked)
      for (const order of desk?.orders.values() ?? []) {
        if ((order.status === 'COMPLETE') !== closed) continue;
        if (createdBefore !== undefined && order.createdMs >= createdBefore) continue;
        if (desk !== undefined) found.push([order, desk]);
      }
    // Ids are given in the order of time, whatever the market.
    found.sort(([a], [b]) => (a.id < b.id ? 1 : -1));
    const page = found.slice(0, limit ?? limits.listLimitDefault);
    return { orders: page.map(([order, desk]) => orderRecordOf(order, desk.market)) };
  },
  listtrades: (parameters, { desks }) => {
    const { pair, since = 0, before, after_seq: afterSequence } = parameters;
    const desk = desks.get(pair);
    if (desk === undefined) return refuse('ErrMarketUnavailable');
    const first = afterSequence === undefined ? undefined : BigInt(afterSequence);
    const end = parameters.before_seq === undefined ? undefined : BigInt(parameters.before_seq);
    // Times ascend, so what is too old is found from the newest end.
    const { items } = desk.trades;
    const old = items.findLastIndex((trade) => trade.timeMs < since);
    const found = items
      .slice(old + 1)
      .filter(
        (trade) =>
          (before === undefined || trade.timeMs < before) &&
          (first === undefined || BigInt(trade.sequence) >= first) &&
          (end === undefined || BigInt(trade.sequence) < end),
      );
    if (parameters.sort_desc === true || before !== undefined) found.reverse();
    const page = found.slice(0, parameters.limit ?? limits.listLimitDefault);
    return { trades: page.map((trade) => trade.told) };
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
        account_id: account.id,
        asset: account.currency,
        balance: formatAmount(account.balance),
        reserved: formatAmount(account.reserved),
        unconfirmed: '0',
        name: account.currency,
      })),
  }),
  transactions: ({ id, min_row: minRow, max_row: maxRow }, { accounts }) => {
    const account = [...accounts.values()].find((one) => one.id === id);
    if (account === undefined) return refuse('ErrAccountNotFound');
    const [first, end] = [BigInt(minRow), BigInt(maxRow)];
    if (end - first > BigInt(limits.ledgerRowsPerCallMax)) return refuse('ErrTooManyRowsRequested');
    return { id, transactions: [...account.rowsBetween(first, end)] };
  },
} satisfies { readonly [Name in OperationName]?: Answer<Name> };

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
  if (!('refused' in body)) return { kind: 'ok', status: 200, body, exchangeTimeMs };
  const code = (body as Refused).refused;
  const { status, meaning } = errorCodes[code];
  return { kind: 'refused', status, code, message: meaning, exchangeTimeMs };
}
