/**
 * The order cannot meet one of ours: no order of this bot on the other side that may rest, of
 * whatever strategy, and unknown ones included, has a price that it would take.
 */

import { formatTicks } from '../../domain/market.ts';
import { ticksOf } from '../../domain/ticks-and-lots.ts';
import type { Check } from '../check.ts';

export const checkSelfTrade: Check = ({ proposal, route, pair }, refuse) => {
  const { side, price } = proposal;
  const facing = side === 'BID' ? route.own.lowestAsk : route.own.highestBid;
  if (side === 'BID' ? price < facing : price > facing) return;
  const market = pair?.market;
  const text = (ticks: number): string =>
    market !== undefined && Number.isSafeInteger(ticks)
      ? formatTicks(ticksOf(ticks), market)
      : String(ticks);
  const limit = `${side === 'BID' ? 'below' : 'above'} ${text(facing)}`;
  refuse('SELF_TRADE', text(price), limit, market?.counter ?? 'counter');
};
