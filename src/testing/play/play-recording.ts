/** Plays a strategy over a recording as `millrace backtest` does, for a test. */
import { join } from 'node:path';
import { tap } from 'rxjs';
import { metricsOf } from '../../backtest/metrics/run-metrics.ts';
import type { BacktestResult } from '../../backtest/run/backtest-result.ts';
import { type Backtest, playBacktest } from '../../backtest/run/run-backtest.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Scales } from '../../domain/market.ts';
import type { FillRow, OrderRow } from '../../domain/records.ts';
import { type AnyStrategy, isStrategy, type Strategy } from '../../strategy/contract.ts';
import { fitStrategy } from '../../strategy/parameters/fit-strategy.ts';
import { noCode } from '../../strategy/plugin-code.ts';
import { workspaceOf } from '../../terminal/find-workspace.ts';
import type { TimedIntent } from '../timed-intent.ts';
import { type PlayOptions, playedScenario } from './play-options.ts';

/** An order in its last state. Amounts are decimal text, times milliseconds since the epoch. */
export type PlayedOrder = Pick<
  OrderRow,
  'pair' | 'key' | 'level' | 'side' | 'price' | 'volume' | 'state' | 'reason' | 'createdMs'
>;

/**
 * A fill. `maker` tells whether the order rested; `base` and `counter` are the traded amounts, and
 * `feeBase` and `feeCounter` what the fill cost.
 */
export type PlayedFill = Omit<FillRow, 'sequence' | 'orderId' | 'intentId' | 'strategyId'>;

/** The folder above `src`, as in `main.ts`. */
const installation = join(import.meta.dirname, '..', '..', '..');

/** What came of a run. Money is decimal text in the counter currency. */
export type PlayedRun = {
  /** When the run began, in milliseconds since the epoch. */
  readonly startMs: number;
  /** What the strategy emitted, valid or not. */
  readonly intents: readonly TimedIntent[];
  /** The orders that the gate approved, oldest first. */
  readonly orders: readonly PlayedOrder[];
  /** In order of time. */
  readonly fills: readonly PlayedFill[];
  /** After fees; null if the pairs do not share a counter currency, or no mid is known. */
  readonly profit: string | null;
  readonly fees: { readonly base: string | null; readonly counter: string | null };
  /** The largest fall of the profit from its highest point; null like the profit. */
  readonly drawdown: string | null;
  /**
   * How often the gate and the exchange refused an order, by code; a request that the gate keeps
   * refusing for the same reason counts once.
   */
  readonly refusals: Readonly<Record<string, number>>;
  /** Equal for equal orders and fills: the same on every machine, and as `backtest` prints it. */
  readonly hash: string;
  /** How many decimals prices and volumes have, by pair: intents are in ticks and lots. */
  readonly scales: Readonly<Record<string, Scales>>;
  /** All figures of the run. */
  readonly result: BacktestResult;
};

/**
 * Plays `strategy` over `recording`: the name of a scenario, such as `first`, the path of its file or
 * of a bot's file that names one, or the path of a recording (`.mrec`) of one order book.
 *
 * A scenario gives fees, latencies, balances and limits, and `strategy` takes the place of its
 * first strategy; a recording has the defaults of {@link PlayOptions}, with limits that allow all
 * that its market does.
 *
 * Rejects with NotFoundError if there is no such recording, with DecodeError if it is damaged, with
 * ConfigError for parameters or options that do not fit, and with Error if the strategy throws.
 */
export async function playRecording<P, S>(
  strategy: Strategy<P, S>,
  parameters: Readonly<Record<string, unknown>> = {},
  recording = 'first',
  options: PlayOptions = {},
): Promise<PlayedRun> {
  const played = strategy as unknown as AnyStrategy;
  if (!isStrategy(played))
    throw new ConfigError('playRecording: the strategy must be what defineStrategy returned');
  const workspace = workspaceOf(installation, { cwd: process.cwd(), environment: process.env });
  const scenario = playedScenario(strategy.name, parameters, recording, { options, workspace });
  const intents: { readonly timeMs: number; readonly intent: TimedIntent['intent'] }[] = [];
  const plugins = new Map(
    scenario.strategies.map((settings) => {
      const fitted = fitStrategy(played, settings);
      const watched: AnyStrategy = {
        ...played,
        run: (context) =>
          played
            .run(context)
            .pipe(tap((intent) => intents.push({ timeMs: context.nowMs(), intent }))),
      };
      return [settings.id, { ...fitted, strategy: watched, code: noCode }];
    }),
  );
  const backtest = await playBacktest(plugins, { scenario, dataFolder: workspace.data });
  const { store } = backtest.run;
  try {
    const { result, hash, stopped } = backtest;
    if (stopped.length > 0) throw new Error(`playRecording: ${stopped.join('; ')}`);
    const startMs = Math.floor(backtest.startMicros / 1000);
    const { gate, exchange } = result.refusals;
    return {
      ...{ startMs, result, hash, profit: result.profit, fees: result.fees },
      intents: intents.map(({ timeMs, intent }) => ({ atMs: timeMs - startMs, intent })),
      scales: Object.fromEntries(
        backtest.run.marketRuns.map(({ feed: { accountMarket } }) => [
          accountMarket.market.pair,
          accountMarket.market,
        ]),
      ),
      orders: [...store.orders()],
      fills: [...store.fills()],
      drawdown: drawdownOf(backtest),
      refusals: byCode([...Object.entries(gate), ...Object.entries(exchange)]),
    };
  } finally {
    store.close();
  }
}

/** The counts of the gate begin with the strategy's id. */
function byCode(counts: readonly (readonly [name: string, count: number])[]) {
  const sums: Record<string, number> = {};
  for (const [name, count] of counts) {
    const code = name.slice(name.indexOf(' ') + 1);
    sums[code] = (sums[code] ?? 0) + count;
  }
  return sums;
}

function drawdownOf({ run, result, recorders, account }: Backtest): string | null {
  if (account !== undefined) return account.metrics.drawdownMax;
  const [recorder, ...more] = recorders;
  const [market] = run.marketRuns;
  if (recorder === undefined || market === undefined || more.length > 0) return null;
  const { coarseData } = result;
  const { accountMarket } = market.feed;
  return metricsOf(recorder, accountMarket, { coarseData, cautions: [], recorders }).trader
    .drawdownMax;
}
