/** A trade of the whole market as the order-by-order book saw it, with both orders. */
import type { Trade } from '../../domain/market-view.ts';
import type { Ticks } from '../../domain/money.ts';
import type { FlowCursor } from '../flow/flow-cursor.ts';

export type MarketTrade = Trade & {
  readonly makerOrderId: string;
  readonly takerOrderId: string;
};

/** Returns the trade that the cursor is at. */
export function columnTrade(row: FlowCursor, price: Ticks): MarketTrade {
  return {
    side: row.isAsk ? 'BID' : 'ASK',
    price,
    volume: row.volume,
    sequence: String(row.sequence),
    timeMs: Math.floor(row.atMicros / 1000),
    // Nobody in a recording is one of us.
    makerOrderId: '',
    takerOrderId: '',
  };
}
