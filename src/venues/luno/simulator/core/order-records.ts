/** Converts orders and own trades to the records that the exchange answers. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import { formatLots, formatTicks, formatValue, type Market } from '../../../../domain/market.ts';
import { ticksOf } from '../../../../domain/ticks-and-lots.ts';
import type { AccountOrder, AccountTrade } from '../../../../exchange-accounts/account-order.ts';
import { productOf } from '../../../../exchange-accounts/fee-schedule.ts';
import type { OrderRecord, UserTrade } from '../../api/operations/order-operations.ts';

/** The price of a market order in answers, which do not contain its worst price. */
const noPrice = ticksOf(0);

/** Returns an order as list orders v2 and get order v3 answer it. */
export function orderRecordOf(order: AccountOrder, market: Market): OrderRecord {
  const isMarketOrder = order.isMarketOrder === true;
  return {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    pair: order.pair,
    side: order.side === 'BID' ? 'BUY' : 'SELL',
    type: typeOf(order),
    status: order.status,
    time_in_force: isMarketOrder ? '' : order.timeInForce,
    limit_price: formatTicks(isMarketOrder ? noPrice : order.price, market),
    limit_volume: formatLots(order.volume, market),
    base: formatLots(order.filled, market),
    counter: formatValue(order.filledValue, market),
    fee_base: formatWireAmount(order.feeBase),
    fee_counter: formatWireAmount(order.feeCounter),
    base_account_id: order.baseAccountId,
    counter_account_id: order.counterAccountId,
    creation_timestamp: order.createdMs,
    completed_timestamp: order.completedMs,
    expiration_timestamp: order.cancelledMs,
    stop_direction: order.stop?.direction ?? '',
    stop_price: order.stop && formatTicks(order.stop.price, market),
    leverage: order.leverage ?? 0,
  };
}

function typeOf({ isMarketOrder, stop }: AccountOrder): OrderRecord['type'] {
  if (isMarketOrder === true) return 'MARKET';
  return stop === undefined ? 'LIMIT' : 'STOP_LIMIT';
}

/** Returns a trade as the list of trades answers it. */
export function userTradeOf(trade: AccountTrade, market: Market): UserTrade {
  const { price, volume } = trade;
  const volumeText = formatLots(volume, market);
  return {
    order_id: trade.orderId,
    client_order_id: trade.clientOrderId,
    pair: trade.pair,
    sequence: String(trade.sequence),
    is_buy: trade.takerSide === 'BID',
    type: trade.side,
    price: formatTicks(price, market),
    volume: volumeText,
    base: volumeText,
    counter: formatValue(productOf(price, volume), market),
    fee_base: formatWireAmount(trade.feeBase),
    fee_counter: formatWireAmount(trade.feeCounter),
    timestamp: trade.timeMs,
  };
}
