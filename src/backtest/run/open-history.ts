/** Opens the history that a scenario's run plays: its recordings, in whatever format they are. */
import { isOnlyWatched, seenPairs } from '../../domain/bot-settings.ts';
import { assert, ConfigError } from '../../domain/errors.ts';
import type { FeedReading } from '../../domain/feed.ts';
import type { Market } from '../../domain/market.ts';
import { marketOfRules } from '../../domain/market-rules.ts';
import type { Candle } from '../../domain/market-view.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { WarmUp } from '../../strategy/needs.ts';
import type { CoarseModel } from '../coarse/coarse-data.ts';
import { type Alteration, alterBlocks } from './altered-flow.ts';
import type { BacktestRun } from './backtest-run.ts';
import type { RunMarket } from './backtest-run-options.ts';
import { openCompiledFlows } from './compiled-flow.ts';
import type { MarketRun } from './market-run.ts';
import { playMerged } from './merged-flow.ts';
import { type PlayedRecording, playedRecordingOf } from './played-data.ts';
import { recordedFeeds } from './recorded-feeds.ts';
import { openRecordedFlow, type PlayedFlow } from './recorded-flow.ts';

/** The history that a run plays, whatever files it comes from. */
export type History = {
  readonly startMicros: number;
  /** The latest possible end; Infinity if it is not known in advance. */
  readonly latestMicros: number;
  readonly endMicros: (lastRowMicros: number) => number;
  /** In the order of the scenario's markets. */
  readonly markets: readonly (Pick<RunMarket, 'market' | 'resting'> & {
    /** Decides fills over coarse data; undefined for order-by-order history. */
    readonly coarse: CoarseModel | undefined;
    readonly recordings: readonly PlayedRecording[];
  })[];
  /**
   * Plays one batch of rows for each iteration: a block of the recording, or fewer rows, up to the
   * first row at which `pausesAt` returns true.
   */
  readonly play: (run: BacktestRun, pausesAt?: () => boolean) => AsyncGenerator<void, void>;
  /** For each market, reads candles before the start of the run from its recordings. */
  readonly candlesBefore: readonly ((requested: WarmUp) => Promise<readonly Candle[]>)[];
  /** What the scenario's feeds said, in order of time. */
  readonly feeds: readonly FeedReading[];
  readonly close: () => void;
};

/**
 * Opens the history of a scenario. Throws NotFoundError for a recording that is missing,
 * DecodeError for one that is damaged at its beginning, ConfigError for one that does not match.
 */
export async function openHistory(
  scenario: ScenarioSettings,
  dataFolder: string,
  alteration?: Alteration,
): Promise<History> {
  const history = await openRecordings(scenario, dataFolder, alteration);
  try {
    checkMarkets(
      scenario,
      history.markets.map(({ market }) => market),
    );
    return history;
  } catch (error) {
    history.close();
    throw error;
  }
}

async function openRecordings(
  scenario: ScenarioSettings,
  dataFolder: string,
  alteration: Alteration | undefined,
): Promise<History> {
  const flows = await openFlows(scenario, dataFolder);
  // All markets begin at the same time.
  const startMicros = flows[0]?.startMicros ?? 0;
  const latestMicros = Math.max(...flows.map(({ endMicros }) => endMicros));
  const close = () => {
    for (const flow of flows) flow.close();
  };
  const recordings = flows.map((flow) => flow.recordings);
  const span = { startMicros, endMicros: latestMicros };
  const feeds = await recordedFeeds(scenario, recordings, span).catch((error: unknown) => {
    close();
    throw error;
  });
  return {
    startMicros,
    candlesBefore: flows.map(
      ({ candlesBefore }) =>
        (requested) =>
          candlesBefore(startMicros, requested),
    ),
    latestMicros,
    endMicros: (lastRowMicros) =>
      Math.max(lastRowMicros, ...flows.map(({ playedMicros }) => playedMicros())),
    markets: flows.map(({ market, resting, coarse, played }) => ({
      ...{ market, resting, coarse },
      recordings: played,
    })),
    play: (run, pausesAt) =>
      playMerged(
        run,
        flows.map(({ blocks }, index) => {
          const { history } = (run.marketRuns[index] as MarketRun).feed.accountMarket.replay;
          const played = blocks(() => {
            assert(history.kind === 'orders', 'only orders rest when a recording ends');
            return history.resting();
          });
          return alteration === undefined ? played : alterBlocks(played, alteration);
        }),
        pausesAt,
      ),
    feeds,
    close,
  };
}

/** Opens the data of each market: recordings, or one NDJSON data set. */
async function openFlows(
  scenario: ScenarioSettings,
  dataFolder: string,
): Promise<readonly PlayedFlow[]> {
  const [first] = scenario.markets;
  if (first?.data.kind === 'order-flow-ndjson') {
    const market = marketOfRules(first.pair, first.rules);
    assert(market !== undefined, `the rules of ${first.pair} must have been checked`);
    return [await openRecordedFlow({ ...scenario, data: first.data, market }, dataFolder)];
  }
  const flows = await openCompiledFlows(scenario, dataFolder);
  return flows.map((flow) => ({
    ...flow,
    played: flow.recordings.map(playedRecordingOf),
    playedMicros: () => flow.endMicros,
  }));
}

/** Checks that balances are in the markets' currencies, and that strategies trade the markets. */
function checkMarkets(
  { scenario, balances, strategies }: ScenarioSettings,
  markets: readonly Market[],
): void {
  for (const { pair, base, counter } of markets)
    for (const currency of isOnlyWatched(strategies, pair) ? [] : [base, counter])
      if (!Object.hasOwn(balances, currency))
        throw new ConfigError(
          `scenario ${scenario}: balances lacks ${currency}, a currency of ${pair}; add it, even if it is "0"`,
        );
  const currencies = [...new Set(markets.flatMap(({ base, counter }) => [base, counter]))];
  // Reading the ledger of another currency would use up call budget.
  for (const [currency, amount] of Object.entries(balances))
    if (!currencies.includes(currency))
      throw new ConfigError(
        `scenario ${scenario}: balances.${currency} was "${amount}", but no market has that currency; allowed: ${currencies.join(', ')}`,
      );
  const pairs = markets.map(({ pair }) => pair);
  for (const strategy of strategies)
    for (const pair of seenPairs(strategy))
      if (!pairs.includes(pair)) {
        const uses = strategy.pairs.includes(pair) ? 'trades' : 'watches';
        throw new ConfigError(
          `scenario ${scenario}: strategy ${strategy.id} ${uses} ${pair}, which has no recording; the scenario has ${pairs.join(', ')}`,
        );
      }
}
