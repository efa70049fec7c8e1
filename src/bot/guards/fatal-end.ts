/**
 * Ends the process after an error: reports which orders may be open at the exchange, and cancels
 * them first if the database failed. A failed start reports the orders that earlier runs left open.
 */
import type { VenueSettings } from '../../domain/bot-settings.ts';
import { StoreError } from '../../domain/errors.ts';
import type { Logger } from '../../runtime/log.ts';
import { botCommand } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import type { Bot } from '../bot.ts';
import { type OpenAtExit, openAtExit } from '../open-at-exit.ts';
import {
  cancelWithoutStore,
  isStoreFailure,
  type StoreFailureOptions,
} from '../panic/store-failure.ts';
import { unfinishedIn } from '../start/unfinished-orders.ts';
import { uncaughtError } from './strategy-guard.ts';

export type FatalEndOptions = Omit<StoreFailureOptions, 'onLine'> & {
  readonly settings: { readonly store: string };
  readonly venue: VenueSettings;
  readonly output: Pick<Output, 'line' | 'problem'>;
};

export type FatalEnd = {
  /** Ends the process, if necessary after cancelling orders; a second call ends it at once. */
  readonly fatal: (error: unknown) => Promise<never>;
  /** As `fatal`, for a failed start. Throws `error` if there is nothing to add to it. */
  readonly failedStart: (error: unknown) => never;
};

/** Returns both functions; `botOf` returns the bot once it runs. */
export function createFatalEnd(
  options: FatalEndOptions,
  parts: {
    readonly botOf: () => Bot | undefined;
    readonly logger: Logger;
    readonly exit: (code: number) => never;
  },
): FatalEnd {
  const { output } = options;
  let isEnding = false;
  const end = ({ text, exitCode }: OpenAtExit): never => {
    if (text !== undefined) output.line(text);
    return parts.exit(exitCode);
  };
  return {
    fatal: async (error) => {
      parts.logger.fatal('the run ends', { err: error });
      output.problem(uncaughtError(error));
      const bot = parts.botOf();
      if (!(error instanceof StoreError)) bot?.endSteps();
      if (isEnding || !isStoreFailure(error, bot)) return end(openAtExit(bot, options));
      isEnding = true;
      return end(
        await cancelWithoutStore(bot, { ...options, onLine: (text) => output.line(text) }),
      );
    },
    failedStart: (error) => {
      if (!(error instanceof StoreError)) throw error;
      const unfinished = unfinishedIn(options.settings.store);
      if (unfinished === undefined) throw error;
      output.problem(error);
      const panic = botCommand('panic', options);
      const text = `! ${unfinished}: start again when the database can be written, or stop them with: ${panic}`;
      return end({ exitCode: exitCodes.ordersRemain, text });
    },
  };
}
