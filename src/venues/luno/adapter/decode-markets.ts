/** Reads Luno's markets, candles and tickers. */
import type { Market } from '../../../domain/market.ts';
import { parseScaled } from '../../../domain/money.ts';
import { lotsOf, ticksOf } from '../../../domain/ticks-and-lots.ts';
import { checkCandle, RowReader } from '../../../venue/row-checks.ts';
import type {
  CandleView,
  LastTrade,
  MarketPrices,
  WrongValue,
} from '../../../venue/venue-reply.ts';
import { marketStatusOf } from '../api/market-status.ts';
import type { ResponseOf } from '../api/operation.ts';
import type { Operations } from '../api/operations.ts';

type ListedMarket = ResponseOf<Operations['markets']>['markets'][number];

const scaleMax = 18;

/** Returns the market, or its first value that cannot be true. */
export function marketOf(listed: ListedMarket): Market | WrongValue {
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

type CandleRow = ResponseOf<Operations['candles']>['candles'][number];

/** Returns a candle of `pair`. Throws DecodeError for one that cannot be true. */
export function candleViewOf(candle: CandleRow, pair: string): CandleView {
  const row = new RowReader(`candle ${candle.timestamp} of ${pair}`);
  const view: CandleView = {
    startMs: candle.timestamp,
    open: row.amount('open', candle.open),
    high: row.amount('high', candle.high),
    low: row.amount('low', candle.low),
    close: row.amount('close', candle.close),
    volume: row.amount('volume', candle.volume),
  };
  checkCandle(row, view);
  row.mustBeTrue();
  return view;
}

/**
 * Returns the last trade; a price of 0 means that there was none. Throws DecodeError for one that
 * cannot be true.
 */
export function lastTradeOf(
  ticker: ResponseOf<Operations['ticker']>,
  pair: string,
): LastTrade | undefined {
  const row = new RowReader(`ticker of ${pair}`);
  const price = row.amount('last trade', ticker.last_trade);
  row.mustNotBeNegative('last trade', price);
  row.mustBeTrue();
  return price === 0n ? undefined : { price, atMs: ticker.timestamp };
}

/** Returns the prices of a ticker, or its first value that cannot be true; 0 means no price. */
export function pricesOf(ticker: ResponseOf<Operations['ticker']>): MarketPrices | WrongValue {
  const row = new RowReader(ticker.pair);
  const priceOf = (field: string, text: string) => {
    const price = row.amount(field, text);
    row.mustNotBeNegative(field, price);
    return price === 0n ? undefined : price;
  };
  const prices = {
    pair: ticker.pair,
    bid: priceOf('bid', ticker.bid),
    ask: priceOf('ask', ticker.ask),
    last: priceOf('last trade', ticker.last_trade),
  };
  return row.wrong ?? prices;
}
