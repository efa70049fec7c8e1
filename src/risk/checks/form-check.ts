/** The order can be represented exactly and is within the market's own ranges. */
import { formatLots, formatTicks } from '../../domain/market.ts';
import type { Check } from '../check.ts';
import { checkStopPrice } from '../stop-price.ts';

export const checkForm: Check = (input, refuse) => {
  const { proposal, pair, passed } = input;
  const { side, price, volume, timeInForce, postOnly, stop } = proposal;
  if (side !== 'BID' && side !== 'ASK') refuse('FORM', String(side), 'BID, ASK', 'side');
  if (timeInForce !== 'GTC' && timeInForce !== 'IOC' && timeInForce !== 'FOK') {
    refuse('FORM', String(timeInForce), 'GTC, IOC, FOK', 'timeInForce');
  }
  if (typeof postOnly !== 'boolean') refuse('FORM', typeof postOnly, 'true, false', 'postOnly');
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
};
