/** The exchange takes such orders, and this one is exact and within the market's own ranges. */
import { orderTypeOf } from '../../domain/limit-order.ts';
import { formatLots, formatTicks } from '../../domain/market.ts';
import type { Check } from '../check.ts';
import { checkMarketForm } from '../market-price.ts';
import { checkStopPrice } from '../stop-price.ts';

export const checkForm: Check = (input, refuse) => {
  const { proposal, facts, pair, passed } = input;
  const { orders } = facts.exchange;
  const { side, price, volume, timeInForce, postOnly, stop, pays } = proposal;
  if (side !== 'BID' && side !== 'ASK') refuse('FORM', String(side), 'BID, ASK', 'side');
  if (!orders.timesInForce.includes(timeInForce))
    refuse('FORM', String(timeInForce), orders.timesInForce.join(', '), 'timeInForce');
  const type = orderTypeOf(proposal);
  if (!orders.types.includes(type)) refuse('FORM', type, orders.types.join(', '), 'type');
  if (typeof postOnly !== 'boolean') refuse('FORM', typeof postOnly, 'true, false', 'postOnly');
  if (postOnly && !orders.postOnly) refuse('FORM', 'true', 'false', 'postOnly');
  if (postOnly && timeInForce !== 'GTC') {
    refuse('FORM', `post-only ${timeInForce}`, 'post-only GTC', 'timeInForce');
  }
  if (pair === undefined) {
    refuse('FORM', proposal.pair, 'a market that is known', 'pair');
    return;
  }
  const { market } = pair;
  if (input.value === undefined) {
    const observed = `${String(volume)} at ${String(price)}`;
    refuse('FORM', observed, 'whole positive numbers', 'lots at ticks');
    return;
  }
  const isPriceAllowed = price >= market.priceMin && price <= market.priceMax;
  const tellPrice = isPriceAllowed ? passed : refuse;
  tellPrice?.(
    'PRICE_RANGE',
    formatTicks(price, market),
    `${formatTicks(market.priceMin, market)} to ${formatTicks(market.priceMax, market)}`,
    market.counter,
  );
  const isVolumeAllowed = volume >= market.volumeMin && volume <= market.volumeMax;
  const tellVolume = isVolumeAllowed ? passed : refuse;
  tellVolume?.(
    'VOLUME_RANGE',
    formatLots(volume, market),
    `${formatLots(market.volumeMin, market)} to ${formatLots(market.volumeMax, market)}`,
    market.base,
  );
  if (stop !== undefined) checkStopPrice(stop, pair, input, refuse);
  if (pays !== undefined) checkMarketForm(input, pays, refuse);
};
