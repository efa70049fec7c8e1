/** A market in the form of the `markets` answer, for the simulator and the replay exchange. */
import { formatLots, formatTicks, type Market } from '../../../domain/market.ts';
import type { ResponseOf } from './operation.ts';
import type { Operations } from './operations.ts';

type MarketRecord = ResponseOf<Operations['markets']>['markets'][number];

export function marketRecordOf(market: Market): MarketRecord {
  return {
    market_id: market.pair,
    // The documents do not list DISABLED here, so it becomes UNKNOWN.
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
