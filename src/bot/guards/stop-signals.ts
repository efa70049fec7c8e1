/** Requests of people and of the system to stop a bot. */
import { watchSignals } from '../../runtime/signals.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';

/** Until the bot runs, a request to stop ends the process. */
export function watchForStop(
  output: Pick<Output, 'line'>,
  {
    fatal,
    exit,
  }: { readonly fatal: (error: unknown) => void; readonly exit: (code: number) => never },
) {
  let stop = (reason: string): void => {
    output.line(`stopped while starting (${reason}): no order was sent`);
    exit(exitCodes.error);
  };
  const unwatch = watchSignals({
    stop: (signal) => stop(signal),
    force: (signal) => {
      output.line(
        `forced to end (${signal}): orders may still be open; the next start takes them over`,
      );
      exit(exitCodes.ordersRemain);
    },
    fatal,
  });
  return {
    unwatch,
    stopWith: (other: (reason: string) => void) => {
      stop = other;
    },
  };
}
