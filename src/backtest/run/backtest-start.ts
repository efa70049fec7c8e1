/** The initial state of a scenario's engine, and the fee rates of its markets. */
import { type BotSettings, isOnlyWatched } from '../../domain/bot-settings.ts';
import type { Market } from '../../domain/market.ts';
import { nothingRestored } from '../../domain/records.ts';
import type { ScenarioMarket, ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { Latency } from '../../domain/trading-conditions.ts';
import type { CandleHistory, EngineStart, MarketStart } from '../../engine/engine-start.ts';
import { type DatedRates, ratesAt } from '../../exchange-accounts/fee-schedule.ts';
import { replayPropertiesOf } from '../../replay-exchange/replay-properties.ts';

/** Messages that are later than this do not tell the exchange's time well enough. */
const delayMicrosMax = 1_000_000;

function longestUs(latency: Latency): number {
  if (latency.kind === 'fixed') return latency.us;
  if (latency.kind === 'between') return latency.toUs;
  return latency.samplesUs.reduce((longest, us) => Math.max(longest, us), 0);
}

/** Returns a market's fee rates, in order of time. */
export function ratesOf({
  fees,
  feesLater,
}: Pick<ScenarioMarket, 'fees' | 'feesLater'>): DatedRates[] {
  return [{ ...fees, fromMs: 0 }, ...feesLater];
}

/** Returns the start state of a scenario's engine, with the markets in the given order. */
export function startOf(
  scenario: ScenarioSettings,
  markets: readonly Market[],
  startedMicros: number,
  history: readonly CandleHistory[] = [],
): EngineStart {
  const { bot, namespace, strategies, limits, feeds, hash } = scenario;
  const settings: BotSettings = {
    bot,
    // The most similar mode of a bot; the environment below marks the run as a backtest.
    mode: 'paper',
    venue: 'replay',
    store: '',
    namespace,
    accounts: Object.fromEntries(
      Object.keys(scenario.balances).map((currency, index) => [currency, String(index + 1)]),
    ),
    strategies,
    limits,
    ...(feeds && { feeds: feeds.map(({ name, ageMsMax }) => ({ name, ageMsMax })) }),
    hash,
  };
  const starts = markets.map((market, index) => {
    const rates = ratesOf(scenario.markets[index] as ScenarioMarket);
    const { maker, taker } = ratesAt(rates, Math.floor(startedMicros / 1000));
    return { market, makerFee: maker, takerFee: taker, lastTrade: undefined };
  });
  const isWatched = ({ market }: MarketStart) => isOnlyWatched(strategies, market.pair);
  const watched = starts.filter(isWatched);
  return {
    settings,
    environment: {
      mode: 'backtest',
      ordersGoTo: 'replay',
      liveFlag: false,
      keyFingerprint: undefined,
      keyFingerprintAllowed: undefined,
    },
    markets: starts.filter((one) => !isWatched(one)),
    ...(watched.length === 0 ? {} : { watched }),
    restored: nothingRestored,
    // Nothing has to survive a crash: results are written at the end.
    storeDurable: true,
    lockHeld: true,
    seed: scenario.seed,
    startedMicros,
    ...(history.length === 0 ? {} : { history }),
    reportsInfo: false,
    numbersOrderIds: true,
    ...(longestUs(scenario.latencies.feed) > delayMicrosMax ? { delaysMessages: true } : {}),
    venue: replayPropertiesOf(scenario.profile),
  };
}
