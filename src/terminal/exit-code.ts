/** The exit codes of all commands. Scripts rely on them, so they never change. */
import {
  AlreadyRunningError,
  ConfigError,
  NotFoundError,
  SafetyRefusedError,
} from '../domain/errors.ts';

export const exitCodes = {
  ok: 0,
  error: 1,
  usageOrConfig: 2,
  refusedBySafetyRule: 3,
  notFound: 4,
  /** Our orders are open, or may be. */
  ordersRemain: 6,
  alreadyRunning: 75,
} as const;

/** Returns the exit code of a command that ends with `error`. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof AlreadyRunningError) return exitCodes.alreadyRunning;
  if (error instanceof ConfigError) return exitCodes.usageOrConfig;
  if (error instanceof SafetyRefusedError) return exitCodes.refusedBySafetyRule;
  if (error instanceof NotFoundError) return exitCodes.notFound;
  return exitCodes.error;
}
