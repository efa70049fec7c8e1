/** What one run of a backtest is given. */
import type { FeedReading } from '../../domain/feed.ts';
import type { Notice } from '../../domain/notice.ts';
import type { StoreRecord } from '../../domain/records.ts';
import type { EngineStart } from '../../engine/engine-start.ts';
import type { StepObserver } from '../../engine/stepping/step-observer.ts';
import type { RestingBlock } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { TradedMarket } from '../../replay-exchange/account/account-market.ts';
import type { ReplayData } from '../../replay-exchange/fill-models/replay-market.ts';
import type { ReplayExchangeOptions } from '../../replay-exchange/port/replay-exchange.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import type { MarketRun } from './market-run.ts';

/** A market of a run, and its book at the beginning. */
export type RunMarket = TradedMarket & {
  readonly resting: RestingBlock;
  readonly data: ReplayData;
};

export type BacktestRunOptions = {
  readonly start: EngineStart;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly exchange: Pick<ReplayExchangeOptions, 'balances' | 'latencies' | 'seed' | 'onOrders'>;
  /** At least one, in the order in which their rows of equal time are played. */
  readonly markets: readonly RunMarket[];
  /** What feeds said, in order of time; none unless given. */
  readonly feeds?: readonly FeedReading[];
  readonly onNotice: (notice: Notice, nowMs: number) => void;
  /** Called with the records of each step, in the time of the recordings. */
  readonly onRecords?: ((records: readonly StoreRecord[], atMicros: number) => void) | undefined;
  /** Called when the exchange has applied rows of one time, with the last of them. */
  readonly onRow?: (
    row: Pick<FlowCursor, 'atMicros' | 'endsMessage'>,
    marketRun: MarketRun,
  ) => void;
  /** Called after each step of the engine. */
  readonly onStep?: ((nowMicros: number) => void) | undefined;
  readonly observer?: StepObserver | undefined;
};
