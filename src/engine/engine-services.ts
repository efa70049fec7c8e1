/** The time, outputs and timers that the parts of the engine share. */
import type { ExecutionContext } from '../execution/requests/execution-context.ts';

export interface EngineServices extends ExecutionContext {
  /** Whether anyone receives notices of level info. */
  readonly reportsInfo: boolean;
  /** Calls `run` once, when `milliseconds` have passed. */
  wakeAfter(milliseconds: number, run: () => void): void;
}
