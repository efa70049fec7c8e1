/** What a person is told of the history that strategies asked for, where there was not enough. */
import type { PreparedStrategy } from '../strategy/loader.ts';
import type { CandleHistory } from './engine-start.ts';

/** Returns a text for each strategy and pair that has fewer candles than it asked for. */
export function shortHistoryTexts(
  history: readonly CandleHistory[],
  plugins: ReadonlyMap<string, Pick<PreparedStrategy, 'warmUp'>>,
): readonly string[] {
  return history.flatMap(({ strategyId, pair, candles }) => {
    const warmUp = plugins.get(strategyId)?.warmUp;
    if (warmUp === undefined || candles.length >= warmUp.candles) return [];
    const of = `${warmUp.candles} candles of ${warmUp.intervalMs / 1_000} s`;
    return [`${strategyId} ${pair} begins with ${candles.length} of the ${of} that it asks for`];
  });
}
