/** What the parts of the engine share: its time, its outputs, and a way to be woken. */
import type { ExecutionContext } from '../execution/requests/execution-context.ts';

export interface EngineServices extends ExecutionContext {
  /** Whether anybody hears notices of level info. */
  readonly tellsInfo: boolean;
  /** Calls `run` once, when `milliseconds` have passed. */
  wakeAfter(milliseconds: number, run: () => void): void;
}
