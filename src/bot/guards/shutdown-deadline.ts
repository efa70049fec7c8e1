/** The stop of a process that must end: what is not done in time is said, and the process ends. */
import type { Cancel, Timers } from '../../runtime/timers.ts';
import { type BotPlace, botCommand } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';

/** From the wish to stop to the end of the process, at the latest. */
export const stopWithinMs = 30_000;

export type BoundedStop = {
  stop(reason: string): void;
  /** Every order is known to have ended; what is left is to compare. */
  proven(): void;
  /** The process ends by itself. */
  done(): void;
};

/** Begins nothing until it is asked to stop. */
export function boundedStop(options: {
  readonly output: Pick<Output, 'line'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly place: BotPlace;
  /** Asks the bot. */
  readonly stop: (reason: string) => void;
  /** Called at the first wish. */
  readonly stopping: () => void;
  readonly exit: (code: number) => void;
}): BoundedStop {
  const { output, timers, exit } = options;
  let cancel: Cancel | undefined;
  let isProven = false;
  const tooLate = (): void => {
    const seconds = stopWithinMs / 1000;
    output.line(
      isProven
        ? `! no order is open, but nothing was compared within ${seconds} s; to compare: ${botCommand('reconcile', options.place)}`
        : `! not stopped within ${seconds} s: orders may still be open; start again, or stop them with: ${botCommand('panic', options.place)}`,
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
