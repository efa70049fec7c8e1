/** Answers of fees, orders and own trades. */
import { formatLots, formatTicks, formatValue, type Market } from '../domain/market.ts';
import { formatScaled } from '../domain/money.ts';
import { limits } from '../interface/limits.ts';
import type { UserTrade } from '../interface/operations/orders.ts';
import type { ExecutedTrade } from './exchange-state.ts';
import { formatFeeRate } from './fee-rate.ts';
import type { Handlers } from './handlers.ts';
import { checkOrder, refuse } from './order-check.ts';
import { orderRecordOf } from './simulated-order.ts';
import { formatUnits } from './units.ts';

const dayMs = 86_400_000;

export const orderHandlers: Pick<
  Handlers,
  'feeInfo' | 'postorder' | 'stoporder' | 'listOrdersV2' | 'getOrderV3' | 'listtrades'
> = {
  feeInfo: ({ pair }, { exchange, user }) => {
    const market = exchange.state.markets.get(pair)?.market;
    if (market === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
    const maker = formatFeeRate(user().fees.maker);
    const taker = formatFeeRate(user().fees.taker);
    const midnightMs = Math.floor(exchange.timeMs / dayMs) * dayMs;
    let volume = 0;
    for (const trade of user().trades)
      if (
        trade.pair === pair &&
        trade.timeMs < midnightMs &&
        trade.timeMs >= midnightMs - 30 * dayMs
      )
        volume += trade.volume;
    return {
      maker_fee: maker,
      maker_fee_buy: maker,
      maker_fee_sell: maker,
      taker_fee: taker,
      taker_fee_buy: taker,
      taker_fee_sell: taker,
      thirty_day_volume: formatScaled(volume, market.volumeScale),
    };
  },

  postorder: (parameters, { exchange, user, apply }) => {
    const market = exchange.state.markets.get(parameters.pair)?.market;
    const checked = checkOrder(parameters, {
      user: user(),
      market,
      book: market && exchange.bookOf(market.pair).book,
      accounts: exchange.state.accounts,
      nowMs: exchange.timeMs,
    });
    if (checked.kind === 'refused') return checked;
    return { order_id: apply({ kind: 'place', userId: user().id, parameters }) };
  },

  stoporder: ({ order_id: orderId }, { exchange, user, apply }) => {
    if (exchange.orderOf(user().id, orderId)?.status !== 'PENDING')
      return refuse(
        'ErrCannotStopUnknownOrNonPendingOrder',
        'Cannot stop an unknown or non-pending order',
      );
    apply({ kind: 'stop', userId: user().id, orderId });
    return { success: true };
  },

  listOrdersV2: (parameters, { exchange, user }) => {
    const { pair, closed, created_before: createdBefore, limit } = parameters;
    const ids = closed === true ? user().orderIds : [...user().openOrderIds];
    const orders = [];
    for (
      let i = ids.length - 1;
      i >= 0 && orders.length < (limit ?? limits.listLimitDefault);
      i--
    ) {
      const order = exchange.orderOf(user().id, ids[i] as string);
      if (order === undefined || (order.status === 'COMPLETE') !== (closed === true)) continue;
      if (pair !== undefined && order.pair !== pair) continue;
      if (createdBefore !== undefined && order.createdMs >= createdBefore) continue;
      orders.push(orderRecordOf(order, exchange.marketOf(order.pair).market));
    }
    return { orders };
  },

  getOrderV3: ({ id, client_order_id: clientOrderId }, { exchange, user }) => {
    if ((id === undefined) === (clientOrderId === undefined))
      return {
        ...refuse('ErrInvalidArguments', 'Exactly one of id and client_order_id must be given'),
        fields: ['id', 'client_order_id'],
      };
    const orderId = id ?? user().orderIdByClientOrderId.get(clientOrderId as string);
    const order = orderId === undefined ? undefined : exchange.orderOf(user().id, orderId);
    if (order === undefined) return refuse('ErrOrderNotFound', 'Order not found');
    return orderRecordOf(order, exchange.marketOf(order.pair).market);
  },

  listtrades: (parameters, { exchange, user }) => {
    const { pair, since, before, after_seq: afterSeq, before_seq: beforeSeq } = parameters;
    const market = exchange.state.markets.get(pair)?.market;
    if (market === undefined) return refuse('ErrMarketUnavailable', 'Market not available');
    const first = afterSeq === undefined ? undefined : BigInt(afterSeq);
    const end = beforeSeq === undefined ? undefined : BigInt(beforeSeq);
    const trades = user().trades.filter(
      (trade) =>
        trade.pair === pair &&
        (since === undefined || trade.timeMs >= since) &&
        (before === undefined || trade.timeMs < before) &&
        (first === undefined || trade.sequence >= first) &&
        (end === undefined || trade.sequence < end),
    );
    if (parameters.sort_desc ?? before !== undefined) trades.reverse();
    const page = trades.slice(0, parameters.limit ?? limits.listLimitDefault);
    return { trades: page.map((trade) => userTradeOf(trade, market)) };
  },
};

function userTradeOf(trade: ExecutedTrade, market: Market): UserTrade {
  return {
    order_id: trade.orderId,
    client_order_id: trade.clientOrderId,
    pair: trade.pair,
    sequence: trade.sequence.toString(),
    is_buy: trade.takerSide === 'BID',
    type: trade.side,
    price: formatTicks(trade.price, market),
    volume: formatLots(trade.volume, market),
    base: formatLots(trade.volume, market),
    counter: formatValue(BigInt(trade.price) * BigInt(trade.volume), market),
    fee_base: formatUnits(trade.feeBase),
    fee_counter: formatUnits(trade.feeCounter),
    timestamp: trade.timeMs,
  };
}
