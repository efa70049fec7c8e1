/** Converts a market from the exchange's list to our rules. */
import { type Market, parseLots, parseTicks } from '../../domain/market.ts';
import { parseScaled } from '../../domain/money.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import { marketStatusOf } from '../../market/feed/market-status.ts';
import type { ResponseOf } from '../../venues/luno/api/operation.ts';
import type { Operations } from '../../venues/luno/api/operations.ts';

export type ListedMarket = ResponseOf<Operations['markets']>['markets'][number];

const scaleMax = 18;

/** Whether a stored order's price and volume are whole ticks and lots of the market. */
export function fitsScales(
  order: { readonly price: string; readonly volume: string },
  market: Market,
): boolean {
  return (
    parseTicks(order.price, market) !== undefined && parseLots(order.volume, market) !== undefined
  );
}

/** Returns the market, or the reason why it is not valid. */
export function marketRulesOf(listed: ListedMarket): Market | { readonly wrong: string } {
  const { price_scale: priceScale, volume_scale: volumeScale, fee_scale: feeScale } = listed;
  for (const scale of [priceScale, volumeScale, feeScale, priceScale + volumeScale])
    if (!(scale >= 0 && scale <= scaleMax))
      return { wrong: `${listed.market_id}: scales must be 0 to ${scaleMax}, was ${scale}` };
  const amounts = {
    min_price: parseScaled(listed.min_price, priceScale),
    max_price: parseScaled(listed.max_price, priceScale),
    min_volume: parseScaled(listed.min_volume, volumeScale),
    max_volume: parseScaled(listed.max_volume, volumeScale),
  };
  for (const [name, value] of Object.entries(amounts))
    if (value === undefined || value < 0)
      return {
        wrong: `${listed.market_id}: ${name} ${listed[name as keyof typeof amounts]} does not fit its scale`,
      };
  return {
    pair: listed.market_id,
    base: listed.base_currency,
    counter: listed.counter_currency,
    priceScale,
    volumeScale,
    feeScale,
    priceMin: ticksOf(amounts.min_price as number),
    priceMax: ticksOf(amounts.max_price as number),
    volumeMin: lotsOf(amounts.min_volume as number),
    volumeMax: lotsOf(amounts.max_volume as number),
    status: marketStatusOf(listed.trading_status),
  };
}
