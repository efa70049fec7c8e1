/** A market as the list of markets has it, whichever of our exchanges answers. */
import { formatLots, formatTicks, type Market } from '../domain/market.ts';
import type { ResponseOf } from './operation.ts';
import type { Operations } from './operations.ts';

type MarketRecord = ResponseOf<Operations['markets']>['markets'][number];

export function marketRecordOf(market: Market): MarketRecord {
  return {
    market_id: market.pair,
    // The documents name no DISABLED here; UNKNOWN stands for it.
    trading_status: market.status === 'DISABLED' ? 'UNKNOWN' : market.status,
    base_currency: market.base,
    counter_currency: market.counter,
    min_volume: formatLots(market.volumeMin, market),
    max_volume: formatLots(market.volumeMax, market),
    volume_scale: market.volumeScale,
    min_price: formatTicks(market.priceMin, market),
    max_price: formatTicks(market.priceMax, market),
    price_scale: market.priceScale,
    fee_scale: market.feeScale,
  };
}
