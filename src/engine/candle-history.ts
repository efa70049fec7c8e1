/** Loads the candle history that strategies ask for before a run, and reports where it is short. */
import { type StrategySettings, seenPairs } from '../domain/bot-settings.ts';
import type { Candle } from '../domain/market-view.ts';
import { durationText } from '../domain/unit-text.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import type { WarmUp } from '../strategy/needs.ts';
import type { CandleHistory } from './engine-start.ts';

type Plugins = ReadonlyMap<string, Pick<PreparedStrategy, 'warmUp'>>;

/** Loads candles with `candlesOf` for each strategy that asks for some, on each of its pairs. */
export async function gatherHistory(
  strategies: readonly Pick<StrategySettings, 'id' | 'pairs' | 'watch'>[],
  plugins: Plugins,
  candlesOf: (pair: string, warmUp: WarmUp) => Promise<readonly Candle[]>,
): Promise<readonly CandleHistory[]> {
  const found: CandleHistory[] = [];
  for (const settings of strategies) {
    const strategyId = settings.id;
    const warmUp = plugins.get(strategyId)?.warmUp;
    if (warmUp === undefined || warmUp.candles === 0) continue;
    for (const pair of seenPairs(settings))
      found.push({ strategyId, pair, candles: await candlesOf(pair, warmUp) });
  }
  return found;
}

/** Returns a message for each strategy and pair with fewer candles than the strategy asks for. */
export function shortHistoryTexts(
  history: readonly CandleHistory[],
  plugins: Plugins,
): readonly string[] {
  return history.flatMap(({ strategyId, pair, candles }) => {
    const warmUp = plugins.get(strategyId)?.warmUp;
    if (warmUp === undefined || candles.length >= warmUp.candles) return [];
    const wanted = `${warmUp.candles} candles of ${durationText(warmUp.intervalMs)}`;
    return [`${strategyId} starts on ${pair} with ${candles.length} of the ${wanted} it asks for`];
  });
}
