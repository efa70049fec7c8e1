/**
 * Keeps strategy code that runs outside of its streams from ending a command: `process.exit` would
 * look like success, and an uncaught error would end it without an error code.
 */
import { constants } from 'node:os';
import { MillraceError, StrategyError } from '../../domain/errors.ts';
import { createTimers } from '../../runtime/timers.ts';
import { errorPlaceOf } from '../../strategy/error-place.ts';
import { withExitGuard } from './exit-guard.ts';

const ofThread = 'ERR_WORKER_';

/**
 * Runs `work`, which calls `check` now and then. An uncaught error meanwhile is thrown by the next
 * `check` or at the end: as StrategyError, or unchanged if it is an error of the operating system
 * in Millrace's own code. A process that is ended before `work` is done exits with 1.
 */
export function withStrategyGuard<Value>(
  strategies: readonly string[],
  work: (check: () => void) => Promise<Value>,
): Promise<Value> {
  const who = `strategy ${strategies.join(' or ')}`;
  let failure: Error | undefined;
  const fail = (error: unknown): void => {
    failure ??= isOfSystem(error)
      ? error
      : new StrategyError(
          `code outside the engine failed while ${who} ran: ${failureText(error)}`,
          { cause: error },
        );
  };
  const check = (): void => {
    if (failure !== undefined) throw failure;
  };
  return withExitGuard(who, async () => {
    process.on('uncaughtException', fail).on('unhandledRejection', fail);
    try {
      const value = await work(check).finally(leftovers);
      check();
      return value;
    } finally {
      process.off('uncaughtException', fail).off('unhandledRejection', fail);
    }
  });
}

/**
 * Waits for what a strategy's code has left to do: `work` may never have let the event loop turn,
 * and until it turns no rejection counts as unhandled and no timer fires.
 */
function leftovers(): Promise<void> {
  const { after, soon } = createTimers();
  // A timer without a delay is one of a millisecond, and those before this one fire first.
  return new Promise((resolve) => after(1, () => soon(resolve)));
}

/**
 * Returns an uncaught error as StrategyError with its place, if it comes from code other than
 * Millrace's, a package's or Node's; otherwise unchanged.
 */
export function uncaughtError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MillraceError) return error;
  if (errorPlaceOf(error) === undefined) return error;
  const text = `uncaught error in a strategy's code: ${failureText(error)}`;
  return new StrategyError(text, { cause: error });
}

/** Whether the operating system refused something that no plugin requested, e.g. a thread. */
function isOfSystem(error: unknown): error is Error {
  if (!(error instanceof Error) || errorPlaceOf(error) !== undefined) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return false;
  return Object.hasOwn(constants.errno, code) || code.startsWith(ofThread);
}

/** The error's text with its place in a strategy's code, otherwise its stack. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = errorPlaceOf(error);
  return place === undefined ? (error.stack ?? error.message) : `${error.message}, at ${place}`;
}
