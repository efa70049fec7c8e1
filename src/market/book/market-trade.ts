/** A trade of the whole market, with the ids of both orders. */
import { opposite } from '../../domain/market.ts';
import type { Trade } from '../../domain/market-view.ts';
import type { Ticks } from '../../domain/money.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';
import type { OrderTraded } from '../flow/order-flow-row.ts';

export type MarketTrade = Trade & {
  readonly makerOrderId: string;
  readonly takerOrderId: string;
};

export function rowTrade(row: OrderTraded): MarketTrade {
  return {
    side: opposite(row.makerSide),
    price: row.price,
    volume: row.volume,
    sequence: String(row.sequence),
    timeMs: Math.floor(row.atMicros / 1000),
    makerOrderId: row.makerId,
    takerOrderId: row.takerId ?? '',
  };
}

export function columnTrade(row: FlowCursor, price: Ticks): MarketTrade {
  return {
    side: row.isAsk ? 'BID' : 'ASK',
    price,
    volume: row.volume,
    sequence: String(row.sequence),
    timeMs: Math.floor(row.atMicros / 1000),
    // A recording in columns has no order ids, and none of its orders is ours.
    makerOrderId: '',
    takerOrderId: '',
  };
}
