/** The time, outputs and timers that the parts of the engine share. */
import type { ExecutionContext } from '../execution/requests/execution-context.ts';
import type { Effect } from './event.ts';
import type { StepObserver } from './stepping/step-observer.ts';

export interface EngineServices extends ExecutionContext {
  /** Whether anyone receives notices of level info. */
  readonly reportsInfo: boolean;
  /** Undefined in a bot and in a usual backtest. */
  readonly observer: StepObserver | undefined;
  effect(effect: Effect): void;
  /** Calls `run` once, when `milliseconds` have passed. */
  wakeAfter(milliseconds: number, run: () => void): void;
}
