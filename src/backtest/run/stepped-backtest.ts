/** A backtest that is played a few events at a time, with an observer. */
import { DecodeError } from '../../domain/errors.ts';
import { formatLots } from '../../domain/market.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { StepObserver } from '../../engine/stepping/step-observer.ts';
import type { SteppedRun } from '../../engine/stepping/stepped-run.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import { BacktestRun } from './backtest-run.ts';
import { type History, openHistory } from './open-history.ts';
import { runOptionsOf } from './run-options.ts';

export type SteppedBacktestOptions = {
  readonly scenario: ScenarioSettings;
  /** Contains a folder for each data set. */
  readonly dataFolder: string;
  /** By the ids of the strategies. */
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
};

/** Opens the backtest. Throws as {@link openHistory} does. */
export async function openSteppedBacktest(
  { scenario, dataFolder, plugins }: SteppedBacktestOptions,
  observer: StepObserver,
): Promise<SteppedRun> {
  const history = await openHistory(scenario, dataFolder);
  try {
    const common = await runOptionsOf(history, plugins, { scenario });
    const start = { ...common.start, records: 'all' as const };
    return steppedRun(history, new BacktestRun({ ...common, start, observer }));
  } catch (error) {
    history.close();
    throw error;
  }
}

function steppedRun(history: History, run: BacktestRun): SteppedRun {
  let damage: string | undefined;
  let isEnough = (): boolean => false;
  const steps = playAll(history, run, {
    pausesAt: () => isEnough(),
    onDamage: (text) => {
      damage = text;
    },
  });
  return {
    engine: run.engine,
    async play(until) {
      isEnough = until;
      while (!until()) if ((await steps.next()).done === true) return false;
      return true;
    },
    aheadAtExchange: (pair, clientOrderId) => aheadOf(run, pair, clientOrderId),
    problem: () => damage,
    close() {
      history.close();
      run.store.close();
    },
  };
}

/** Plays the run as a backtest does; yields where it may pause. */
async function* playAll(
  history: History,
  run: BacktestRun,
  {
    pausesAt,
    onDamage,
  }: { readonly pausesAt: () => boolean; readonly onDamage: (text: string) => void },
): AsyncGenerator<void, void> {
  yield run.start();
  let isWhole = true;
  try {
    yield* history.play(run, pausesAt);
  } catch (error) {
    if (!(error instanceof DecodeError) || run.rows === 0) throw error;
    isWhole = false;
    onDamage(error.message);
  }
  const { lastRowMicros } = run;
  yield run.endAt(isWhole ? history.endMicros(lastRowMicros) : lastRowMicros);
  run.stop();
}

function aheadOf(run: BacktestRun, pair: string, clientOrderId: string): string | undefined {
  const feed = run.port.feeds.find((one) => one.pair === pair);
  if (feed === undefined) return undefined;
  const { orders, replay, market } = feed.accountMarket;
  const order = orders.byClientId(clientOrderId);
  const pending = order === undefined ? undefined : orders.pendingOf(order.id);
  const ahead = pending === undefined ? undefined : replay.aheadOf(pending);
  return ahead === undefined ? undefined : formatLots(ahead, market);
}
