/** Converts a market from the exchange's list to our rules. */
import { type Market, parseLots, parseTicks } from '../../domain/market.ts';
import { parseScaled } from '../../domain/money.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { WrongValue } from '../../venue/venue-reply.ts';
import { marketStatusOf } from '../../venues/luno/api/market-status.ts';
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

/** Returns the market, or its first value that cannot be true. */
export function marketRulesOf(listed: ListedMarket): Market | WrongValue {
  const { price_scale: priceScale, volume_scale: volumeScale, fee_scale: feeScale } = listed;
  const subject = listed.market_id;
  const scales = { price_scale: priceScale, volume_scale: volumeScale, fee_scale: feeScale };
  const sums = { 'price_scale + volume_scale': priceScale + volumeScale };
  for (const [field, scale] of Object.entries({ ...scales, ...sums }))
    if (!(scale >= 0 && scale <= scaleMax))
      return { subject, field, value: String(scale), rule: `must be 0 to ${scaleMax}` };
  const amounts = {
    min_price: parseScaled(listed.min_price, priceScale),
    max_price: parseScaled(listed.max_price, priceScale),
    min_volume: parseScaled(listed.min_volume, volumeScale),
    max_volume: parseScaled(listed.max_volume, volumeScale),
  };
  for (const [name, value] of Object.entries(amounts))
    if (value === undefined || value < 0)
      return {
        ...{ subject, field: name, value: listed[name as keyof typeof amounts] },
        rule: 'does not fit its scale',
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
