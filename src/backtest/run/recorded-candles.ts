/**
 * Makes the candles before a given time from the recordings of a market.
 *
 * A bar belongs to the period in which it is played, at its end, as it does in a strategy's stream:
 * bars that begin at half past the hour end within the next hour.
 */
import { Book } from '../../market/book/book.ts';
import { applyFlow, loadResting, restingOf } from '../../market/book/flow-columns-book.ts';
import { rowKind } from '../../market/flow/flow-block.ts';
import { type FlowCandle, FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { Recording } from '../../recording/file/recording.ts';
import { type Bar, CandleSeries } from '../../strategy/candle-series.ts';
import type { WarmUp } from '../../strategy/needs.ts';
import type { CoarseBlocks } from '../coarse/coarse-blocks.ts';
import { openChain, spanOf } from './recording-chain.ts';

/**
 * Returns the last complete candles before `endMicros` that the recordings, given in order of time,
 * contain: at most as many as requested. `blocks` turns coarse data into what is played; of bars,
 * the requested interval must be a multiple of their length, otherwise there are no candles.
 */
export async function recordedCandles(
  recordings: readonly Recording[],
  { intervalMs, candles }: WarmUp,
  { endMicros, blocks }: { readonly endMicros: number; readonly blocks: CoarseBlocks | undefined },
) {
  const lateMicros = blocks?.lateMicros ?? 0;
  const endMs = Math.floor(endMicros / 1_000 / intervalMs) * intervalMs;
  const askedMicros = (endMs - candles * intervalMs) * 1_000;
  // Nothing is known between two recordings: candles begin with the later one.
  const first = recordings.find((one) => spanOf(one).toMicros + lateMicros >= askedMicros);
  const fromMicros = first && Math.max(askedMicros, spanOf(first).fromMicros);
  const fits = lateMicros === 0 || (intervalMs * 1_000) % (lateMicros + 1) === 0;
  if (fromMicros === undefined || fromMicros >= endMs * 1_000 || !fits) return [];
  const series = new CandleSeries(intervalMs, fromMicros / 1_000);
  const span = { fromMicros, toMicros: endMs * 1_000 - 1 };
  const chain = await openChain(recordings, span, lateMicros);
  const book = new Book();
  loadResting(book, chain.resting);
  const cursor = new FlowCursor();
  let isLost = false;
  const recorded = chain.blocks(() => restingOf(book, 0));
  for await (const block of blocks?.playedAll(recorded, chain) ?? recorded) {
    cursor.load(block);
    while (cursor.next()) {
      if (cursor.kind === rowKind.gap) {
        isLost = true;
        continue;
      }
      if (isLost) series.restart(cursor.atMicros / 1_000);
      isLost = false;
      const bar = barOf(cursor, book);
      if (bar !== undefined) series.add(bar);
      applyFlow(book, cursor);
    }
  }
  return series.until(endMs);
}

/** Returns the trade or candle at the cursor as a bar; undefined for other rows. */
function barOf(row: FlowCursor, book: Book): Bar | undefined {
  const startMs = row.atMicros / 1_000;
  if (row.kind === rowKind.candle) {
    return barFrom(startMs, row.candle());
  }
  if (row.kind !== rowKind.trade) return undefined;
  if (!row.isPriced && !book.has(row.slot)) return undefined;
  const price = row.isPriced ? row.price : book.priceOf(row.slot);
  return barFrom(startMs, [price, price, price, price, row.volume]);
}

function barFrom(startMs: number, [open, high, low, close, volume]: FlowCandle): Bar {
  return { startMs, open, high, low, close, volume };
}
