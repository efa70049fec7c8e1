/**
 * The histories of several markets as one: rows in the order of their times, rows of equal time in
 * the order of the markets, rows of one market as they were recorded.
 *
 *     XBTEUR   1   4 4     9        1 4 4 4 7 9
 *     XBTZAR         4   7          E E E Z Z E
 *
 * As many rows as possible are played of a market at once, up to the next row of another.
 */
import type { FlowBlock } from '../../market/flow/flow-block.ts';
import type { BacktestRun, MarketRun } from './backtest-run.ts';

type Source = AsyncIterator<FlowBlock, void>;

/** A market's history that has a row to play. */
type Active = { readonly marketRun: MarketRun; readonly source: Source; readonly rank: number };

/**
 * Plays the blocks of each of the run's markets, given in the order of `run.lanes`; yields whenever
 * a block is used up.
 */
export async function* playMerged(
  run: BacktestRun,
  histories: readonly AsyncIterable<FlowBlock>[],
): AsyncGenerator<void, void> {
  let active: readonly Active[] = [];
  for (const [rank, marketRun] of run.marketRuns.entries()) {
    const source = histories[rank]?.[Symbol.asyncIterator]();
    if (source !== undefined && (await loadNext(run, marketRun, source)))
      active = [...active, { marketRun, source, rank }];
  }
  for (let first = firstOf(active); first !== undefined; first = firstOf(active)) {
    const { marketRun, source } = first;
    if (run.playUntil(marketRun, limitOf(first, active))) continue;
    yield;
    if (!(await loadNext(run, marketRun, source))) active = active.filter((one) => one !== first);
  }
}

async function loadNext(run: BacktestRun, marketRun: MarketRun, source: Source): Promise<boolean> {
  const next = await source.next();
  if (next.done === true) return false;
  run.load(marketRun, next.value);
  return true;
}

function firstOf(active: readonly Active[]): Active | undefined {
  let first: Active | undefined;
  // In the order of the markets, so that of equal times the first one stays.
  for (const one of active)
    if (first === undefined || one.marketRun.cursor.atMicros < first.marketRun.cursor.atMicros)
      first = one;
  return first;
}

/** Returns up to when `first` may be played before another market's row comes. */
function limitOf(first: Active, active: readonly Active[]): number {
  let limitMicros = Infinity;
  for (const { marketRun, rank } of active) {
    if (rank === first.rank) continue;
    const { atMicros } = marketRun.cursor;
    limitMicros = Math.min(limitMicros, rank < first.rank ? atMicros - 1 : atMicros);
  }
  return limitMicros;
}
