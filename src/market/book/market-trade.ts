/** A trade of the whole market, with the ids of both orders where the stream tells them. */
import type { Trade } from '../../domain/market-view.ts';
import type { Ticks } from '../../domain/money.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';

export type MarketTrade = Trade & {
  readonly makerOrderId: string;
  readonly takerOrderId: string;
};

export function columnTrade(row: FlowCursor, price: Ticks): MarketTrade {
  return {
    side: row.isAsk ? 'BID' : 'ASK',
    price,
    volume: row.volume,
    sequence: String(row.sequence),
    timeMs: Math.floor(row.atMicros / 1000),
    // A block has no order ids, and none of its orders is ours.
    makerOrderId: '',
    takerOrderId: '',
  };
}
