/** Stops the bot with a deadline: if it is exceeded, reports what is unfinished and exits. */
import type { Cancel, Timers } from '../../runtime/timers.ts';
import { type BotPlace, botCommand } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';

/** The longest time from the request to stop to the end of the process. */
const stopWithinMs = 30_000;

export type ShutdownDeadline = {
  stop(reason: string): void;
  /** Notes that every order is known to have ended; only the final comparison is left. */
  proven(): void;
  /** Removes the deadline: the process ends by itself. */
  done(): void;
};

/** Returns the functions; the deadline begins with the first call of `stop`. */
export function createShutdownDeadline(options: {
  readonly output: Pick<Output, 'line'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly place: BotPlace;
  readonly stop: (reason: string) => void;
  /** Called at the first request to stop. */
  readonly stopping: () => void;
  readonly exit: (code: number) => void;
}): ShutdownDeadline {
  const { output, timers, exit } = options;
  let cancel: Cancel | undefined;
  let isProven = false;
  const tooLate = (): void => {
    const seconds = stopWithinMs / 1000;
    output.line(
      isProven
        ? `! no order is open, but the final comparison did not finish within ${seconds} s; to compare: ${botCommand('reconcile', options.place)}`
        : `! not stopped within ${seconds} s: orders may still be open; start again, or cancel them with: ${botCommand('panic', options.place)}`,
    );
    exit(isProven ? exitCodes.error : exitCodes.ordersRemain);
  };
  return {
    stop: (reason) => {
      options.stop(reason);
      if (cancel !== undefined) return;
      cancel = timers.after(stopWithinMs, tooLate, { unref: true });
      options.stopping();
    },
    proven: () => {
      isProven = true;
    },
    done: () => cancel?.(),
  };
}
