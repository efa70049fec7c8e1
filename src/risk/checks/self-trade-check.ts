/**
 * The order cannot trade with one of ours: its price does not cross any order on the other side
 * that may be open, of any strategy of this bot, orders with an unknown outcome included. A
 * stop-limit order trades with nothing before its trigger, neither as the new order nor as ours;
 * from then on it counts, and what it meets at that moment is up to the exchange. A market order
 * has no price that keeps it from any order on the other side.
 */

import { formatTicks, type Side } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import { ticksOf } from '../../domain/ticks-and-lots.ts';
import type { Check } from '../check.ts';

export const checkSelfTrade: Check = ({ proposal, context, pair, passed }, refuse) => {
  const { side, price, stop, pays } = proposal;
  if (stop !== undefined) return;
  const opposite = side === 'BID' ? context.ourOrders.lowestAsk : context.ourOrders.highestBid;
  const isApart =
    pays === undefined
      ? isBeyond(side, price, opposite)
      : opposite === (side === 'BID' ? Infinity : -Infinity);
  if (isApart && passed === undefined) return;
  const tell = isApart ? passed : refuse;
  const market = pair?.market;
  const text = (ticks: number): string =>
    market !== undefined && Number.isSafeInteger(ticks)
      ? formatTicks(ticksOf(ticks), market)
      : String(ticks);
  const limit = `${side === 'BID' ? 'below' : 'above'} ${text(opposite)}`;
  const observed = pays === undefined ? text(price) : 'any price';
  tell?.('SELF_TRADE', observed, limit, market?.counter ?? 'counter');
};

function isBeyond(side: Side, price: Ticks, opposite: number): boolean {
  return side === 'BID' ? price < opposite : price > opposite;
}
