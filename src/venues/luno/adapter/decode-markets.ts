/** Reads Luno's candles and tickers. */
import { checkCandle, RowReader } from '../../../venue/row-checks.ts';
import type { CandleView, LastTrade } from '../../../venue/venue-reply.ts';
import type { ResponseOf } from '../api/operation.ts';
import type { Operations } from '../api/operations.ts';

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
