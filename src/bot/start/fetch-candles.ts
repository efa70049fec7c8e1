/** Fetches the candles with which strategies warm up. */
import { lotsOfAmount, ticksOfAmount } from '../../domain/amount.ts';
import { candlePartMs } from '../../domain/candle-durations.ts';
import { assert } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import type { Candle } from '../../domain/market-view.ts';
import { CandleSeries } from '../../strategy/candle-series.ts';
import type { WarmUp } from '../../strategy/needs.ts';
import { readPages, type VenueReader } from '../../venue/venue-reader.ts';
import type { CandleView } from '../../venue/venue-reply.ts';

/**
 * Returns the last completed candles before `nowMs`: the requested number, or fewer if the venue
 * has no more. Candles of a length that the venue does not list are put together from shorter ones.
 * Throws MillraceError if a request fails.
 */
export async function fetchCandles(
  venue: VenueReader,
  market: Market,
  { intervalMs, candles: count }: WarmUp,
  nowMs: number,
): Promise<readonly Candle[]> {
  const endMs = Math.floor(nowMs / intervalMs) * intervalMs;
  const fromMs = endMs - count * intervalMs;
  const series = new CandleSeries(intervalMs, fromMs);
  const { pair } = market;
  const partMs = candlePartMs(intervalMs);
  assert(partMs !== undefined, `no candles of ${intervalMs} ms can be fetched`);
  const request = { kind: 'candles', pair, intervalMs: partMs, fromMs } as const;
  for await (const page of readPages(venue, request)) {
    // The current candle is not complete.
    for (const row of page.rows) if (row.startMs < endMs) addRow(series, row, market);
    if ((page.rows.at(-1)?.startMs ?? 0) + partMs >= endMs) break;
  }
  return series.until(endMs);
}

/** A candle with more decimals than the market now has is of an older scale: restart after it. */
function addRow(series: CandleSeries, row: CandleView, market: Market): void {
  const { startMs } = row;
  const [open, high, low, close] = [row.open, row.high, row.low, row.close].map((price) =>
    ticksOfAmount(price, market),
  );
  const volume = lotsOfAmount(row.volume, market);
  if (
    open === undefined ||
    high === undefined ||
    low === undefined ||
    close === undefined ||
    volume === undefined
  )
    series.restart(startMs + 1);
  else series.add({ startMs, open, high, low, close, volume });
}
