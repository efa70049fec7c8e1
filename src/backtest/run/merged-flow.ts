/**
 * Merges the histories of several markets: rows in order of time; at equal times in the order of
 * the markets; rows of one market as recorded.
 *
 *     XBTEUR   1   4 4     9        times played   1 4 4 4 7 9
 *     XBTZAR         4   7          from market    E E E Z Z E
 *
 * At each step, one market plays as many rows as possible, up to the next row of another market.
 */
import type { FlowBlock } from '../../market/flow/flow-block.ts';
import type { BacktestRun } from './backtest-run.ts';
import type { MarketRun } from './market-run.ts';

type Source = AsyncIterator<FlowBlock, void>;

/** A market's history that has a row to play. */
type Active = { readonly marketRun: MarketRun; readonly source: Source; readonly rank: number };

/**
 * Plays the blocks of all markets, given in the order of `run.marketRuns`. Yields after each block;
 * with `pausesAt`, also after the rows of one time when it returns true.
 */
export async function* playMerged(
  run: BacktestRun,
  histories: readonly AsyncIterable<FlowBlock>[],
  pausesAt?: () => boolean,
): AsyncGenerator<void, void> {
  let active: readonly Active[] = [];
  for (const [rank, marketRun] of run.marketRuns.entries()) {
    const source = histories[rank]?.[Symbol.asyncIterator]();
    if (source !== undefined && (await loadNext(run, marketRun, source)))
      active = [...active, { marketRun, source, rank }];
  }
  for (let first = firstOf(active); first !== undefined; first = firstOf(active)) {
    const { marketRun, source } = first;
    const { atMicros } = marketRun.cursor;
    const limitMicros = limitOf(first, active);
    if (
      run.playUntil(
        marketRun,
        pausesAt === undefined ? limitMicros : Math.min(limitMicros, atMicros),
      )
    ) {
      if (pausesAt?.() === true) yield;
      continue;
    }
    yield;
    if (!(await loadNext(run, marketRun, source)))
      active = active.filter((other) => other !== first);
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
  // In the order of the markets, so that the first market wins at equal times.
  for (const next of active)
    if (first === undefined || next.marketRun.cursor.atMicros < first.marketRun.cursor.atMicros)
      first = next;
  return first;
}

/** Returns the time up to which `first` may be played before another market's next row. */
function limitOf(first: Active, active: readonly Active[]): number {
  let limitMicros = Infinity;
  for (const { marketRun, rank } of active) {
    if (rank === first.rank) continue;
    const { atMicros } = marketRun.cursor;
    limitMicros = Math.min(limitMicros, rank < first.rank ? atMicros - 1 : atMicros);
  }
  return limitMicros;
}
