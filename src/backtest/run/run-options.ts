/** What each run of a scenario over its history needs, whoever plays it. */
import type { Market } from '../../domain/market.ts';
import type { ScenarioMarket, ScenarioSettings } from '../../domain/scenario-settings.ts';
import { gatherHistory, shortHistoryTexts } from '../../engine/candle-history.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import type { BacktestRunOptions } from './backtest-run-options.ts';
import { ratesOf, startOf } from './backtest-start.ts';
import type { History } from './open-history.ts';

/** Returns the options; warns of strategies that begin with fewer candles than they ask for. */
export async function runOptionsOf(
  history: History,
  plugins: ReadonlyMap<string, PreparedStrategy>,
  given: {
    readonly scenario: ScenarioSettings;
    readonly onNotice?: BacktestRunOptions['onNotice'];
    readonly historyTimes?: number;
  },
): Promise<
  Pick<BacktestRunOptions, 'start' | 'plugins' | 'exchange' | 'markets' | 'feeds' | 'onNotice'>
> {
  const { scenario, onNotice = () => {}, historyTimes = 1 } = given;
  const { latencies, balances, seed, consumedMs } = scenario;
  const { startMicros } = history;
  const markets = history.markets.map(({ market }) => market);
  const candles = await gatherHistory(scenario.strategies, plugins, async (pair, warmUp) => {
    const index = markets.findIndex((market) => market.pair === pair);
    const asked = { ...warmUp, candles: warmUp.candles * historyTimes };
    return (await history.candlesBefore[index]?.(asked)) ?? [];
  });
  for (const text of shortHistoryTexts(candles, plugins))
    onNotice({ level: 'warn', topic: 'state', text }, Math.floor(startMicros / 1000));
  return {
    start: startOf(scenario, markets, startMicros, candles),
    plugins,
    exchange: { balances: withZeros(balances, markets), latencies, seed },
    markets: history.markets.map(({ coarse, recordings: _, ...one }, index) => {
      return {
        ...one,
        rates: ratesOf(scenario.markets[index] as ScenarioMarket),
        data: coarse?.data ?? { kind: 'orders', consumedMicros: consumedMs && consumedMs * 1_000 },
      };
    }),
    feeds: history.feeds,
    onNotice,
  };
}

/** Adds the currencies of the markets that are only watched, whose balances need not be given. */
function withZeros(
  balances: ScenarioSettings['balances'],
  markets: readonly Market[],
): ScenarioSettings['balances'] {
  const all = markets.flatMap(({ base, counter }) => [base, counter]);
  const others = all.filter((currency) => !Object.hasOwn(balances, currency));
  return { ...balances, ...Object.fromEntries(others.map((currency) => [currency, '0'])) };
}
