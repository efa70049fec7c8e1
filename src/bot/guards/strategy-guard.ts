/**
 * Keeps code of strategies that runs outside of their streams from ending a verb by itself: a
 * `process.exit` would pass as success, and what nobody catches would end it without a code.
 */
import { constants } from 'node:os';
import { MillraceError, StrategyError } from '../../domain/errors.ts';
import { errorPlaceOf } from '../../strategy/error-place.ts';
import { withExitGuard } from './exit-guard.ts';

const ofThread = 'ERR_WORKER_';

/**
 * Does `work`, which calls what it is given now and then. Throws StrategyError there, or at the
 * end, if something has failed meanwhile that nobody caught; what the system refused Millrace, as
 * it is. The exit code of a process that is ended before `work` is done is 1.
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
      const value = await work(check);
      check();
      return value;
    } finally {
      process.off('uncaughtException', fail).off('unhandledRejection', fail);
    }
  });
}

/**
 * Returns an error that nobody caught as one of a strategy, with its place, if it comes from code
 * that is neither Millrace's, nor a package's, nor Node's; else as it is.
 */
export function uncaughtError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MillraceError) return error;
  if (errorPlaceOf(error) === undefined) return error;
  const text = `code of a strategy failed where nobody catches it: ${failureText(error)}`;
  return new StrategyError(text, { cause: error });
}

/** Whether the system refused something, as a thread or a file, that no plugin's code asked for. */
function isOfSystem(error: unknown): error is Error {
  if (!(error instanceof Error) || errorPlaceOf(error) !== undefined) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return false;
  return Object.hasOwn(constants.errno, code) || code.startsWith(ofThread);
}

/** An error of a strategy with its place; one that is from nowhere in it, with its stack. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = errorPlaceOf(error);
  return place === undefined ? (error.stack ?? error.message) : `${error.message}, at ${place}`;
}
