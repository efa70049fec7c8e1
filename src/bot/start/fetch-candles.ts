/** Fetches the candles with which strategies warm up. */

import { type Market, parseLots, parseTicks } from '../../domain/market.ts';
import type { Candle } from '../../domain/market-view.ts';
import { CandleSeries } from '../../strategy/candle-series.ts';
import type { WarmUp } from '../../strategy/contract.ts';
import { limits } from '../../venues/luno/api/limits.ts';
import type { ResponseOf } from '../../venues/luno/api/operation.ts';
import type { Operations } from '../../venues/luno/api/operations.ts';
import type { Client } from '../../venues/luno/client/client.ts';

type CandleRow = ResponseOf<Operations['candles']>['candles'][number];

/**
 * Returns the last completed candles before `nowMs`: the requested number, or fewer if the exchange
 * has no more. Throws MillraceError if a request fails.
 */
export async function fetchCandles(
  client: Pick<Client, 'candles'>,
  market: Market,
  { intervalMs, candles: count }: WarmUp,
  nowMs: number,
): Promise<readonly Candle[]> {
  const endMs = Math.floor(nowMs / intervalMs) * intervalMs;
  const startMs = endMs - count * intervalMs;
  const series = new CandleSeries(intervalMs, startMs);
  const { pair } = market;
  let since = startMs;
  // The exchange returns the earliest ones first; an answer without progress ends the loop.
  while (since < endMs) {
    const { candles } = await client.candles({ pair, since, duration: intervalMs / 1000 });
    // The current candle is not complete.
    for (const row of candles) if (row.timestamp < endMs) addRow(series, row, market);
    const last = candles.at(-1);
    if (candles.length < limits.candlesPerCallMax || last === undefined) break;
    if (last.timestamp < since) break;
    since = last.timestamp + intervalMs;
  }
  return series.until(endMs);
}

/** A candle with more decimals than the market now has is of an older scale: restart after it. */
function addRow(series: CandleSeries, row: CandleRow, market: Market): void {
  const { timestamp: startMs } = row;
  const [open, high, low, close] = [row.open, row.high, row.low, row.close].map((text) =>
    parseTicks(text, market),
  );
  const volume = parseLots(row.volume, market);
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
