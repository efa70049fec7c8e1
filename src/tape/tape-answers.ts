/** The tape exchange's answer to each operation that an engine sends, in the interface's shapes. */
import { type ErrorCode, errorCodes } from '../interface/errors.ts';
import { limits } from '../interface/limits.ts';
import type { ParametersOf, ResponseOf } from '../interface/operation.ts';
import type { OrderRecord } from '../interface/operations/orders.ts';
import type { OperationName, Operations } from '../interface/operations.ts';
import type { Reply } from '../interface/reply.ts';
import { formatAtoms } from './atoms.ts';
import type { TapeDesk } from './tape-desk.ts';
import { orderRecordOf } from './tape-order.ts';

type Refused = { readonly refused: ErrorCode };
type Answer<Name extends OperationName> = (
  parameters: ParametersOf<Operations[Name]>,
  desk: TapeDesk,
  atMicros: number,
) => ResponseOf<Operations[Name]> | Refused;

const refuse = (code: ErrorCode): Refused => ({ refused: code });

const answers = {
  postorder: (parameters, desk, atMicros) => {
    const placed = desk.place(parameters, atMicros);
    return placed.kind === 'refused' ? refuse(placed.code) : { order_id: placed.order.id };
  },
  stoporder: ({ order_id: orderId }, desk, atMicros) =>
    desk.cancel(orderId, atMicros)
      ? { success: true }
      : refuse('ErrCannotStopUnknownOrNonPendingOrder'),
  getOrderV3: ({ id, client_order_id: clientOrderId }, desk) => {
    if ((id === undefined) === (clientOrderId === undefined)) return refuse('ErrInvalidArguments');
    const order =
      id === undefined ? desk.orderByClientId(clientOrderId ?? '') : desk.orders.get(id);
    return order === undefined ? refuse('ErrOrderNotFound') : orderRecordOf(order, desk.market);
  },
  listOrdersV2: (parameters, desk) => {
    const { pair, closed = false, created_before: createdBefore, limit } = parameters;
    const orders: OrderRecord[] = [];
    if (pair !== undefined && pair !== desk.market.pair) return { orders };
    const countMax = limit ?? limits.listLimitDefault;
    for (const order of [...desk.orders.values()].reverse()) {
      if (orders.length === countMax) break;
      if ((order.status === 'COMPLETE') !== closed) continue;
      if (createdBefore !== undefined && order.createdMs >= createdBefore) continue;
      orders.push(orderRecordOf(order, desk.market));
    }
    return { orders };
  },
  listtrades: (parameters, desk) => {
    const { pair, since = 0, before, after_seq: afterSequence } = parameters;
    if (pair !== desk.market.pair) return refuse('ErrMarketUnavailable');
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
  balance: ({ assets }, desk) => ({
    balance: [...desk.accounts.values()]
      .filter((account) => assets === undefined || assets.includes(account.currency))
      .map((account) => ({
        account_id: account.id,
        asset: account.currency,
        balance: formatAtoms(account.balance),
        reserved: formatAtoms(account.reserved),
        unconfirmed: '0',
        name: account.currency,
      })),
  }),
  transactions: ({ id, min_row: minRow, max_row: maxRow }, desk) => {
    const account = [...desk.accounts.values()].find((one) => one.id === id);
    if (account === undefined) return refuse('ErrAccountNotFound');
    const [first, end] = [BigInt(minRow), BigInt(maxRow)];
    if (end - first > BigInt(limits.ledgerRowsPerCallMax)) return refuse('ErrTooManyRowsRequested');
    return { id, transactions: [...account.rowsBetween(first, end)] };
  },
} satisfies { readonly [Name in OperationName]?: Answer<Name> };

/** Answers a request that reaches the exchange at `atMicros`, its time. */
export function answerRequest(
  desk: TapeDesk,
  request: { readonly operation: OperationName; readonly parameters: object },
  atMicros: number,
): Reply {
  const { operation, parameters } = request;
  if (!Object.hasOwn(answers, operation))
    return { kind: 'not-sent', reason: `the tape exchange has no ${operation}` };
  const answer = answers[operation as keyof typeof answers] as (
    parameters: object,
    desk: TapeDesk,
    atMicros: number,
  ) => object;
  const body = answer(parameters, desk, atMicros);
  const exchangeTimeMs = Math.floor(atMicros / 1000);
  if (!('refused' in body)) return { kind: 'ok', status: 200, body, exchangeTimeMs };
  const code = (body as Refused).refused;
  const { status, meaning } = errorCodes[code];
  return { kind: 'refused', status, code, message: meaning, exchangeTimeMs };
}
