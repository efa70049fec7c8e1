/** Converts a row of the list of trades to a fill of one of our orders. */
import type { Side } from '../../domain/market.ts';
import type { FillRow, OrderRow } from '../../domain/records.ts';
import type { UserTrade } from '../../venues/luno/api/operations/order-operations.ts';

/** Returns the fill; `side` is the order's. */
export function fillRowOf(
  trade: UserTrade,
  { intentId, strategyId }: Pick<OrderRow, 'intentId' | 'strategyId'>,
  side: Side,
): FillRow {
  return {
    pair: trade.pair,
    sequence: trade.sequence,
    orderId: trade.order_id,
    intentId,
    strategyId,
    side,
    price: trade.price,
    volume: trade.volume,
    base: trade.base,
    counter: trade.counter,
    feeBase: trade.fee_base,
    feeCounter: trade.fee_counter,
    tradedMs: trade.timestamp,
    // `is_buy` is the taker's side; if ours is the other side, we were the maker.
    maker: trade.is_buy !== (side === 'BID'),
  };
}

/** Returns the key of a fill as text. */
export function fillKeyOf(fill: {
  readonly pair: string;
  readonly sequence: string;
  readonly orderId: string;
}): string {
  return `${fill.pair}|${fill.sequence}|${fill.orderId}`;
}
