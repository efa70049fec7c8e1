/**
 * The order cannot trade with one of ours: its price does not cross any order on the other side
 * that may be open, of any strategy of this bot, orders with an unknown outcome included. A
 * stop-limit order trades with nothing before its trigger, neither as the new order nor as ours;
 * from then on it counts, and what it meets at that moment is up to the exchange.
 */

import { formatTicks } from '../../domain/market.ts';
import { ticksOf } from '../../domain/ticks-and-lots.ts';
import type { Check } from '../check.ts';

export const checkSelfTrade: Check = ({ proposal, context, pair, passed }, refuse) => {
  const { side, price, stop } = proposal;
  if (stop !== undefined) return;
  const opposite = side === 'BID' ? context.ourOrders.lowestAsk : context.ourOrders.highestBid;
  const isApart = side === 'BID' ? price < opposite : price > opposite;
  if (isApart && passed === undefined) return;
  const tell = isApart ? passed : refuse;
  const market = pair?.market;
  const text = (ticks: number): string =>
    market !== undefined && Number.isSafeInteger(ticks)
      ? formatTicks(ticksOf(ticks), market)
      : String(ticks);
  const limit = `${side === 'BID' ? 'below' : 'above'} ${text(opposite)}`;
  tell?.('SELF_TRADE', text(price), limit, market?.counter ?? 'counter');
};
